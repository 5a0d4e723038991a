import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "./commandLine.ts";
import { startNetwork, startSimulator, type TestNetwork } from "./network.ts";

const FEEDS = ["5826765", "5822447", "2005826765", "2005822447"];

let network: TestNetwork;

beforeAll(async () => {
  network = await startNetwork("5826765,5822447");
});

afterAll(() => network.stop());

test("a deployment that is repeated sends nothing and finds the same oracle", async () => {
  const again = await runCommand(["deploy", "--json"], network.environment);
  expect(again.exitCode).toBe(0);
  expect(again.document()).toMatchObject({ ok: true, chainId: 31337, transactions: [] });
  expect(again.document().signer).toBe(network.simulator.publicKey);
});

test("one run brings every feed, in reports and on-chain alike; the next sends nothing", async () => {
  const dry = await runCommand(["relay", "--once", "--dry-run", "--json"], network.environment);
  expect(dry.exitCode).toBe(0);
  expect(dry.document()).toMatchObject({ ok: true, dryRun: true, transactions: [] });
  expect(dry.document().feeds.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill("planned"));

  const before = await runCommand(["status", "--json"], network.environment);
  expect(before.exitCode).toBe(1);
  expect(before.document().feeds[0]).toMatchObject({ fresh: false, price: null });
  expect(before.document().feeds[0].reason).toMatch(/^NoPrice/);

  const first = await runCommand(["relay", "--once", "--json"], network.environment);
  expect(first.stderr).not.toMatch(/error/i);
  expect(first.exitCode).toBe(0);
  const report = first.document();
  expect(report.ok).toBe(true);
  expect(report.feeds.map(({ feedId }: { feedId: string }) => feedId).sort()).toEqual([...FEEDS].sort());
  const usa = report.feeds.find(({ feedId }: { feedId: string }) => feedId === "5826765");
  expect(usa).toMatchObject({ marketId: "5826765", kind: "sales", status: "updated", price: "216.94" });
  expect(usa.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(report.transactions).toHaveLength(1);
  expect(report.transactions[0]).toMatchObject({ chainId: 31337, hash: usa.transaction });
  expect([...report.transactions[0].feeds].sort()).toEqual([...FEEDS].sort());

  const second = await runCommand(["relay", "--once", "--json"], network.environment);
  expect(second.exitCode).toBe(0);
  expect(second.document()).toMatchObject({ ok: true, transactions: [] });
  expect(second.document().feeds.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill("current"));

  const status = await runCommand(["status", "--json"], network.environment);
  expect(status.exitCode).toBe(0);
  expect(status.document().feeds).toHaveLength(4);
  expect(status.document().feeds[1]).toMatchObject({ kind: "rental", price: "1.474", fresh: true });

  const read = await runCommand(
    ["feeds", "read", "--market", "5826765", "--kind", "rental", "--json"],
    network.environment,
  );
  expect(read.exitCode).toBe(0);
  expect(read.document()).toMatchObject({ ok: true, feedId: "2005826765", price: "1.474", fresh: true });
});

test("a corrupted signature is refused by name, the others are unharmed, also when the chain holds a good price", async () => {
  const faulty = await startSimulator("--fault", "bad-signature:2005826765");
  try {
    const environment = {
      ...network.environment,
      HOMEPRICE_API_URL: faulty.url,
      HOMEPRICE_MARKETS: "5826765,5822447,5306725",
    };
    const run = await runCommand(["relay", "--once", "--json"], environment);
    expect(run.exitCode).toBe(1);
    const report = run.document();
    expect(report.ok).toBe(false);
    const bad = report.feeds.filter(({ status }: { status: string }) => !["updated", "current"].includes(status));
    expect(bad).toHaveLength(1);
    expect(bad[0]).toMatchObject({ feedId: "2005826765", marketId: "5826765", kind: "rental", status: "refused" });
    expect(bad[0].reason).toMatch(/InvalidSignature/);
    const updated = report.feeds.filter(({ status }: { status: string }) => status === "updated");
    expect(updated.map(({ feedId }: { feedId: string }) => feedId).sort()).toEqual(["2005306725", "5306725"]);

    const again = await runCommand(["relay", "--once", "--json"], environment);
    expect(again.exitCode).toBe(1);
    expect(again.document().transactions).toEqual([]);
  } finally {
    await faulty.stop();
  }
});
