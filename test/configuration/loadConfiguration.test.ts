import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfiguration } from "../../relayer/configuration/loadConfiguration.ts";
import { wantedFeeds } from "../../relayer/configuration/wantedFeeds.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { folderWith, load, problemOf } from "./configurationFolder.ts";

const KEY = `0x${"1a".repeat(32)}`;
const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

describe("where values come from", () => {
  test("without any, the defaults of the design", async () => {
    const workingDirectory = await folderWith();
    expect(await loadConfiguration({ environment: {}, workingDirectory })).toEqual({
      idPrefix: "svc",
      responseFields: {
        items: "items",
        account: "account",
        date: "date",
        price: "price",
        publishTime: "publish_timestamp",
        publishTimeUnit: "ms",
        expiry: "expiry",
        expiryUnit: "ms",
        signature: "signature",
        publicKey: "public_key",
        message: "message",
      },
      requestSpelling: "specification",
      nationwideMarketId: 5_826_765n,
      kinds: ["sales", "rental"],
      layout: DEFAULT_LAYOUT,
      rentalOffset: 2_000_000_000n,
      maxExpiryAfterDateSeconds: 259_200,
      quarantineDelaySeconds: 21_600,
      defaultBandBasisPoints: 0,
      schedule: "30 7 * * *",
      timeZone: "America/New_York",
      requestTimeoutSeconds: 30,
      receiptTimeoutSeconds: 180,
      stuckAfterSeconds: 90,
      balanceWarningDays: 14,
      maxUpdatesPerTransaction: 100,
      maxGasPerTransaction: 16_000_000,
      editionLateAt: "09:00",
      archiveDays: 400,
      heartbeatMinutes: 5,
      alertRepeatHours: 24,
    });
  });

  test("the environment wins over the file, key by key", async () => {
    const configuration = await load("chainId: 1\nmarkets: [7, 8]\nkinds: [sales]", {
      HOMEPRICE_MARKETS: "9",
      HOMEPRICE_API_URL: "https://prices.example",
    });
    expect(configuration).toMatchObject({
      chainId: 1,
      markets: [{ marketId: 9n }],
      kinds: ["sales"],
      apiUrl: "https://prices.example",
    });
  });

  test("a variable that is empty or blank is not set", async () => {
    const configuration = await load("chainId: 1", { HOMEPRICE_CHAIN_ID: "", HOMEPRICE_MARKETS: "  " });
    expect(configuration).toMatchObject({ chainId: 1 });
    expect(configuration.markets).toBeUndefined();
  });

  test("other variables do not matter", async () => {
    expect(await load("chainId: 5", { CHAIN_ID: "6", HOMEPRICE_LOG_LEVEL: "debug" })).toMatchObject({ chainId: 5 });
  });

  test.each(["homeprice.config.yaml", "homeprice.config.yml", "homeprice.config.json"])(
    "%s is found by itself",
    async (name) => {
      const workingDirectory = await folderWith({ [name]: '{"chainId": 10}' });
      expect(await loadConfiguration({ environment: {}, workingDirectory })).toMatchObject({ chainId: 10 });
    },
  );

  test("a file that is named is read instead, from wherever it is", async () => {
    const elsewhere = await folderWith({ "other.json": '{"chainId": 11}' });
    const workingDirectory = await folderWith({ "homeprice.config.yaml": "chainId: 10" });
    const file = join(elsewhere, "other.json");
    expect(await loadConfiguration({ file, environment: {}, workingDirectory })).toMatchObject({ chainId: 11 });
  });

  test("a file that is named and not there is a mistake", async () => {
    const workingDirectory = await folderWith({ "homeprice.config.yaml": "chainId: 10" });
    const problem = await problemOf(loadConfiguration({ file: "missing.yaml", environment: {}, workingDirectory }));
    expect(problem).toMatchObject({
      code: "CONFIGURATION_FILE_UNREADABLE",
      kind: "configuration",
      message: "the configuration file missing.yaml cannot be read",
    });
  });

  test("an empty file says nothing", async () => {
    expect(await load("# nothing yet\n")).toMatchObject({ idPrefix: "svc" });
  });

  test.each([
    ["a: [", "is not valid YAML (line 1)"],
    ["- 7", "holds no keys"],
    ["just words", "holds no keys"],
  ])("%j is no configuration file", async (yaml, words) => {
    const problem = await problemOf(load(yaml));
    expect(problem.code).toBe("CONFIGURATION_FILE_INVALID");
    expect(problem.message).toContain(words);
  });

  test("broken JSON is said to be JSON", async () => {
    const workingDirectory = await folderWith({ "homeprice.config.json": "{" });
    const problem = await problemOf(loadConfiguration({ environment: {}, workingDirectory }));
    expect(problem.message).toBe("homeprice.config.json is not valid JSON");
  });
});

describe("values", () => {
  test("markets may name one kind", async () => {
    const { markets, kinds } = await load("markets: [5503877:sales, 5826765, '7']");
    expect(wantedFeeds({ markets, kinds })).toEqual([
      { marketId: 5_503_877n, kind: "sales" },
      { marketId: 5_826_765n, kind: "sales" },
      { marketId: 5_826_765n, kind: "rental" },
      { marketId: 7n, kind: "sales" },
      { marketId: 7n, kind: "rental" },
    ]);
  });

  test("a feed that is named twice is wanted once", async () => {
    const { markets, kinds } = await load("", { HOMEPRICE_MARKETS: "7, 7:sales,7:rental,7", HOMEPRICE_KINDS: "sales" });
    expect(wantedFeeds({ markets, kinds })).toEqual([
      { marketId: 7n, kind: "sales" },
      { marketId: 7n, kind: "rental" },
    ]);
  });

  test("no market is a mistake where feeds are wanted", async () => {
    const { markets, kinds } = await load("");
    expect(() => wantedFeeds({ markets, kinds })).toThrow("no market is configured");
  });

  test("one RPC endpoint or several, in order", async () => {
    expect(await load("rpcUrl: http://one.example")).toMatchObject({ rpcUrl: ["http://one.example"] });
    const several = { HOMEPRICE_RPC_URL: "https://one.example/key, http://127.0.0.1:8545" };
    expect(await load("", several)).toMatchObject({ rpcUrl: ["https://one.example/key", "http://127.0.0.1:8545"] });
  });

  test("a layout comes as YAML, or as JSON in the environment", async () => {
    const json = JSON.stringify(EXPONENT_LAYOUT);
    expect((await load(`layout: ${json}`)).layout).toEqual(EXPONENT_LAYOUT);
    expect((await load("", { HOMEPRICE_LAYOUT: json })).layout).toEqual(EXPONENT_LAYOUT);
  });

  test("names of response fields are filled up", async () => {
    const { responseFields } = await load("", {
      HOMEPRICE_RESPONSE_FIELDS: '{"date":"as_of","signature":"signed.sig"}',
    });
    expect(responseFields).toMatchObject({ date: "as_of", signature: "signed.sig", price: "price" });
  });

  test("an address or key may stand in YAML without quotes", async () => {
    const configuration = await load(`oracleAddress: ${ADDRESS}\nsignerPublicKey: ${KEY}`);
    expect(configuration).toMatchObject({ oracleAddress: ADDRESS, signerPublicKey: KEY });
  });
});

describe("what cannot work", () => {
  test("an unknown key is named, beside those that are known", async () => {
    const problem = await problemOf(load("market: [7]\nchainid: 1"));
    expect(problem).toMatchObject({ code: "INVALID_CONFIGURATION", kind: "configuration" });
    expect(problem.message).toContain("unknown key market, chainid (known: apiUrl, ");
  });

  test.each<[string, string, string]>([
    [
      "HOMEPRICE_API_URL",
      "ftp://prices.example",
      "HOMEPRICE_API_URL: must be a URL that begins with http:// or https://",
    ],
    ["HOMEPRICE_RPC_URL", "http://a.example,b", "HOMEPRICE_RPC_URL at [1]: must be a URL"],
    ["HOMEPRICE_CHAIN_ID", "mainnet", "HOMEPRICE_CHAIN_ID: "],
    ["HOMEPRICE_CHAIN_ID", "0", "HOMEPRICE_CHAIN_ID: "],
    ["HOMEPRICE_CHAIN_ID", "0x1", "HOMEPRICE_CHAIN_ID: "],
    ["HOMEPRICE_ORACLE_ADDRESS", ADDRESS.slice(0, -1), "HOMEPRICE_ORACLE_ADDRESS: must be a 20-byte address"],
    ["HOMEPRICE_MARKETS", "7,Denver", "HOMEPRICE_MARKETS at [1]: must be a market id"],
    ["HOMEPRICE_MARKETS", "7:lease", "HOMEPRICE_MARKETS at [0]: must be a market id"],
    ["HOMEPRICE_MARKETS", "7,,8", "HOMEPRICE_MARKETS at [1]: must be a market id"],
    ["HOMEPRICE_KINDS", "sales,lease", "HOMEPRICE_KINDS at [1]: "],
    ["HOMEPRICE_SIGNER_PUBLIC_KEY", "0x12", "HOMEPRICE_SIGNER_PUBLIC_KEY: must be 32 bytes as 0x-hex"],
    ["HOMEPRICE_LAYOUT", "little-endian", "HOMEPRICE_LAYOUT: "],
    ["HOMEPRICE_LAYOUT", '{"date":{"offset":0}}', "HOMEPRICE_LAYOUT at feedId: "],
    ["HOMEPRICE_RESPONSE_FIELDS", '{"prise":"p"}', "HOMEPRICE_RESPONSE_FIELDS: "],
    ["HOMEPRICE_MAX_EXPIRY_AFTER_DATE_SECONDS", "259201", "HOMEPRICE_MAX_EXPIRY_AFTER_DATE_SECONDS: "],
    ["HOMEPRICE_MAX_UPDATES_PER_TRANSACTION", "0", "HOMEPRICE_MAX_UPDATES_PER_TRANSACTION: "],
    ["HOMEPRICE_MAX_GAS_PER_TRANSACTION", "99999999999999999999", "HOMEPRICE_MAX_GAS_PER_TRANSACTION: "],
    ["HOMEPRICE_ID_PREFIX", "s v c", "HOMEPRICE_ID_PREFIX: must be a word"],
    // Beyond what a timer can wait for, it would not wait at all.
    ["HOMEPRICE_REQUEST_TIMEOUT_SECONDS", "2147484", "HOMEPRICE_REQUEST_TIMEOUT_SECONDS: "],
    ["HOMEPRICE_RECEIPT_TIMEOUT_SECONDS", "2147484", "HOMEPRICE_RECEIPT_TIMEOUT_SECONDS: "],
    // No contract takes these: feed ids of both kinds would not exist, or not fit.
    ["HOMEPRICE_RENTAL_OFFSET", "0", "HOMEPRICE_RENTAL_OFFSET: "],
    ["HOMEPRICE_RENTAL_OFFSET", "1", "HOMEPRICE_RENTAL_OFFSET: "],
    ["HOMEPRICE_RENTAL_OFFSET", (2n ** 62n + 1n).toString(), "HOMEPRICE_RENTAL_OFFSET: "],
    // Told now, not after the service has been paid for prices.
    ["HOMEPRICE_SCHEDULE", "at half past seven", "HOMEPRICE_SCHEDULE: "],
    ["HOMEPRICE_TIME_ZONE", "America/Gotham", "HOMEPRICE_TIME_ZONE: "],
    ["HOMEPRICE_EDITION_LATE_AT", "9:00", "HOMEPRICE_EDITION_LATE_AT: must be a time of day"],
    ["HOMEPRICE_FINALITY", "safe", "HOMEPRICE_FINALITY: must be finalized, or a number of blocks"],
    ["HOMEPRICE_MAX_FEE_PER_GAS_GWEI", "0", "HOMEPRICE_MAX_FEE_PER_GAS_GWEI: must be more than zero"],
    ["HOMEPRICE_MAX_FEE_PER_GAS_GWEI", "1e2", "HOMEPRICE_MAX_FEE_PER_GAS_GWEI: must be more than zero"],
    ["HOMEPRICE_MAX_FEE_PER_GAS_GWEI", "0.0000000001", "with at most 9 decimals"],
    ["HOMEPRICE_DAILY_BUDGET", "-1", "HOMEPRICE_DAILY_BUDGET: must be more than zero"],
    ["HOMEPRICE_LISTEN", "localhost", "HOMEPRICE_LISTEN: must be host:port"],
    ["HOMEPRICE_LISTEN", "[::1]:70000", "HOMEPRICE_LISTEN: must be host:port"],
    ["HOMEPRICE_STORE", "mysql://db/prices", "HOMEPRICE_STORE: must be the path of a file, or a URL"],
    ["HOMEPRICE_WEBHOOK_URL", "hooks.example", "HOMEPRICE_WEBHOOK_URL: must be a URL"],
    ["HOMEPRICE_HEARTBEAT_URL", "ftp://beat.example", "HOMEPRICE_HEARTBEAT_URL: must be a URL"],
    ["HOMEPRICE_REMOTE_SIGNER_URL", "signer:9000", "HOMEPRICE_REMOTE_SIGNER_URL: must be a URL"],
    ["HOMEPRICE_LOG_FORMAT", "xml", "HOMEPRICE_LOG_FORMAT: "],
    ["HOMEPRICE_CHAINS_BASE_RPC_URL", "http://a.example,b", "HOMEPRICE_CHAINS_BASE_RPC_URL at [1]: must be a URL"],
    ["HOMEPRICE_CHAINS_BASE_CHAIN_ID", "base", "HOMEPRICE_CHAINS_BASE_CHAIN_ID: "],
  ])("%s=%s", async (name, value, words) => {
    const problem = await problemOf(load("", { [name]: value }));
    expect(problem).toMatchObject({ code: "INVALID_CONFIGURATION", kind: "configuration" });
    expect(problem.message).toContain(words);
  });

  test.each([
    ["chainId: one", "chainId: "],
    ["markets: 7", "markets: "],
    ["markets: [Denver]", "markets at [0]: must be a market id"],
    ["kinds: [sales, lease]", "kinds at [1]: "],
    ["rpcUrl: [http://a.example, b]", "rpcUrl at [1]: "],
    ["responseFields: { date: 5 }", "responseFields at date: "],
    ["apiKeyFile: 5", "apiKeyFile: "],
    ["maxFeePerGasGwei: 0.5", "maxFeePerGasGwei: must be more than zero: a whole number, or decimal text in quotes"],
    ["chains: [1]", "chains: "],
    ["chains: {}", "chains: must have a chain"],
    ["chains: { base: 5 }", "chains.base: "],
    ["chains: { Base: { chainId: 1 } }", "chains.Base: must be a name of lower-case letters and digits"],
    ["chains: { base: { chainId: 1, rpcURL: x } }", "chains.base: unknown key rpcURL (known: rpcUrl, chainId"],
    ["chains: { base: { chainId: one } }", "chains.base.chainId: "],
    ["chains: { base: { chainId: 1, rpcUrl: [http://a.example, b] } }", "chains.base.rpcUrl at [1]: must be a URL"],
  ])("a file with %s", async (yaml, words) => {
    const problem = await problemOf(load(yaml));
    expect(problem).toMatchObject({ code: "INVALID_CONFIGURATION" });
    expect(problem.message).toContain(words);
  });

  test("every mistake is told at once", async () => {
    const { message } = await problemOf(load("chainId: one", { HOMEPRICE_MARKETS: "x", HOMEPRICE_KINDS: "y" }));
    expect(message).toContain("chainId: ");
    expect(message).toContain("HOMEPRICE_MARKETS at [0]: ");
    expect(message).toContain("HOMEPRICE_KINDS at [0]: ");
  });

  test.each(["0", "2000000000", "2005826765"])("market id %s, which is no market's", async (id) => {
    const problem = await problemOf(load("", { HOMEPRICE_MARKETS: `7,${id}` }));
    expect(problem).toMatchObject({
      code: "INVALID_ID",
      kind: "configuration",
      message: `market id ${id} is not a valid id`,
    });
  });

  test("a market id that collides with another offset", async () => {
    const problem = await problemOf(load("rentalOffset: 5000000\nmarkets: [5826765]"));
    expect(problem.code).toBe("INVALID_ID");
  });

  test("a layout that cannot be", async () => {
    const layout = { ...EXPONENT_LAYOUT, padding: [] };
    const problem = await problemOf(load("", { HOMEPRICE_LAYOUT: JSON.stringify(layout) }));
    expect(problem).toMatchObject({
      code: "INVALID_LAYOUT",
      kind: "configuration",
      message: "the message layout cannot be: bytes 49 to 58, between constants[0] and constants[1], are not covered",
    });
  });

  test("a layout without room for the offset", async () => {
    const problem = await problemOf(
      load(`rentalOffset: "4611686018427387904"\nlayout: ${JSON.stringify(EXPONENT_LAYOUT)}`),
    );
    expect(problem.message).toContain("no room for rental feed ids");
  });
});

describe("secrets", () => {
  const SECRET = "s3cr3t-0f-the-tests";

  test("come from the environment, or from a file that it names", async () => {
    expect(await load("", { HOMEPRICE_API_KEY: SECRET, HOMEPRICE_PRIVATE_KEY: KEY })).toMatchObject({
      apiKey: SECRET,
      privateKey: KEY,
    });
    const folder = await folderWith({ key: `${SECRET}\n`, sender: `  ${KEY.toUpperCase().replace("0X", "0x")}\n` });
    const files = { HOMEPRICE_API_KEY_FILE: join(folder, "key"), HOMEPRICE_PRIVATE_KEY_FILE: join(folder, "sender") };
    expect(await load("", files)).toMatchObject({ apiKey: SECRET, privateKey: KEY });
  });

  test("a path in the configuration file begins at that file, one in the environment where the command runs", async () => {
    const conf = await folderWith({ "homeprice.config.yaml": "apiKeyFile: key", key: "beside the file" });
    const workingDirectory = await folderWith({ key: "beside the command" });
    const file = join(conf, "homeprice.config.yaml");
    expect(await loadConfiguration({ file, environment: {}, workingDirectory })).toMatchObject({
      apiKey: "beside the file",
    });
    const environment = { HOMEPRICE_API_KEY_FILE: "key" };
    expect(await loadConfiguration({ file, environment, workingDirectory })).toMatchObject({
      apiKey: "beside the command",
    });
  });

  test("the environment itself wins over a file", async () => {
    const environment = { HOMEPRICE_API_KEY: SECRET, HOMEPRICE_API_KEY_FILE: "/nowhere" };
    expect(await load("", environment)).toMatchObject({ apiKey: SECRET });
  });

  test.each(["apiKey", "privateKey"])("%s in the configuration file is refused, not shown", async (name) => {
    const problem = await problemOf(load(`${name}: ${SECRET}`));
    expect(problem).toMatchObject({ code: "SECRET_IN_FILE", kind: "configuration" });
    expect(problem.message).toContain(`homeprice.config.yaml holds ${name}`);
    expect(problem.message + problem.hint).not.toContain(SECRET);
  });

  test("a file that cannot be read is named by its key, not shown by its path", async () => {
    const problem = await problemOf(load("", { HOMEPRICE_PRIVATE_KEY_FILE: `/nowhere/${SECRET}` }));
    expect(problem).toMatchObject({ code: "SECRET_FILE_UNREADABLE", kind: "configuration" });
    expect(problem.message).toContain("privateKeyFile");
    expect(problem.message + problem.hint).not.toContain(SECRET);
  });

  test("a bad private key is told by the variable that holds it", async () => {
    const problem = await problemOf(load("", { HOMEPRICE_PRIVATE_KEY: SECRET }));
    expect(problem.message).toBe("HOMEPRICE_PRIVATE_KEY: must be 32 bytes as 0x-hex");
  });

  test("a bad private key in a file is told by the key or variable that names the file", async () => {
    const folder = await folderWith({ sender: SECRET });
    const path = join(folder, "sender");
    const ofVariable = await problemOf(load("", { HOMEPRICE_PRIVATE_KEY_FILE: path }));
    expect(ofVariable.message).toContain("HOMEPRICE_PRIVATE_KEY_FILE");
    const ofKey = await problemOf(load(`privateKeyFile: ${path}`));
    expect(ofKey.message).toContain("privateKeyFile");
    expect(ofVariable.message + ofKey.message).not.toContain(SECRET);
  });

  test("no message shows a value, wherever a secret was put by mistake", async () => {
    const names = [
      ...["API_URL", "RPC_URL", "CHAIN_ID", "ORACLE_ADDRESS", "PRIVATE_KEY", "MARKETS", "KINDS", "SIGNER_PUBLIC_KEY"],
      ...["LAYOUT", "RESPONSE_FIELDS", "RENTAL_OFFSET", "MAX_GAS_PER_TRANSACTION", "OWNER", "GUARDIAN"],
    ];
    for (const name of names) {
      const problem = await problemOf(load("", { [`HOMEPRICE_${name}`]: SECRET }));
      expect(`${problem.message} ${problem.hint} ${problem.stack}`, name).not.toContain(SECRET);
    }
  });
});
