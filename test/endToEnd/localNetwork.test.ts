import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, readyDocument, runCommand, startCommand } from "./commandLine.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-test-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("one run on a price file of one's own: every value on-chain is the file's", async () => {
  const file = join(folder, "sales.csv");
  await writeFile(
    file,
    "svc_id,date,price_feed\n101,2025-03-09,250.10\n101,2025-03-08,249\n102,2025-03-01,0.00000001\n",
  );
  const run = await runCommand(["local", "--prices", file, "--at", "2025-03-09", "--once", "--json"]);
  expect(run.exitCode).toBe(0);
  const document = run.document();
  expect(document).toMatchObject({ ok: true, chainId: 31337 });
  for (const key of ["rpcUrl", "apiUrl", "oracle", "signer"]) expect(document[key]).toBeTypeOf("string");
  expect(document.feeds).toMatchObject([
    { feedId: "101", status: "updated", date: "2025-03-09", source: "250.1", onChain: "250.1" },
    { feedId: "102", status: "updated", date: "2025-03-09", source: "0.00000001", onChain: "0.00000001" },
  ]);
});

test("a refused price is named, the rest is on-chain, and the exit code is 1", async () => {
  const run = await runCommand(["local", "--at", "2024-11-03", "--once", "--json", "--fault", "bad-signature:5826765"]);
  expect(run.exitCode).toBe(1);
  const { ok, feeds } = run.document();
  expect(ok).toBe(false);
  const refused = feeds.filter(({ status }: { status: string }) => status === "refused");
  expect(refused).toMatchObject([{ feedId: "5826765", onChain: null, source: "216.94" }]);
  expect(feeds.filter(({ status }: { status: string }) => status === "updated")).toHaveLength(feeds.length - 1);
});

test("what stays up serves other commands, and ends cleanly when it is told to", async () => {
  const deployments = join(folder, "deployments");
  const local = startCommand(["local", "--rpc-port", "0", "--api-port", "0", "--json"], {
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: deployments,
  });
  const ready = await readyDocument(local);
  expect(ready.ok).toBe(true);
  const read = await runCommand(["feeds", "read", "--market", "5826765", "--kind", "sales", "--json"], {
    HOMEPRICE_RPC_URL: ready.rpcUrl,
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: deployments,
  });
  expect(read.document()).toMatchObject({ ok: true, price: "216.94" });
  expect(await local.stop("SIGINT")).toBe(0);
});

const metroFile = join(
  process.env["HOMEPRICE_DATA_DIR"] ?? join(CHECKOUT, "..", "shared", "data"),
  "us-metro-home-values.csv",
);
const hasMetroFile = existsSync(metroFile);
if (!hasMetroFile)
  process.stdout.write("skipped: every metro on-chain (set HOMEPRICE_DATA_DIR to the folder of the price files)\n");

test.skipIf(!hasMetroFile)(
  "every metro that has prices is on-chain with the file's values",
  { timeout: 180_000 },
  async () => {
    const run = await runCommand(["local", "--prices", metroFile, "--at", "2024-10-31", "--once", "--json"]);
    expect(run.exitCode).toBe(0);
    const { feeds } = run.document();
    const of = (kind: string) => feeds.filter((feed: { kind: string }) => feed.kind === kind);
    expect([of("sales").length, of("rental").length]).toEqual([895, 635]);
    for (const { source, onChain, status } of feeds) {
      expect(status).toBe("updated");
      expect(onChain).toBe(source);
    }
  },
);
