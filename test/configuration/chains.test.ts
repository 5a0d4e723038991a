import { join } from "node:path";
import fc from "fast-check";
import { parseEther, parseGwei } from "viem";
import { describe, expect, test } from "vitest";
import { chainsOf } from "../../relayer/configuration/chainConfiguration.ts";
import { chainNamed } from "../../relayer/configuration/chainNamed.ts";
import { chainSettings } from "../../relayer/configuration/chainSettings.ts";
import { loadConfiguration } from "../../relayer/configuration/loadConfiguration.ts";
import { secretValuesOf } from "../../relayer/configuration/secretValues.ts";
import { folderWith, load, problemOf } from "./configurationFolder.ts";

const KEY = `0x${"1a".repeat(32)}`;
const OTHER_KEY = `0x${"2b".repeat(32)}`;
const ADDRESS = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const OTHER_ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Two chains with an endpoint each, and what else is said. */
function twoChains(base = "", home = "", topLevel = ""): string {
  return `${topLevel}
chains:
  base: { chainId: 8453, rpcUrl: http://base.example${base && `, ${base}`} }
  home: { chainId: 31337, rpcUrl: http://home.example${home && `, ${home}`} }`;
}

describe("what a chain takes from the top level", () => {
  test("is what it does not say itself", async () => {
    const configuration = await load(
      twoChains(
        "stuckAfterSeconds: 30, dailyBudget: 5",
        "",
        "stuckAfterSeconds: 60\nmaxFeePerGasGwei: 7\nkinds: [sales]",
      ),
      { HOMEPRICE_PRIVATE_KEY: KEY },
    );
    expect(chainsOf(configuration)).toMatchObject([
      { chainName: "base", chainId: 8453, rpcUrl: ["http://base.example"], stuckAfterSeconds: 30, dailyBudget: "5" },
      { chainName: "home", chainId: 31337, rpcUrl: ["http://home.example"], stuckAfterSeconds: 60 },
    ]);
    for (const chain of chainsOf(configuration)) {
      expect(chain).toMatchObject({ maxFeePerGasGwei: "7", kinds: ["sales"], privateKey: KEY, balanceWarningDays: 14 });
    }
  });

  test("is no key of a sender where it has one of its own", async () => {
    const configuration = await load(twoChains(), {
      HOMEPRICE_PRIVATE_KEY: KEY,
      HOMEPRICE_SENDER_ADDRESS: ADDRESS,
      HOMEPRICE_CHAINS_BASE_KEYSTORE_FILE: "/keystore.json",
      HOMEPRICE_KEYSTORE_PASSWORD: "one for all",
    });
    const [base, home] = chainsOf(configuration);
    expect(base).toMatchObject({ keystoreFile: "/keystore.json", keystorePassword: "one for all" });
    expect(base).toMatchObject({ privateKey: undefined, senderAddress: undefined });
    expect(home).toMatchObject({ privateKey: KEY, senderAddress: ADDRESS });
    expect(home?.keystoreFile).toBeUndefined();
  });

  test("may be a remote signer, with an address of its own for each", async () => {
    const configuration = await load(
      twoChains(
        `senderAddress: "${ADDRESS}"`,
        `senderAddress: "${OTHER_ADDRESS}"`,
        "remoteSignerUrl: http://signer.example",
      ),
    );
    expect(chainsOf(configuration)).toMatchObject([
      { remoteSignerUrl: "http://signer.example", senderAddress: ADDRESS },
      { remoteSignerUrl: "http://signer.example", senderAddress: OTHER_ADDRESS },
    ]);
  });

  test("without names, the top level is the chain", async () => {
    const configuration = await load(`chainId: 5\nrpcUrl: http://a.example\noracleAddress: "${ADDRESS}"`);
    expect(chainsOf(configuration)).toMatchObject([{ chainName: undefined, chainId: 5, oracleAddress: ADDRESS }]);
  });
});

describe("a chain's secrets", () => {
  test("come from the environment, or from files that are named there or in the file", async () => {
    const folder = await folderWith({
      "homeprice.config.yaml": twoChains("privateKeyFile: base.key"),
      "base.key": KEY,
    });
    const elsewhere = await folderWith({ "home.key": `${OTHER_KEY}\n`, password: " with spaces \n" });
    const configuration = await loadConfiguration({
      file: join(folder, "homeprice.config.yaml"),
      environment: {
        HOMEPRICE_CHAINS_HOME_PRIVATE_KEY_FILE: "home.key",
        HOMEPRICE_CHAINS_HOME_KEYSTORE_PASSWORD_FILE: "password",
      },
      workingDirectory: elsewhere,
    });
    expect(configuration.chains).toMatchObject({
      base: { privateKey: KEY },
      home: { privateKey: OTHER_KEY, keystorePassword: " with spaces " },
    });
  });

  test("a keystore's path begins where it was written", async () => {
    const folder = await folderWith({ "homeprice.config.yaml": twoChains("keystoreFile: keys/base.json") });
    const workingDirectory = await folderWith();
    const configuration = await loadConfiguration({
      file: join(folder, "homeprice.config.yaml"),
      environment: { HOMEPRICE_CHAINS_HOME_KEYSTORE_FILE: "keys/home.json" },
      workingDirectory,
    });
    expect(configuration.chains).toMatchObject({
      base: { keystoreFile: join(folder, "keys/base.json") },
      home: { keystoreFile: join(workingDirectory, "keys/home.json") },
    });
  });

  test.each([
    ["privateKey", KEY],
    ["keystorePassword", "s3cr3t-0f-the-tests"],
    ["remoteSignerUrl", "https://user:s3cr3t-0f-the-tests@signer.example"],
  ])("%s in the file is refused by chain and key, not shown", async (key, secret) => {
    const problem = await problemOf(load(twoChains(`${key}: "${secret}"`)));
    expect(problem).toMatchObject({ code: "SECRET_IN_FILE", kind: "configuration" });
    expect(problem.message).toContain(`holds chains.base.${key};`);
    expect(problem.hint).toMatch(/HOMEPRICE_CHAINS_BASE_[A-Z_]+ or chains\.base\.[a-zA-Z]+File/);
    expect(problem.message + problem.hint).not.toContain(secret);
  });

  test("one that is none is called by its chain and source", async () => {
    const { message } = await problemOf(load(twoChains(), { HOMEPRICE_CHAINS_BASE_PRIVATE_KEY: "s3cr3t" }));
    expect(message).toBe("HOMEPRICE_CHAINS_BASE_PRIVATE_KEY: must be 32 bytes as 0x-hex");
    const ofFile = await problemOf(load(twoChains("privateKeyFile: key"), {}, { key: "s3cr3t" }));
    expect(ofFile.message).toBe("chains.base.privateKeyFile: must be 32 bytes as 0x-hex");
  });
});

describe("a store", () => {
  test.each([
    "/var/lib/homeprice/journal.sqlite",
    "journal",
    "postgres://db.example/prices",
    "postgresql://prices@db/prices",
  ])("%s may stand in the file", async (store) => {
    expect(await load(`store: ${store}`)).toMatchObject({ store });
  });

  test.each([
    "postgres://user:s3cr3t@db.example/prices",
    "postgres://db/prices?user=u&password=s3cr3t",
    "postgres://u:s3cr3t@[/x",
  ])("%s may not, and is not shown", async (store) => {
    const problem = await problemOf(load(`store: ${store}`));
    expect(problem).toMatchObject({ code: "SECRET_IN_FILE", kind: "configuration" });
    expect(problem.hint).toContain("HOMEPRICE_STORE or storeFile");
    expect(problem.message + problem.hint).not.toContain("s3cr3t");
  });

  test("with a password comes from the environment, or from a file", async () => {
    const store = "postgres://user:s3cr3t@db.example/prices";
    expect(await load("", { HOMEPRICE_STORE: store })).toMatchObject({ store });
    expect(await load("storeFile: url", {}, { url: `${store}\n` })).toMatchObject({ store });
  });
});

describe("what does not go together", () => {
  test.each<[string, string, Readonly<Record<string, string>>, string, RegExp, RegExp]>([
    [
      "an endpoint at the top level beside chains",
      twoChains("", "", "rpcUrl: http://a.example"),
      {},
      "CHAIN_KEYS_AT_TOP_LEVEL",
      /^rpcUrl stands at the top level, beside chains/,
      /chains\.base\.rpcUrl, HOMEPRICE_CHAINS_BASE_RPC_URL/,
    ],
    [
      "all three of them, from the environment",
      twoChains(),
      { HOMEPRICE_RPC_URL: "http://a.example", HOMEPRICE_CHAIN_ID: "1", HOMEPRICE_ORACLE_ADDRESS: ADDRESS },
      "CHAIN_KEYS_AT_TOP_LEVEL",
      /^HOMEPRICE_RPC_URL, HOMEPRICE_CHAIN_ID, HOMEPRICE_ORACLE_ADDRESS stand at the top level/,
      /under the chain's name/,
    ],
    [
      "a private key and a keystore",
      "keystoreFile: keystore.json",
      { HOMEPRICE_PRIVATE_KEY: KEY },
      "SEVERAL_SENDER_KEYS",
      /^HOMEPRICE_PRIVATE_KEY and keystoreFile each say where the sender's key is$/,
      /Keep the one that is meant/,
    ],
    [
      "a keystore and a remote signer, of one chain",
      twoChains(`keystoreFile: keystore.json, remoteSignerUrl: "http://signer.example", senderAddress: "${ADDRESS}"`),
      {},
      "SEVERAL_SENDER_KEYS",
      /^chains\.base\.keystoreFile and chains\.base\.remoteSignerUrl each say/,
      /Keep the one that is meant/,
    ],
    [
      "a remote signer without an address",
      "",
      { HOMEPRICE_REMOTE_SIGNER_URL: "http://signer.example" },
      "NO_SENDER_ADDRESS",
      /^senderAddress is not set: HOMEPRICE_REMOTE_SIGNER_URL does not say/,
      /HOMEPRICE_SENDER_ADDRESS/,
    ],
    [
      "a remote signer for all, and a chain without an address",
      twoChains(`senderAddress: "${ADDRESS}"`, "", "remoteSignerUrl: http://signer.example"),
      {},
      "NO_SENDER_ADDRESS",
      /^chains\.home\.senderAddress is not set: remoteSignerUrl does not say/,
      /HOMEPRICE_CHAINS_HOME_SENDER_ADDRESS/,
    ],
    [
      "a chain without its id",
      "chains: { base: { rpcUrl: http://a.example } }",
      {},
      "NO_CHAIN_ID",
      /^chains\.base\.chainId is not set$/,
      /HOMEPRICE_CHAINS_BASE_CHAIN_ID/,
    ],
    [
      "one oracle under two names",
      `chains:\n  a: { chainId: 1, oracleAddress: "${ADDRESS}" }\n  b: { chainId: 1, oracleAddress: "${ADDRESS.toLowerCase()}" }`,
      {},
      "SAME_ORACLE_TWICE",
      /^chains\.a and chains\.b are the same oracle: 0x5fbdb.* on chain 1$/,
      /Take one of them away/,
    ],
    [
      "the oracle on record under two names",
      "chains: { a: { chainId: 1 }, b: { chainId: 1 } }",
      {},
      "SAME_ORACLE_TWICE",
      /the one on record on chain 1/,
      /correct its chainId or oracleAddress/,
    ],
  ])("%s", async (_what, yaml, environment, code, message, hint) => {
    const problem = await problemOf(load(yaml, environment));
    expect(problem).toMatchObject({ code, kind: "configuration" });
    expect(problem.message).toMatch(message);
    expect(problem.hint).toMatch(hint);
  });

  test("one sender may serve two oracles on one chain, and one oracle's address be that of another chain", async () => {
    const oracles = `chains:
  a: { chainId: 1, oracleAddress: "${ADDRESS}" }
  b: { chainId: 1, oracleAddress: "${OTHER_ADDRESS}" }
  c: { chainId: 2, oracleAddress: "${ADDRESS}" }`;
    expect(chainsOf(await load(oracles, { HOMEPRICE_PRIVATE_KEY: KEY }))).toHaveLength(3);
  });

  test("a secret in the environment before a file of the same is one source, not two", async () => {
    const environment = { HOMEPRICE_PRIVATE_KEY: KEY };
    expect(await load("privateKeyFile: /nowhere", environment)).toMatchObject({ privateKey: KEY });
  });
});

describe("one chain by its name", () => {
  test("the only one needs no name, and has that of its settings", async () => {
    const configuration = await load("chainId: 5\nrpcUrl: http://a.example");
    expect(chainNamed(configuration)).toMatchObject({ chainId: 5 });
    expect(chainNamed(configuration, chainSettings(configuration)[0]?.name)).toMatchObject({ chainId: 5 });
    expect(chainNamed(await load("chains: { base: { chainId: 1 } }"))).toMatchObject({ chainName: "base" });
  });

  test("of several it has to be said, and said right", async () => {
    const configuration = await load(twoChains());
    expect(chainNamed(configuration, "home")).toMatchObject({ chainName: "home" });
    expect(() => chainNamed(configuration)).toThrow("there are 2 chains: base, home");
    expect(() => chainNamed(configuration, "bass")).toThrow("there is no chain bass; the configuration has base, home");
  });
});

describe("the settings of chains", () => {
  test("where nothing is said, spending is bounded and only what is finalized counts", async () => {
    expect(chainSettings(await load("chainId: 8453\nrpcUrl: http://a.example"))).toEqual([
      {
        name: "8453",
        rpcUrls: ["http://a.example"],
        expectedChainId: 8453,
        oracleAddress: undefined,
        limits: { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n },
        maxFeePerGas: parseGwei("100"),
        dailyBudgetWei: parseEther("1"),
        finality: "finalized",
        stuckAfterMs: 90_000,
        balanceWarningDays: 14,
        requestTimeoutMs: 30_000,
      },
    ]);
  });

  test("a local chain has no bounds, and takes nothing back", async () => {
    const unbounded = { maxFeePerGas: undefined, dailyBudgetWei: undefined, finality: 0 };
    expect(chainSettings(await load("chainId: 31337\nrpcUrl: http://a.example"))).toMatchObject([unbounded]);
    const unsaid = await load("rpcUrl: http://a.example");
    expect(chainSettings(unsaid)).toMatchObject([{ name: "chain", dailyBudgetWei: parseEther("1") }]);
    expect(chainSettings(unsaid, 31337)).toMatchObject([{ name: "31337", expectedChainId: undefined, ...unbounded }]);
    const bounded = await load("chainId: 31337\nrpcUrl: http://a.example\ndailyBudget: 2\nfinality: finalized");
    expect(chainSettings(bounded)).toMatchObject([{ dailyBudgetWei: parseEther("2"), finality: "finalized" }]);
  });

  test("each of several has its own", async () => {
    const configuration = await load(
      twoChains(`oracleAddress: "${ADDRESS}", finality: 12, maxUpdatesPerTransaction: 7`, "", 'dailyBudget: "0.5"'),
    );
    expect(chainSettings(configuration)).toMatchObject([
      {
        name: "base",
        oracleAddress: ADDRESS,
        finality: 12,
        limits: { maxUpdatesPerTransaction: 7, maxGasPerTransaction: 16_000_000n },
        dailyBudgetWei: parseEther("0.5"),
      },
      { name: "home", oracleAddress: undefined, finality: 0, dailyBudgetWei: parseEther("0.5") },
    ]);
  });

  test("a chain without an endpoint is named", async () => {
    const configuration = await load("chains: { base: { chainId: 1 } }");
    expect(() => chainSettings(configuration)).toThrow("no RPC endpoint is configured for chain base");
  });

  test("amounts are exact to the last digit", async () => {
    const amount = fc
      .tuple(fc.bigInt(0n, 10n ** 12n - 1n), fc.stringMatching(/^[0-9]{1,9}$/))
      .filter(([whole, decimals]) => whole > 0n || /[1-9]/.test(decimals));
    await fc.assert(
      fc.asyncProperty(amount, async ([whole, decimals]) => {
        const environment = { HOMEPRICE_MAX_FEE_PER_GAS_GWEI: `${whole}.${decimals}` };
        const [settings] = chainSettings(await load("rpcUrl: http://a.example", environment));
        expect(settings?.maxFeePerGas).toBe(whole * 10n ** 9n + BigInt(decimals.padEnd(9, "0")));
      }),
      { numRuns: 30 },
    );
  });
});

test("everything that nobody else may read is known, wherever it stands", async () => {
  const configuration = await load(twoChains(), {
    HOMEPRICE_API_KEY: "api-key",
    HOMEPRICE_STORE: "postgres://user:s3cr3t@db/prices",
    HOMEPRICE_WEBHOOK_URL: "https://hooks.example/webhook",
    HOMEPRICE_HEARTBEAT_URL: "https://beat.example/heartbeat",
    HOMEPRICE_KEYSTORE_PASSWORD: "for all",
    HOMEPRICE_CHAINS_BASE_PRIVATE_KEY: KEY,
    HOMEPRICE_CHAINS_BASE_RPC_URL: "https://a.example/key-a,https://b.example/key-b",
    HOMEPRICE_CHAINS_HOME_KEYSTORE_PASSWORD: "for one",
  });
  expect(secretValuesOf(configuration).toSorted()).toEqual(
    [
      "api-key",
      "for all",
      "for one",
      "http://home.example",
      "https://a.example/key-a",
      "https://b.example/key-b",
      "https://beat.example/heartbeat",
      "https://hooks.example/webhook",
      "postgres://user:s3cr3t@db/prices",
      KEY,
    ].toSorted(),
  );
  expect(secretValuesOf(await load("store: journal.sqlite"))).toEqual([]);
});
