import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { CHAIN_KEYS } from "../../relayer/configuration/chainKeys.ts";
import { CONFIGURATION_KEYS, SECRET_KEYS } from "../../relayer/configuration/configurationSchema.ts";
import { environmentNameOf } from "../../relayer/configuration/environment.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { load } from "./configurationFolder.ts";

type Properties = Record<string, { description?: string; additionalProperties?: { properties: Properties } }>;
type Schema = { properties: Properties; [keyword: string]: unknown };

const OF_ANY_CHAIN = {
  senderAddress: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  maxFeePerGasGwei: "0.05",
  dailyBudget: 2,
  finality: "finalized",
  stuckAfterSeconds: 90,
  balanceWarningDays: 14,
  maxUpdatesPerTransaction: 100,
  maxGasPerTransaction: 16_000_000,
};

/** A configuration file that uses every key that a file may hold for one chain. */
const EXAMPLE = {
  apiUrl: "https://prices.example",
  idPrefix: "svc",
  responseFields: { date: "as_of", publishTimeUnit: "s" },
  requestSpelling: "public-clients",
  addressListName: "addresses",
  nationwideMarketId: 5_826_765,
  creditsPerRun: 0,
  creditsPerMonth: 1000,
  rpcUrl: ["https://rpc.example", "http://127.0.0.1:8545"],
  chainId: 8453,
  oracleAddress: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  ...OF_ANY_CHAIN,
  markets: [5_826_765, "5503877:sales"],
  kinds: ["sales"],
  signerPublicKey: `0x${"1a".repeat(32)}`,
  layout: EXPONENT_LAYOUT,
  rentalOffset: 2_000_000_000,
  maxExpiryAfterDateSeconds: 259_200,
  quarantineDelaySeconds: 21_600,
  defaultBandBasisPoints: 0,
  schedule: "30 7 * * *",
  timeZone: "America/New_York",
  editionLateAt: "09:00",
  requestTimeoutSeconds: 30,
  receiptTimeoutSeconds: 180,
  store: "/var/lib/homeprice/journal.sqlite",
  archiveDays: 400,
  deploymentsDirectory: "deployments",
  owner: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  guardian: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  signerDelaySeconds: 86_400,
  listen: "127.0.0.1:9464",
  heartbeatMinutes: 5,
  alertRepeatHours: 24,
  logFormat: "json",
};

/** The same for several chains. */
const { rpcUrl, chainId, oracleAddress, ...SHARED } = EXAMPLE;
const SEVERAL = {
  ...SHARED,
  chains: {
    base: { rpcUrl, chainId, oracleAddress, ...OF_ANY_CHAIN },
    arbitrum1: { rpcUrl: "https://rpc.example", chainId: 42_161 },
  },
};

/** Keys that stand in a file only in other circumstances: secrets and their files, and other places of a key. */
const NOT_IN_EXAMPLE = CONFIGURATION_KEYS.filter(
  (key) => (SECRET_KEYS as readonly string[]).includes(key) || /File$|^remoteSignerUrl$|^chains$/.test(key),
);

let schema: Schema;
let validator: z.ZodType;
beforeAll(async () => {
  schema = JSON.parse(await readFile(new URL("../../homeprice.config.schema.json", import.meta.url), "utf8")) as Schema;
  validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
});

test("knows every key that a file may hold, with its environment spelling, and no secret", () => {
  const keys = CONFIGURATION_KEYS.filter((key) => !(SECRET_KEYS as readonly string[]).includes(key));
  const known = Object.keys(schema.properties).filter((key) => key !== "$schema");
  expect(known.toSorted()).toEqual(keys.toSorted());
  for (const key of keys.filter((each) => each !== "chains")) {
    expect(schema.properties[key]?.description).toContain(`(environment: ${environmentNameOf(key)})`);
  }
});

test("knows every key that a file may hold of one of several chains", () => {
  const ofChain = schema.properties["chains"]?.additionalProperties?.properties ?? {};
  const keys = CHAIN_KEYS.filter((key) => !(SECRET_KEYS as readonly string[]).includes(key));
  expect(Object.keys(ofChain).toSorted()).toEqual(keys.toSorted());
  for (const key of keys) {
    expect(ofChain[key]?.description).toContain(`(environment: ${environmentNameOf(key, "<name>")})`);
    // The same key says the same in both places.
    const [said] = ofChain[key]?.description?.split(" (environment") ?? [];
    expect(schema.properties[key]?.description).toContain(said);
  }
});

test("accepts what the program accepts", async () => {
  expect(Object.keys(EXAMPLE)).toHaveLength(CONFIGURATION_KEYS.length - NOT_IN_EXAMPLE.length);
  for (const example of [EXAMPLE, SEVERAL]) {
    await load(JSON.stringify(example));
    expect(validator.safeParse(example).error?.issues ?? []).toEqual([]);
  }
  expect(validator.safeParse({}).success).toBe(true);
  expect(validator.safeParse({ rpcUrl: "http://127.0.0.1:8545" }).success).toBe(true);
  expect(validator.safeParse({ apiKeyFile: "/run/secrets/key", privateKeyFile: "/run/secrets/sender" }).success).toBe(
    true,
  );
});

test("a JSON file may name it, which is how editors find it", async () => {
  const named = { $schema: "./homeprice.config.schema.json", chainId: 8453 };
  expect(validator.safeParse(named).success).toBe(true);
  expect(await load(JSON.stringify(named))).toMatchObject({ chainId: 8453 });
});

test.each([
  [{ market: [7] }],
  [{ apiKey: "k" }],
  [{ chainId: "8453" }],
  [{ kinds: ["lease"] }],
  [{ oracleAddress: "0x12" }],
  [{ layout: { ...EXPONENT_LAYOUT, signature: { offset: 0 } } }],
  [{ markets: [] }],
  [{ maxExpiryAfterDateSeconds: 259_201 }],
  [{ quarantineDelaySeconds: 3_599 }],
  [{ quarantineDelaySeconds: 172_801 }],
  [{ defaultBandBasisPoints: 10_001 }],
  [{ requestSpelling: "plural" }],
  [{ creditsPerRun: -1 }],
  [{ creditsPerMonth: 0.5 }],
  [{ webhookUrl: "https://hooks.example" }],
  [{ maxFeePerGasGwei: 0 }],
  [{ maxFeePerGasGwei: 0.5 }],
  [{ maxFeePerGasGwei: "0.0000000001" }],
  [{ dailyBudget: "0.0" }],
  [{ dailyBudget: "1e18" }],
  [{ finality: "safe" }],
  [{ finality: -1 }],
  [{ editionLateAt: "24:00" }],
  [{ listen: "9464" }],
  [{ listen: "127.0.0.1:65536" }],
  [{ logFormat: "text" }],
  [{ chains: { Base: { chainId: 1 } } }],
  [{ chains: { base_two: { chainId: 1 } } }],
  [{ chains: { base: { chainId: 1, privateKey: `0x${"1a".repeat(32)}` } } }],
  [{ chains: { base: { chainId: 1, markets: [7] } } }],
  [{ chains: [{ chainId: 1 }] }],
])("marks %j, as the program refuses it", async (values) => {
  await expect(load(JSON.stringify(values))).rejects.toThrow();
  expect(validator.safeParse(values).success).toBe(false);
});
