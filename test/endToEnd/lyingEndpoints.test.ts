import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, keccak256, numberToHex, parseEther, toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CARRIED_FORWARD_DATE, writePriceFiles } from "../../scripts/benchmark/relayPriceFiles.ts";
import { Randomness } from "../../simulation/kernel/randomness.ts";
import { CHECKOUT, type Running, readyDocument, runCommand, startProgram } from "./commandLine.ts";
import { askerOf, ENDPOINT_FAULTS, type EndpointFault, startFaultyEndpoint } from "./lyingEndpoints.ts";
import { API_KEY, DEVELOPMENT_KEY, startSimulator } from "./network.ts";

/**
 * Of three endpoints, two are dead or lie: a run succeeds all the same. With the limits that a chain has by default, which
 * is no local one.
 */
const isLong = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
const SEED = process.env["ENDPOINT_SEED"] ?? "lying endpoints";
const SAMPLE = 8;

const CHAIN_ID = 31_338;
/** Of the sender before the run, so that a node can name one that is too low. */
const FIRST_NONCE = 5;
const BLOCKS_SINCE_LONG_AGO = 5;
const SECONDS_SINCE_LONG_AGO = 300;
const FEEDS = 2;

const random = new Randomness(SEED);

/** Every pair, also of twice the same fault. */
const allPairs = ENDPOINT_FAULTS.flatMap((first, index) =>
  ENDPOINT_FAULTS.slice(index).map((second) => [first, second] as const),
);
const pairs = isLong ? allPairs : random.shuffle(allPairs).slice(0, SAMPLE);

let chain: Running;
let rpcUrl: string;
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let folder: string;
let longAgo: bigint;
let marketIds: readonly number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-endpoints-"));
  const files = await writePriceFiles(folder, { markets: allPairs.length, dates: [CARRIED_FORWARD_DATE] });
  marketIds = files.marketIds;
  const program = join(CHECKOUT, "scripts", "benchmark", "relayChainProcess.ts");
  chain = startProgram(process.execPath, [program, String(CHAIN_ID)]);
  [{ rpcUrl }, simulator] = await Promise.all([
    readyDocument(chain),
    startSimulator(...files.paths.flatMap((path) => ["--prices", path])),
  ]);
  const deployed = await runCommand(["deploy", "--json"], {
    ...environmentOf([rpcUrl]),
    HOMEPRICE_MARKETS: String(marketIds[0]),
    HOMEPRICE_PRIVATE_KEY: DEVELOPMENT_KEY,
  });
  if (deployed.exitCode !== 0) throw new Error(deployed.stdout + deployed.stderr);
  const ask = askerOf(rpcUrl);
  longAgo = BigInt((await ask("eth_blockNumber", [])) as Hex);
  await ask("evm_increaseTime", [SECONDS_SINCE_LONG_AGO]);
  await ask("hardhat_mine", [numberToHex(BLOCKS_SINCE_LONG_AGO)]);
  process.stdout.write(
    `${pairs.length} of ${allPairs.length} pairs of faults of ${ENDPOINT_FAULTS.length} kinds${isLong ? "" : `, drawn by the seed "${SEED}"`}\n`,
  );
});

afterAll(async () => {
  await Promise.all([chain?.stop(), simulator?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

test.each(pairs)("with two of three endpoints faulty (%s, %s), a run brings every price once", async (...faults) => {
  const { environment, sender } = await relayerFor(faults);
  const endpoints = await Promise.all(faults.map((fault) => startFaultyEndpoint(fault, rpcUrl, longAgo)));
  const run = await runCommand(["relay", "--once", "--json"], {
    ...environment,
    ...environmentOf(random.shuffle([rpcUrl, ...endpoints])),
  });
  expect(run.exitCode, run.stdout + run.stderr).toBe(0);
  expect(run.document()).toMatchObject({ ok: true, feeds: Array(FEEDS).fill({ status: "updated" }) });
  const count = (await askerOf(rpcUrl)("eth_getTransactionCount", [sender, "latest"])) as Hex;
  expect(Number(count)).toBe(FIRST_NONCE + 1);
});

/** A sender, a journal and a market of its own, so that no run finds anything of another one. */
async function relayerFor(faults: readonly EndpointFault[]) {
  const key = keccak256(toHex(faults.join()));
  const sender = privateKeyToAddress(key);
  const ask = askerOf(rpcUrl);
  await ask("hardhat_setBalance", [sender, numberToHex(parseEther("100"))]);
  await ask("hardhat_setNonce", [sender, numberToHex(FIRST_NONCE)]);
  return {
    sender,
    environment: {
      HOMEPRICE_PRIVATE_KEY: key,
      HOMEPRICE_STORE: join(folder, `${faults.join("-")}.sqlite`),
      HOMEPRICE_MARKETS: String(marketIds[allPairs.findIndex((pair) => pair.join() === faults.join())]),
    },
  };
}

function environmentOf(rpcUrls: readonly string[]): Record<string, string> {
  return {
    HOMEPRICE_API_URL: simulator.url,
    HOMEPRICE_API_KEY: API_KEY,
    HOMEPRICE_SIGNER_PUBLIC_KEY: simulator.publicKey,
    HOMEPRICE_RPC_URL: rpcUrls.join(","),
    HOMEPRICE_CHAIN_ID: String(CHAIN_ID),
    HOMEPRICE_RECEIPT_TIMEOUT_SECONDS: "30",
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployments"),
  };
}
