import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHAIN_KEYS } from "../../relayer/configuration/chainKeys.ts";
import { CONFIGURATION_KEYS, type ConfigurationKey } from "../../relayer/configuration/configurationSchema.ts";
import {
  describeUnknownVariable,
  environmentNameOf,
  readEnvironment,
  unknownVariables,
} from "../../relayer/configuration/environment.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { folderWith, load } from "./configurationFolder.ts";

const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const BYTES_32 = `0x${"1a".repeat(32)}`;

/** Each key as the environment spells it, a text for it, and the value that the text stands for. */
const VARIABLES: Record<ConfigurationKey, readonly [name: string, text: string, value: unknown]> = {
  apiUrl: ["HOMEPRICE_API_URL", "https://prices.example/base", "https://prices.example/base"],
  apiKey: ["HOMEPRICE_API_KEY", "k1/+=", "k1/+="],
  apiKeyFile: ["HOMEPRICE_API_KEY_FILE", "api.key", "api.key"],
  idPrefix: ["HOMEPRICE_ID_PREFIX", "acme", "acme"],
  responseFields: ["HOMEPRICE_RESPONSE_FIELDS", '{"items":"prices"}', expect.objectContaining({ items: "prices" })],
  requestSpelling: ["HOMEPRICE_REQUEST_SPELLING", "public-clients", "public-clients"],
  addressListName: ["HOMEPRICE_ADDRESS_LIST_NAME", "addresses", "addresses"],
  nationwideMarketId: ["HOMEPRICE_NATIONWIDE_MARKET_ID", "7", 7n],
  creditsPerRun: ["HOMEPRICE_CREDITS_PER_RUN", "0", 0],
  creditsPerMonth: ["HOMEPRICE_CREDITS_PER_MONTH", "1000", 1000],
  rpcUrl: ["HOMEPRICE_RPC_URL", "http://a.example,http://b.example", ["http://a.example", "http://b.example"]],
  chainId: ["HOMEPRICE_CHAIN_ID", "8453", 8453],
  oracleAddress: ["HOMEPRICE_ORACLE_ADDRESS", ADDRESS, ADDRESS],
  privateKey: ["HOMEPRICE_PRIVATE_KEY", BYTES_32, BYTES_32],
  privateKeyFile: ["HOMEPRICE_PRIVATE_KEY_FILE", "sender.key", "sender.key"],
  keystoreFile: ["HOMEPRICE_KEYSTORE_FILE", "/run/secrets/keystore.json", "/run/secrets/keystore.json"],
  keystorePassword: ["HOMEPRICE_KEYSTORE_PASSWORD", " with spaces ", " with spaces "],
  keystorePasswordFile: ["HOMEPRICE_KEYSTORE_PASSWORD_FILE", "password", "password"],
  remoteSignerUrl: ["HOMEPRICE_REMOTE_SIGNER_URL", "https://signer.example", "https://signer.example"],
  remoteSignerUrlFile: ["HOMEPRICE_REMOTE_SIGNER_URL_FILE", "url", "url"],
  senderAddress: ["HOMEPRICE_SENDER_ADDRESS", ADDRESS, ADDRESS],
  maxFeePerGasGwei: ["HOMEPRICE_MAX_FEE_PER_GAS_GWEI", "0.000000001", "0.000000001"],
  dailyBudget: ["HOMEPRICE_DAILY_BUDGET", "0.25", "0.25"],
  finality: ["HOMEPRICE_FINALITY", "12", 12],
  stuckAfterSeconds: ["HOMEPRICE_STUCK_AFTER_SECONDS", "45", 45],
  balanceWarningDays: ["HOMEPRICE_BALANCE_WARNING_DAYS", "30", 30],
  chains: ["HOMEPRICE_CHAINS_BASE_CHAIN_ID", "8453", { base: { chainId: 8453 } }],
  markets: ["HOMEPRICE_MARKETS", "7,5503877:sales", [{ marketId: 7n }, { marketId: 5_503_877n, kind: "sales" }]],
  kinds: ["HOMEPRICE_KINDS", "rental", ["rental"]],
  signerPublicKey: ["HOMEPRICE_SIGNER_PUBLIC_KEY", BYTES_32.toUpperCase().replace("0X", "0x"), BYTES_32],
  layout: ["HOMEPRICE_LAYOUT", JSON.stringify(EXPONENT_LAYOUT), EXPONENT_LAYOUT],
  rentalOffset: ["HOMEPRICE_RENTAL_OFFSET", "1000000000", 1_000_000_000n],
  maxExpiryAfterDateSeconds: ["HOMEPRICE_MAX_EXPIRY_AFTER_DATE_SECONDS", "172800", 172_800],
  quarantineDelaySeconds: ["HOMEPRICE_QUARANTINE_DELAY_SECONDS", "7200", 7_200],
  defaultBandBasisPoints: ["HOMEPRICE_DEFAULT_BAND_BASIS_POINTS", "500", 500],
  schedule: ["HOMEPRICE_SCHEDULE", "45 7 * * *", "45 7 * * *"],
  timeZone: ["HOMEPRICE_TIME_ZONE", "Europe/Berlin", "Europe/Berlin"],
  editionLateAt: ["HOMEPRICE_EDITION_LATE_AT", "10:15", "10:15"],
  requestTimeoutSeconds: ["HOMEPRICE_REQUEST_TIMEOUT_SECONDS", "5", 5],
  receiptTimeoutSeconds: ["HOMEPRICE_RECEIPT_TIMEOUT_SECONDS", "60", 60],
  maxUpdatesPerTransaction: ["HOMEPRICE_MAX_UPDATES_PER_TRANSACTION", "50", 50],
  maxGasPerTransaction: ["HOMEPRICE_MAX_GAS_PER_TRANSACTION", "8000000", 8_000_000],
  store: ["HOMEPRICE_STORE", "postgres://user:secret@db/prices", "postgres://user:secret@db/prices"],
  storeFile: ["HOMEPRICE_STORE_FILE", "url", "url"],
  archiveDays: ["HOMEPRICE_ARCHIVE_DAYS", "0", 0],
  deploymentsDirectory: ["HOMEPRICE_DEPLOYMENTS_DIRECTORY", "/etc/homeprice", "/etc/homeprice"],
  owner: ["HOMEPRICE_OWNER", ADDRESS, ADDRESS],
  guardian: ["HOMEPRICE_GUARDIAN", ADDRESS, ADDRESS],
  signerDelaySeconds: ["HOMEPRICE_SIGNER_DELAY_SECONDS", "3600", 3600],
  listen: ["HOMEPRICE_LISTEN", "127.0.0.1:9464", "127.0.0.1:9464"],
  webhookUrl: ["HOMEPRICE_WEBHOOK_URL", "https://hooks.example/T0/B0", "https://hooks.example/T0/B0"],
  webhookUrlFile: ["HOMEPRICE_WEBHOOK_URL_FILE", "url", "url"],
  heartbeatUrl: ["HOMEPRICE_HEARTBEAT_URL", "https://beat.example/1a", "https://beat.example/1a"],
  heartbeatUrlFile: ["HOMEPRICE_HEARTBEAT_URL_FILE", "url", "url"],
  heartbeatMinutes: ["HOMEPRICE_HEARTBEAT_MINUTES", "10", 10],
  alertRepeatHours: ["HOMEPRICE_ALERT_REPEAT_HOURS", "6", 6],
  logFormat: ["HOMEPRICE_LOG_FORMAT", "json", "json"],
};

/** What a variable needs beside it, to be of use. */
const COMPANIONS: Partial<Record<ConfigurationKey, Readonly<Record<string, string>>>> = {
  remoteSignerUrl: { HOMEPRICE_SENDER_ADDRESS: ADDRESS },
  remoteSignerUrlFile: { HOMEPRICE_SENDER_ADDRESS: ADDRESS },
};

/** Keys that name the file of a secret. */
const SECRET_FILES = CONFIGURATION_KEYS.filter(
  (key) => (CONFIGURATION_KEYS as string[]).includes(key.replace(/File$/, "")) && key.endsWith("File"),
);

/** Keys that have one variable; those of chains have one for each. */
const KEYS_OF_ONE_VARIABLE = CONFIGURATION_KEYS.filter((key) => key !== "chains");

test("each key has one environment spelling, and no two share one", () => {
  expect(Object.keys(VARIABLES).toSorted()).toEqual([...CONFIGURATION_KEYS].toSorted());
  for (const key of KEYS_OF_ONE_VARIABLE) expect(environmentNameOf(key)).toBe(VARIABLES[key][0]);
  expect(new Set(KEYS_OF_ONE_VARIABLE.map((key) => environmentNameOf(key))).size).toBe(KEYS_OF_ONE_VARIABLE.length);
});

test.each(CONFIGURATION_KEYS)("%s is read from its variable", async (key) => {
  const [name, text, value] = VARIABLES[key];
  const folder = await folderWith({
    "api.key": "k2",
    "sender.key": BYTES_32,
    password: "p",
    url: "https://user:secret@somewhere.example",
    ...(key === "storeFile" && { url: "postgres://user:secret@db/prices" }),
  });
  const isFile = SECRET_FILES.includes(key);
  const given = isFile ? `${folder}/${text}` : text;
  const configuration = await load("", { ...COMPANIONS[key], [name]: given });
  expect(configuration[key]).toEqual(isFile ? given : value);
});

test("all of them together make one configuration", async () => {
  // Of the places where a key can be only one can be meant, and with chains there is none at the top level.
  const left = ["chains", "rpcUrl", "chainId", "oracleAddress", "keystoreFile", "remoteSignerUrl", ...SECRET_FILES];
  const together = CONFIGURATION_KEYS.filter((key) => !left.includes(key));
  const environment = Object.fromEntries([...together, "chains" as const].map((key) => VARIABLES[key].slice(0, 2)));
  const configuration = await load("markets: [99]\nidPrefix: other", environment);
  for (const key of together) expect(configuration[key], key).toEqual(VARIABLES[key][2]);
});

describe("the keys of chains", () => {
  test("each has a variable for each chain", async () => {
    for (const key of CHAIN_KEYS) {
      const name = environmentNameOf(key, "base2");
      expect(name).toBe(VARIABLES[key][0].replace("HOMEPRICE_", "HOMEPRICE_CHAINS_BASE2_"));
      const text = VARIABLES[key][1];
      expect(readEnvironment({ [name]: text })).toEqual({
        chains: { base2: { [key]: readEnvironment({ [VARIABLES[key][0]]: text })[key] } },
      });
    }
  });

  test("whatever the chain is called, its variables are its own and nobody else's", () => {
    const chainName = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const names = fc.uniqueArray(chainName, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(names, fc.subarray([...CHAIN_KEYS], { minLength: 1 }), (chainNames, keys) => {
        const pairs = chainNames.flatMap((name) => keys.map((key) => ({ name, key })));
        const environment = Object.fromEntries(
          pairs.map(({ name, key }) => [environmentNameOf(key, name), VARIABLES[key][1]]),
        );
        expect(Object.keys(environment)).toHaveLength(pairs.length);
        expect(unknownVariables(environment)).toEqual([]);
        const { chains } = readEnvironment(environment);
        expect(Object.keys(chains as object).toSorted()).toEqual(chainNames.toSorted());
        for (const values of Object.values(chains as object)) {
          expect(Object.keys(values).toSorted()).toEqual(keys.toSorted());
        }
      }),
    );
  });

  test("add to the file's chains and come before them", async () => {
    const yaml = "chains:\n  base: { chainId: 8453, rpcUrl: http://a.example }\n  home: { chainId: 31337 }";
    const configuration = await load(yaml, {
      HOMEPRICE_CHAINS_BASE_RPC_URL: "http://b.example,http://c.example",
      HOMEPRICE_CHAINS_ARBITRUM_CHAIN_ID: "42161",
      HOMEPRICE_CHAINS_HOME_CHAIN_ID: "",
    });
    expect(configuration.chains).toEqual({
      base: { chainId: 8453, rpcUrl: ["http://b.example", "http://c.example"] },
      home: { chainId: 31337 },
      arbitrum: { chainId: 42161 },
    });
  });
});

describe("variables that are none of ours", () => {
  test.each([
    ["HOMEPRICE_RPCURL", "HOMEPRICE_RPC_URL"],
    ["HOMEPRICE_ORACLE_ADRESS", "HOMEPRICE_ORACLE_ADDRESS"],
    ["HOMEPRICE_CHAINS_BASE_RPCURL", "HOMEPRICE_CHAINS_BASE_RPC_URL"],
    ["HOMEPRICE_CHAIN_BASE_RPC_URL", "HOMEPRICE_CHAINS_BASE_RPC_URL"],
    ["HOMEPRICE_CHAINS_BASE_PRIVATEKEY_FILE", "HOMEPRICE_CHAINS_BASE_PRIVATE_KEY_FILE"],
    // No key of a chain.
    ["HOMEPRICE_CHAINS_BASE_API_KEY", undefined],
    ["HOMEPRICE_CHAINS", undefined],
    ["HOMEPRICE_SOMETHING_ALTOGETHER_ELSE", undefined],
  ])("%s: most likely meant is %s", (name, nearest) => {
    const [found] = unknownVariables({ [name]: "x", HOMEPRICE_RPC_URL: "http://a.example", PATH: "" });
    expect(found?.name).toBe(name);
    if (nearest !== undefined) expect(found?.nearest).toBe(nearest);
    expect(readEnvironment({ [name]: "x" })).toEqual({});
  });

  test("are told with the one that was meant", () => {
    const told = unknownVariables({ HOMEPRICE_RPCURL: "x", HOMEPRICE_QQQQQQQQQQ: "x" }).map(describeUnknownVariable);
    expect(told).toEqual([
      "HOMEPRICE_RPCURL is no variable of ours and has no effect; did you mean HOMEPRICE_RPC_URL?",
      "HOMEPRICE_QQQQQQQQQQ is no variable of ours and has no effect",
    ]);
  });
});
