import { expect, test } from "vitest";
import { CONFIGURATION_KEYS, type ConfigurationKey } from "../../relayer/configuration/configurationSchema.ts";
import { environmentNameOf } from "../../relayer/configuration/environment.ts";
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
  requestTimeoutSeconds: ["HOMEPRICE_REQUEST_TIMEOUT_SECONDS", "5", 5],
  receiptTimeoutSeconds: ["HOMEPRICE_RECEIPT_TIMEOUT_SECONDS", "60", 60],
  maxUpdatesPerTransaction: ["HOMEPRICE_MAX_UPDATES_PER_TRANSACTION", "50", 50],
  maxGasPerTransaction: ["HOMEPRICE_MAX_GAS_PER_TRANSACTION", "8000000", 8_000_000],
  store: ["HOMEPRICE_STORE", "/var/lib/homeprice", "/var/lib/homeprice"],
  deploymentsDirectory: ["HOMEPRICE_DEPLOYMENTS_DIRECTORY", "/etc/homeprice", "/etc/homeprice"],
  owner: ["HOMEPRICE_OWNER", ADDRESS, ADDRESS],
  guardian: ["HOMEPRICE_GUARDIAN", ADDRESS, ADDRESS],
  signerDelaySeconds: ["HOMEPRICE_SIGNER_DELAY_SECONDS", "3600", 3600],
};

test("each key has one environment spelling, and no two share one", () => {
  expect(Object.keys(VARIABLES).toSorted()).toEqual([...CONFIGURATION_KEYS].toSorted());
  for (const key of CONFIGURATION_KEYS) expect(environmentNameOf(key)).toBe(VARIABLES[key][0]);
  expect(new Set(CONFIGURATION_KEYS.map(environmentNameOf)).size).toBe(CONFIGURATION_KEYS.length);
});

test.each(CONFIGURATION_KEYS)("%s is read from its variable", async (key) => {
  const [name, text, value] = VARIABLES[key];
  const folder = await folderWith({ "api.key": "k2", "sender.key": BYTES_32 });
  const isFile = key === "apiKeyFile" || key === "privateKeyFile";
  const given = isFile ? `${folder}/${text}` : text;
  const configuration = await load("", { [name]: given });
  expect(configuration[key]).toEqual(isFile ? given : value);
});

test("all of them together make one configuration", async () => {
  const environment = Object.fromEntries(
    Object.values(VARIABLES)
      .filter(([name]) => !name.endsWith("_KEY_FILE"))
      .map(([name, text]) => [name, text]),
  );
  const configuration = await load("chainId: 1\nmarkets: [99]\nidPrefix: other", environment);
  for (const key of CONFIGURATION_KEYS) {
    if (!key.endsWith("KeyFile")) expect(configuration[key], key).toEqual(VARIABLES[key][2]);
  }
});
