import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type Finished, runCommand } from "./commandLine.ts";
import { startNetwork, startSimulator, type TestNetwork } from "./network.ts";

let network: TestNetwork;

beforeAll(async () => {
  network = await startNetwork("5306725");
});

afterAll(() => network.stop());

const relay = (environment: Record<string, string>): Promise<Finished> =>
  runCommand(["relay", "--once", "--json"], { ...network.environment, ...environment });

/** Every failure is one document with code, message and hint, and no secret in any output. */
async function expectFailure(run: Promise<Finished>, exitCode: number, code: string, message: RegExp): Promise<void> {
  const finished = await run;
  const document = finished.document();
  expect(document).toMatchObject({ ok: false, error: { code } });
  expect(document.error.message).toMatch(message);
  expect(document.error.hint).not.toBe("");
  expect(finished.exitCode).toBe(exitCode);
  for (const secret of [network.environment["HOMEPRICE_PRIVATE_KEY"], network.environment["HOMEPRICE_API_KEY"]]) {
    expect(finished.stdout + finished.stderr).not.toContain(secret);
  }
}

describe("a call or a configuration that cannot work exits with 2", () => {
  test("no API key", () => expectFailure(relay({ HOMEPRICE_API_KEY: "" }), 2, "NO_API_KEY", /API key/));
  test("an API key with Bearer", () =>
    expectFailure(relay({ HOMEPRICE_API_KEY: "Bearer abc" }), 2, "INVALID_API_KEY", /Bearer/));
  test("no market", () => expectFailure(relay({ HOMEPRICE_MARKETS: "" }), 2, "NO_MARKETS", /market/));
  test("no private key", () => expectFailure(relay({ HOMEPRICE_PRIVATE_KEY: "" }), 2, "NO_PRIVATE_KEY", /key/));
  test("another chain id", () => expectFailure(relay({ HOMEPRICE_CHAIN_ID: "1" }), 2, "WRONG_CHAIN", /31337.*says 1$/));
  test("a market id that collides with the offset", () =>
    expectFailure(relay({ HOMEPRICE_MARKETS: "2000000000" }), 2, "INVALID_ID", /2000000000/));
  test("a layout whose fields overlap", () => {
    const layout = { ...DEFAULT_LAYOUT, expiry: { ...DEFAULT_LAYOUT.expiry, offset: 50 } };
    return expectFailure(
      relay({ HOMEPRICE_LAYOUT: JSON.stringify(layout) }),
      2,
      "INVALID_LAYOUT",
      /expiry.*overlaps publishTime/,
    );
  });
  test("a layout that misses bytes", () => {
    const layout = { ...DEFAULT_LAYOUT, constants: [] };
    return expectFailure(relay({ HOMEPRICE_LAYOUT: JSON.stringify(layout) }), 2, "INVALID_LAYOUT", /bytes 0 to 31/);
  });
  test("a layout that is not the oracle's", () => {
    const layout = { ...DEFAULT_LAYOUT, feedId: { ...DEFAULT_LAYOUT.feedId, byteOrder: "big" } };
    return expectFailure(
      relay({ HOMEPRICE_LAYOUT: JSON.stringify(layout) }),
      2,
      "LAYOUT_DIFFERS_FROM_ORACLE",
      /layout/,
    );
  });
  test("no oracle known", () =>
    expectFailure(relay({ HOMEPRICE_DEPLOYMENTS_DIRECTORY: "/nonexistent" }), 2, "NO_ORACLE", /no oracle/));
  test("an unknown option", () =>
    expectFailure(runCommand(["relay", "--onec", "--json"], network.environment), 2, "USAGE", /--onec/));
  test("a configuration file that is not there", () =>
    expectFailure(
      runCommand(["relay", "--json", "--config", "/nonexistent.yaml"], network.environment),
      2,
      "CONFIGURATION_FILE_UNREADABLE",
      /nonexistent/,
    ));
});

describe("what runs and fails exits with 1", () => {
  test("a wrong API key", () => expectFailure(relay({ HOMEPRICE_API_KEY: "wrong" }), 1, "API_UNAUTHORIZED", /401/));
  test("a service that is down", () =>
    expectFailure(relay({ HOMEPRICE_API_URL: "http://127.0.0.1:9" }), 1, "API_UNREACHABLE", /127\.0\.0\.1:9/));
  test("a node that is down, with a secret in its address", async () => {
    const run = relay({ HOMEPRICE_RPC_URL: "http://user:hunter2@127.0.0.1:9/v1/hunter3" });
    await expectFailure(run, 1, "RPC_UNREACHABLE", /127\.0\.0\.1:9/);
    const { stdout, stderr } = await run;
    expect(stdout + stderr).not.toMatch(/hunter/);
  });
  test("a node that is down beside one that works", async () => {
    const run = await relay({ HOMEPRICE_RPC_URL: `http://127.0.0.1:9,${network.node.rpcUrl}` });
    expect(run.document().ok).toBe(true);
  });
  test("an unfunded sender", () =>
    expectFailure(
      relay({ HOMEPRICE_PRIVATE_KEY: `0x${"11".repeat(32)}`, HOMEPRICE_MARKETS: "5387853:rental" }),
      1,
      "SENDER_UNFUNDED",
      /0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A/,
    ));

  test.each([
    ["forbidden", "API_FORBIDDEN", /403/],
    ["rate-limited", "API_RATE_LIMITED", /429/],
    ["no-credits", "API_CREDITS_EXHAUSTED", /429/],
    ["unavailable", "API_UNAVAILABLE", /503/],
    ["not-json", "API_UNEXPECTED_RESPONSE", /JSON/],
  ] as const)("a service with the fault %s", async (fault, code, message) => {
    const faulty = await startSimulator("--fault", fault);
    try {
      await expectFailure(relay({ HOMEPRICE_API_URL: faulty.url }), 1, code, message);
    } finally {
      await faulty.stop();
    }
  });

  test.each([
    ["expired", "refused", /ExpiryPassed/],
    ["expiry-too-far", "refused", /ExpiryTooFarAhead/],
    ["publish-too-old", "refused", /PublishTimeTooOld/],
    ["publish-too-far-ahead", "refused", /PublishTimeTooFarAhead/],
    ["invalid-date", "refused", /InvalidDate.*2026-02-30/],
    ["zero-price", "refused", /ZeroPrice/],
    ["short-message", "refused", /73 bytes/],
    ["long-message", "refused", /75 bytes/],
    ["mismatch", "refused", /MessageMismatch/],
    ["unknown-signer", "refused", /UnknownSigner/],
    ["wrong-kind", "refused", /WrongFeed/],
    ["omitted", "missing", /no price/],
    ["refuse", "failed", /422/],
    ["server-error", "failed", /500/],
  ] as const)("one market with the fault %s is %s, the other lands", async (fault, status, reason) => {
    const faulty = await startSimulator("--fault", `${fault}:5822447`);
    try {
      const run = await relay({ HOMEPRICE_API_URL: faulty.url, HOMEPRICE_MARKETS: "5822447:sales,5306725:sales" });
      expect(run.exitCode).toBe(1);
      const [bad, good] = run.document().feeds;
      expect(bad).toMatchObject({ feedId: "5822447", status });
      expect(bad.reason).toMatch(reason);
      expect(["updated", "current"]).toContain(good.status);
    } finally {
      await faulty.stop();
    }
  });
});
