import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CHECKOUT,
  type Running,
  readyDocument,
  runCommand,
  startCommand,
  startProgram,
  waitFor,
} from "./commandLine.ts";

/** First of the well-known development accounts. */
export const DEVELOPMENT_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** The same key in every simulator of a test, so that one deployed oracle accepts them all. */
const SECRET_KEY = `0x${"07".repeat(32)}`;
export const API_KEY = "sim_test_key";

/** A price service simulator in a process of its own. */
export async function startSimulator(...options: string[]): Promise<Running & { url: string; publicKey: string }> {
  const simulator = startCommand(["simulator", "--port", "0", "--json", ...options], {
    HOMEPRICE_SIMULATOR_SECRET_KEY: SECRET_KEY,
    HOMEPRICE_SIMULATOR_API_KEY: API_KEY,
  });
  const { url, publicKey } = await readyDocument(simulator);
  return { ...simulator, url, publicKey };
}

/** A Hardhat node in a process of its own. */
export async function startHardhatNode(): Promise<Running & { rpcUrl: string }> {
  const hardhat = join(CHECKOUT, "node_modules", "hardhat", "dist", "src", "cli.js");
  const node = startProgram(process.execPath, [hardhat, "node", "--port", "0", "--hostname", "127.0.0.1"]);
  const rpcUrl = await waitFor(node, () => /http:\/\/127\.0\.0\.1:\d+/.exec(node.stdout())?.[0]);
  return { ...node, rpcUrl };
}

export type TestNetwork = {
  /** Environment that configures a relayer completely. */
  readonly environment: Readonly<Record<string, string>>;
  readonly simulator: Running & { url: string; publicKey: string };
  readonly node: Running & { rpcUrl: string };
  readonly stop: () => Promise<void>;
};

/** Simulator, chain and oracle, each brought up by its own command, and the environment for a relayer. */
export async function startNetwork(markets: string): Promise<TestNetwork> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-test-"));
  const [simulator, node] = await Promise.all([startSimulator(), startHardhatNode()]);
  const environment = {
    HOMEPRICE_API_URL: simulator.url,
    HOMEPRICE_API_KEY: API_KEY,
    HOMEPRICE_RPC_URL: node.rpcUrl,
    HOMEPRICE_CHAIN_ID: "31337",
    HOMEPRICE_PRIVATE_KEY: DEVELOPMENT_KEY,
    HOMEPRICE_SIGNER_PUBLIC_KEY: simulator.publicKey,
    HOMEPRICE_MARKETS: markets,
    HOMEPRICE_STORE: join(folder, "store"),
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployments"),
  };
  const deployed = await runCommand(["deploy", "--json"], environment);
  if (deployed.exitCode !== 0) throw new Error(deployed.stdout + deployed.stderr);
  return {
    environment,
    simulator,
    node,
    stop: async () => {
      await Promise.all([simulator.stop(), node.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
