import { describe, expect, test } from "vitest";
import { CONFIGURATION_KEYS } from "../../relayer/configuration/configurationSchema.ts";
import {
  type InspectedConfiguration,
  inspectConfiguration,
  loadConfiguration,
} from "../../relayer/configuration/loadConfiguration.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { folderWith } from "./configurationFolder.ts";

async function inspect(
  yaml: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<InspectedConfiguration> {
  const workingDirectory = await folderWith({ "homeprice.config.yaml": yaml });
  return inspectConfiguration({ environment, workingDirectory });
}

const codesOf = ({ problems }: InspectedConfiguration) => problems.map(({ error }) => error.code);
const unusableIn = ({ problems }: InspectedConfiguration) => problems.flatMap(({ unusableKeys }) => unusableKeys);

test("what is in order has no problems, and is what is loaded", async () => {
  const workingDirectory = await folderWith({ "homeprice.config.yaml": "chainId: 5\nmarkets: [7]" });
  const options = { environment: { HOMEPRICE_API_URL: "https://prices.example" }, workingDirectory };
  const { configuration, problems, file } = await inspectConfiguration(options);
  expect(problems).toEqual([]);
  expect(file).toBe("homeprice.config.yaml");
  expect(configuration).toEqual(await loadConfiguration(options));
});

test("without a file there is none to name", async () => {
  const inspected = await inspectConfiguration({ environment: {}, workingDirectory: await folderWith() });
  expect(inspected).toMatchObject({ problems: [], file: undefined });
});

describe("what is wrong in one place leaves the others", () => {
  test("a value", async () => {
    const inspected = await inspect("chainId: home\nschedule: daily\nmarkets: [7]");
    expect(codesOf(inspected)).toEqual(["INVALID_CONFIGURATION"]);
    expect(inspected.problems[0]?.error.message).toMatch(/chainId: .*; schedule: must be a cron expression/);
    expect(unusableIn(inspected)).toEqual(["chainId", "schedule"]);
    expect(inspected.configuration).toMatchObject({ schedule: "30 7 * * *", markets: [{ marketId: 7n }] });
    expect(inspected.configuration.chainId).toBeUndefined();
  });

  test("an unknown key", async () => {
    const inspected = await inspect("chain: 1\nchainId: 5");
    expect(codesOf(inspected)).toEqual(["INVALID_CONFIGURATION"]);
    expect(unusableIn(inspected)).toEqual([]);
    expect(inspected.configuration).toMatchObject({ chainId: 5 });
  });

  test("an entry of a list", async () => {
    const inspected = await inspect("", { HOMEPRICE_RPC_URL: "localhost:8545,http://two.example" });
    expect(inspected.problems[0]?.error.message).toMatch(/HOMEPRICE_RPC_URL at \[0\]: must be a URL/);
    expect(unusableIn(inspected)).toEqual([]);
    expect(inspected.configuration.rpcUrl).toEqual(["http://two.example"]);
  });

  test("every entry of a list", async () => {
    const inspected = await inspect("", { HOMEPRICE_MARKETS: "all,of,them" });
    expect(unusableIn(inspected)).toEqual(["markets"]);
    expect(inspected.configuration.markets).toBeUndefined();
  });

  test("market ids beyond the offset", async () => {
    const inspected = await inspect("markets: [2000000000, 7, 2000000001]");
    expect(codesOf(inspected)).toEqual(["INVALID_ID", "INVALID_ID"]);
    expect(unusableIn(inspected)).toEqual([]);
    expect(inspected.configuration.markets).toEqual([{ marketId: 7n }]);
  });

  test("no market id below the offset", async () => {
    expect(unusableIn(await inspect("markets: [2000000000]"))).toEqual(["markets"]);
  });

  test("a layout that cannot be", async () => {
    const inspected = await inspect("chainId: 5", {
      HOMEPRICE_RENTAL_OFFSET: (2n ** 62n).toString(),
      HOMEPRICE_LAYOUT: layoutWithFeedIdOf(4),
    });
    expect(codesOf(inspected)).toEqual(["INVALID_LAYOUT"]);
    expect(unusableIn(inspected)).toEqual(["layout"]);
    expect(inspected.configuration).toMatchObject({ chainId: 5 });
  });

  test("a secret in the file, which is said and used", async () => {
    const inspected = await inspect("apiKey: k3y\nchainId: 5");
    expect(codesOf(inspected)).toEqual(["SECRET_IN_FILE"]);
    expect(inspected.problems[0]?.error.message).not.toContain("k3y");
    expect(inspected.configuration).toMatchObject({ apiKey: "k3y", chainId: 5 });
  });

  test("the file of a secret", async () => {
    const inspected = await inspect("apiKeyFile: nowhere\nprivateKeyFile: nowhere\nchainId: 5");
    expect(codesOf(inspected)).toEqual(["SECRET_FILE_UNREADABLE", "SECRET_FILE_UNREADABLE"]);
    expect(unusableIn(inspected)).toEqual(["apiKey", "privateKey"]);
    expect(inspected.configuration).toMatchObject({ chainId: 5 });
  });

  test("a key of one chain", async () => {
    const inspected = await inspect(
      "chains:\n  base: { chainId: 8453, rpcUrl: [http://a.example, b] }\n  home: { chainId: one, finality: soon }",
    );
    expect(codesOf(inspected)).toEqual(["INVALID_CONFIGURATION", "NO_CHAIN_ID"]);
    expect(inspected.problems[0]?.error.message).toMatch(
      /chains\.base\.rpcUrl at \[1\]: must be a URL.*; chains\.home\.chainId: .*; chains\.home\.finality: must be/,
    );
    expect(unusableIn(inspected)).toEqual(["chains.home.chainId", "chains.home.finality", "chains.home.chainId"]);
    expect(inspected.configuration.chains).toEqual({ base: { chainId: 8453, rpcUrl: ["http://a.example"] }, home: {} });
  });

  test("a chain that is none, beside one that is", async () => {
    const inspected = await inspect("chains: { Base: { chainId: 1 }, home: { chainId: 2 }, away: 5 }\nkinds: [sales]");
    expect(codesOf(inspected)).toEqual(["INVALID_CONFIGURATION"]);
    expect(unusableIn(inspected)).toEqual(["chains.Base", "chains.away"]);
    expect(inspected.configuration).toMatchObject({ kinds: ["sales"], chains: { home: { chainId: 2 } } });
  });

  test("no chain that is one", async () => {
    const inspected = await inspect("chains: { Base: { chainId: 1 } }\nchainId: 5");
    expect(unusableIn(inspected)).toEqual(["chains"]);
    expect(inspected.configuration).toMatchObject({ chainId: 5 });
    expect(inspected.configuration.chains).toBeUndefined();
  });

  test("the file of a chain's secret", async () => {
    const inspected = await inspect("chains: { base: { chainId: 1, privateKeyFile: nowhere } }");
    expect(codesOf(inspected)).toEqual(["SECRET_FILE_UNREADABLE"]);
    expect(inspected.problems[0]?.error).toMatchObject({
      message: "the file named by chains.base.privateKeyFile cannot be read",
      hint: expect.stringContaining("HOMEPRICE_CHAINS_BASE_PRIVATE_KEY_FILE"),
    });
    expect(unusableIn(inspected)).toEqual(["chains.base.privateKey"]);
  });

  test("keys that do not go together", async () => {
    const inspected = await inspect("chainId: 5\nchains: { base: { chainId: 1 } }", {
      HOMEPRICE_CHAINS_BASE_PRIVATE_KEY: `0x${"1a".repeat(32)}`,
      HOMEPRICE_CHAINS_BASE_KEYSTORE_FILE: "keystore.json",
    });
    expect(codesOf(inspected)).toEqual(["CHAIN_KEYS_AT_TOP_LEVEL", "SEVERAL_SENDER_KEYS"]);
    expect(unusableIn(inspected)).toEqual(["chainId", "chains.base.privateKey", "chains.base.keystoreFile"]);
  });

  test("the file itself: then only what the environment sets is known", async () => {
    const inspected = await inspect("markets: [7", { HOMEPRICE_CHAIN_ID: "5" });
    expect(codesOf(inspected)).toEqual(["CONFIGURATION_FILE_INVALID"]);
    expect(unusableIn(inspected)).toEqual(CONFIGURATION_KEYS.filter((key) => key !== "chainId"));
    expect(inspected.configuration).toMatchObject({ chainId: 5 });
  });

  test("everything at once", async () => {
    const inspected = await inspect("apiKey: k3y\nprivateKeyFile: nowhere\nchainId: home\nmarkets: [2000000000, 7]");
    expect(codesOf(inspected)).toEqual([
      "SECRET_IN_FILE",
      "SECRET_FILE_UNREADABLE",
      "INVALID_CONFIGURATION",
      "INVALID_ID",
    ]);
  });
});

/** A layout whose feed id has so many bytes, and padding in the place of the others. */
function layoutWithFeedIdOf(width: number): string {
  return JSON.stringify({
    ...DEFAULT_LAYOUT,
    feedId: { ...DEFAULT_LAYOUT.feedId, width },
    padding: [{ offset: DEFAULT_LAYOUT.feedId.offset + width, length: DEFAULT_LAYOUT.feedId.width - width }],
  });
}
