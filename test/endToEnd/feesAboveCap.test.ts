import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, numberToHex, parseGwei } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { Receiver } from "../watch/receiver.ts";
import { CHECKOUT, type Running, readyDocument, runCommand, startProgram } from "./commandLine.ts";
import { askerOf } from "./lyingEndpoints.ts";
import { MovableClock } from "./movableClock.ts";
import { API_KEY, DEVELOPMENT_KEY } from "./network.ts";

const ENTRY = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");
const CHAIN_ID = 31_338;
const FEEDS = 2;

/** The cap is 100 gwei unless configured otherwise. */
const ABOVE_THE_CAP = parseGwei("500");
const ORDINARY_FEE = parseGwei("1");

/** Fees that come and go are nobody's concern before that. */
const PATIENCE_MS = 11 * 60_000;
const PAUSE_BETWEEN_LOOKS_MS = 2 * 60_000;

let folder: string;
let clock: MovableClock;
let running: Running[];
let environment: Record<string, string>;
let ask: ReturnType<typeof askerOf>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-fees-"));
  clock = new MovableClock(folder);
  const start = (programArguments: readonly string[], own: Readonly<Record<string, string>> = {}) =>
    startProgram(process.execPath, [...clock.nodeArguments, ...programArguments], { ...clock.environment, ...own });
  running = [
    start([join(CHECKOUT, "scripts", "benchmark", "relayChainProcess.ts"), String(CHAIN_ID)]),
    start([ENTRY, "simulator", "--port", "0", "--json"], { HOMEPRICE_SIMULATOR_API_KEY: API_KEY }),
  ];
  const [chain, service] = await Promise.all(running.map(readyDocument));
  environment = {
    HOMEPRICE_API_URL: service.url,
    HOMEPRICE_API_KEY: API_KEY,
    HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
    HOMEPRICE_RPC_URL: chain.rpcUrl,
    HOMEPRICE_CHAIN_ID: String(CHAIN_ID),
    HOMEPRICE_PRIVATE_KEY: LOCAL_RELAYER_KEY,
    HOMEPRICE_MARKETS: "5826765",
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployments"),
    ...clock.environment,
  };
  ask = askerOf(chain.rpcUrl);
  const deployed = await runCommand(["deploy", "--json"], { ...environment, HOMEPRICE_PRIVATE_KEY: DEVELOPMENT_KEY });
  if (deployed.exitCode !== 0) throw new Error(deployed.stdout + deployed.stderr);
  // Every empty block would make the next one cheaper.
  await ask("evm_setIntervalMining", [0]);
  await mineAt(ABOVE_THE_CAP);
});

afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  await rm(folder, { recursive: true, force: true });
});

test("while fees are above the cap, nothing is sent and a person is told; when they fall, it goes on by itself", async () => {
  // Through the same clock as the others.
  const once = await finished(relayer(["--once"], { HOMEPRICE_STORE: join(folder, "once.sqlite") }));
  expect(once.exitCode, once.stdout + once.stderr).toBe(1);
  expect(JSON.parse(once.stdout)).toMatchObject({
    ok: false,
    transactions: [],
    feeds: Array(FEEDS).fill({ status: "failed", reason: expect.stringContaining("fees are above the cap") }),
  });

  const receiver = await Receiver.start();
  const daemon = relayer([], { HOMEPRICE_STORE: join(folder, "daemon.sqlite"), HOMEPRICE_WEBHOOK_URL: receiver.url });
  try {
    await readyDocument(daemon);
    await until(() => daemon.stderr().includes("asked the price service"));
    await pause(3_000);
    await clock.forward(PATIENCE_MS);
    await until(() => isTold(receiver, "firing"));
    expect(messageOf(receiver, "firing")).toMatch(/the cap is 100: nothing is sent/);
    expect(await transactionsSent()).toBe(0);

    await mineAt(ORDINARY_FEE);
    await clock.forward(PAUSE_BETWEEN_LOOKS_MS);
    await until(async () => (await transactionsSent()) > 0);
    await until(() => isTold(receiver, "resolved"));
    expect(await transactionsSent()).toBe(1);
    expect(await daemon.stop("SIGTERM")).toBe(0);
    expect(daemon.stdout() + daemon.stderr()).not.toContain(new URL(receiver.url).pathname);
  } finally {
    await daemon.stop("SIGKILL");
  }
  const status = await finished(
    startProgram(process.execPath, [...clock.nodeArguments, ENTRY, "status", "--json"], environment),
  );
  expect(status.exitCode, status.stdout).toBe(0);
}, 240_000);

function relayer(options: readonly string[], own: Readonly<Record<string, string>>): Running {
  const command = [...clock.nodeArguments, ENTRY, "relay", "--json", ...options];
  return startProgram(process.execPath, command, { ...environment, ...own });
}

async function finished({ child, stdout, stderr }: Running) {
  await until(() => child.exitCode !== null);
  return { exitCode: child.exitCode, stdout: stdout(), stderr: stderr() };
}

/** Mines a block with a base fee; the next one's is an eighth away from it at most. */
async function mineAt(baseFeePerGas: bigint): Promise<void> {
  await ask("hardhat_setNextBlockBaseFeePerGas", [numberToHex(baseFeePerGas)]);
  await ask("evm_mine", []);
}

async function transactionsSent(): Promise<number> {
  const count = await ask("eth_getTransactionCount", [privateKeyToAddress(LOCAL_RELAYER_KEY), "latest"]);
  return Number(count as Hex);
}

function isTold(receiver: Receiver, status: "firing" | "resolved"): boolean {
  return messageOf(receiver, status) !== undefined;
}

function messageOf(receiver: Receiver, status: "firing" | "resolved"): string | undefined {
  const told = receiver.bodies.filter((body) => body.status === status).flatMap(({ alerts }) => alerts);
  return told.find(({ kind }) => kind === "fees-above-cap")?.message;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(100);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
