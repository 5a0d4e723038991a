import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, readyDocument, runCommand, startProgram, waitFor } from "./commandLine.ts";
import { startNetwork, startSimulator, type TestNetwork } from "./network.ts";

let network: TestNetwork;

beforeAll(async () => {
  network = await startNetwork("5826765");
});

afterAll(() => network.stop());

const startRelay = (environment: Readonly<Record<string, string>>) =>
  startProgram(join(CHECKOUT, "homeprice"), ["relay", "--json"], environment);

test("SIGTERM through the launcher while the service is being asked ends the daemon with 0", async () => {
  const slow = await startSimulator("--fault", "slow");
  const daemon = startRelay({ ...network.environment, HOMEPRICE_API_URL: slow.url });
  try {
    expect(await readyDocument(daemon)).toMatchObject({ ok: true, feeds: 2 });
    expect(await daemon.stop("SIGTERM")).toBe(0);
    expect(daemon.stderr()).toMatch(/SIGTERM: finishing what is under way[\s\S]*stopped/);
  } finally {
    await slow.stop();
  }
});

test("SIGINT after a transaction has left: the next run finds it, and pays for nothing twice", async () => {
  const daemon = startRelay(network.environment);
  await waitFor(daemon, () => (daemon.stderr().includes("sending a transaction") ? true : undefined));
  expect(await daemon.stop("SIGINT")).toBe(0);
  const after = await runCommand(["relay", "--once", "--json"], network.environment);
  expect(after.exitCode).toBe(0);
  // The daemon sends what it has while the rest is still being asked for: the two feeds may be in two transactions.
  const sentBefore = [...daemon.stderr().matchAll(/"updates":(\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  const { transactions } = after.document() as unknown as { transactions: { feeds: string[] }[] };
  expect(sentBefore + transactions.flatMap(({ feeds }) => feeds).length).toBe(2);
});

test("SIGTERM during a single run ends it with a document that says so, and with 1", async () => {
  const slow = await startSimulator("--fault", "slow");
  const run = startProgram(join(CHECKOUT, "homeprice"), ["relay", "--once", "--json"], {
    ...network.environment,
    HOMEPRICE_API_URL: slow.url,
  });
  try {
    await waitFor(run, () => (run.stderr().includes("asking the price service") ? true : undefined));
    expect(await run.stop("SIGTERM")).toBe(1);
    expect(JSON.parse(run.stdout())).toMatchObject({ ok: false, error: { code: "STOPPED" } });
  } finally {
    await slow.stop();
  }
});
