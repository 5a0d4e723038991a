import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Address, createWalletClient, type Hex, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, expect, test } from "vitest";
import { readArtifact } from "../../../relayer/deployment/contractArtifact.ts";
import { bundleForBrowser } from "../../../scripts/bundleSdk.ts";
import { getUpdates, serviceSource, toFeedId, toGatewayAnswer } from "../../../sdk/index.ts";
import { readyDocument, runCommand, startCommand } from "../../endToEnd/commandLine.ts";
import { DEVELOPMENT_KEY } from "../../endToEnd/network.ts";
import { findChromium } from "./findChromium.ts";
import type { PageParameters, PageResult } from "./page.ts";
import { startPageServer } from "./pageServer.ts";

/** Third and fourth of the well-known development accounts: the network itself uses the first two. */
const DEPLOYER_KEY = "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a";
const WALLET_KEY = "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";
const MARKET = "5826765";

const executablePath = findChromium();
if (!executablePath) {
  process.stdout.write("skipped: the SDK in a browser (install Chromium, or set HOMEPRICE_CHROMIUM to its path)\n");
}

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test.skipIf(!executablePath)(
  "a page brings a price on-chain through the SDK, inside a call to a consumer, and reads it back",
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "homeprice-test-"));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const script = await bundleForBrowser(
      'import { pullPrice } from "./test/sdk/browser/page.ts"; Object.assign(globalThis, { pullPrice });',
    );
    const local = startCommand(["local", "--rpc-port", "0", "--api-port", "0", "--json"], {
      HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "local"),
    });
    closers.push(() => local.stop());
    const { rpcUrl, apiUrl, apiKey, signer, feeds } = await readyDocument(local);

    // The network's own oracle has every price already; another one has none.
    const deployed = await runCommand(["deploy", "--json"], {
      HOMEPRICE_RPC_URL: rpcUrl,
      HOMEPRICE_CHAIN_ID: "31337",
      HOMEPRICE_PRIVATE_KEY: DEPLOYER_KEY,
      HOMEPRICE_SIGNER_PUBLIC_KEY: signer,
      HOMEPRICE_GUARDIAN: privateKeyToAccount(DEVELOPMENT_KEY).address,
      HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployed"),
    });
    if (deployed.exitCode !== 0) throw new Error(deployed.stdout + deployed.stderr);
    const oracle: Address = deployed.document().oracle;
    const client = createWalletClient({
      account: privateKeyToAccount(DEPLOYER_KEY),
      transport: http(rpcUrl),
      pollingInterval: 100,
    }).extend(publicActions);
    const { abi, bytecode } = await readArtifact("testing/consumer/ConsumerHarness.sol", "ConsumerHarness");
    const hash = await client.deployContract({ abi, bytecode, args: [oracle], chain: null });
    const { contractAddress: consumer } = await client.waitForTransactionReceipt({ hash });
    if (!consumer) throw new Error("the consumer was not deployed");

    const source = serviceSource({ apiUrl, apiKey });
    const asked: string[][] = [];
    const server = await startPageServer({
      script,
      rpcUrl,
      answerUpdates: async (ids) => {
        asked.push([...ids]);
        const feedIds = ids.map((id) => toFeedId(id));
        return toGatewayAnswer((await getUpdates(client, { oracle, feedIds, source, allowFailure: true })).updates);
      },
    });
    closers.push(server.close);

    const isRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: isRoot ? ["--no-sandbox"] : [],
    });
    closers.push(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(server.url);
    await page.waitForFunction("'pullPrice' in globalThis");
    const parameters: PageParameters = {
      rpcUrl: `${server.url}/rpc`,
      gatewayUrl: server.url,
      privateKey: WALLET_KEY as Hex,
      oracle,
      consumer,
      marketId: MARKET,
    };
    const result = (await page.evaluate(`pullPrice(${JSON.stringify(parameters)})`)) as PageResult;

    const sourceOf = (kind: string) =>
      feeds.find((feed: { marketId: string; kind: string }) => feed.marketId === MARKET && feed.kind === kind).source;
    expect(problems).toEqual([]);
    expect(result).toEqual({
      before: "noPrice",
      refusal: "NoPrice",
      brought: 2,
      broughtAgain: 0,
      status: "success",
      sales: sourceOf("sales"),
      rental: sourceOf("rental"),
      hasNode: false,
    });
    expect(asked).toEqual([[MARKET, "2005826765"]]);
  },
);
