import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { relayOnce } from "../../relayer/relay/relayOnce.ts";
import type { FeedStatus } from "../../relayer/relay/report.ts";
import type { FeedFaultKind, ServiceFaultKind } from "../../simulator/faults.ts";
import { NOW } from "../message/signedPrices.ts";
import { clientOf, feedOfReport, type RelayFixture, startRelayFixture, statusesOf } from "./relayFixture.ts";

let fixture: RelayFixture;
beforeAll(async () => {
  fixture = await startRelayFixture();
});
afterAll(() => fixture.close());

/** What each fault of one feed must come to. */
const OUTCOMES: Record<FeedFaultKind, readonly [FeedStatus, RegExp?]> = {
  "bad-signature": ["refused", /^InvalidSignature: /],
  "unknown-signer": ["refused", /^UnknownSigner: signed with key 0x/],
  "rotated-key": ["refused", /^UnknownSigner: signed with key 0x/],
  "changed-layout": ["refused", /^UnexpectedConstantBytes: /],
  "wrong-kind": ["refused", /^WrongFeed: the message is the (sales|rental) price of market 5826765, sent as the /],
  mismatch: ["refused", /^MessageMismatch: the answer differs from the message it carries: price /],
  "short-message": ["refused", /^InvalidMessageLength: the message has 73 bytes, not 74$/],
  "long-message": ["refused", /^InvalidMessageLength: the message has 75 bytes, not 74$/],
  expired: ["refused", /^ExpiryPassed: /],
  "expiry-too-far": ["refused", /^ExpiryTooFarAhead: .* 25 h 30 s ahead/],
  "publish-too-old": ["refused", /^PublishTimeTooOld: .* 49 h ago/],
  "publish-too-far-ahead": ["refused", /^PublishTimeTooFarAhead: .* 1 h 1 min in the future/],
  "invalid-date": ["refused", /^InvalidDate: "2026-02-30" /],
  // Yesterday's date is as good as any other that is not of the future.
  "wrong-date": ["updated"],
  "future-date": ["refused", /^PublishedBeforeDate: /],
  "zero-price": ["refused", /^ZeroPrice: /],
  // At ten in the morning yesterday's prices have expired, and the service does not sign them any more.
  "late-edition": ["failed", /422.*ExpiryPassed/],
  refuse: ["failed", /422.*ZeroPrice/],
  omitted: ["missing", /^the service gave no price for it$/],
  "server-error": ["failed", /500/],
  "no-message": ["updated"],
  "no-public-key": ["updated"],
  base64: ["updated"],
  "revised-price": ["updated"],
};

/** What becomes of a good price that the chain has, if not what {@link OUTCOMES} says of one that it lacks. */
const LATER_OUTCOMES: Partial<Record<FeedFaultKind, FeedStatus>> = { "revised-price": "updated" };

describe.each(Object.entries(OUTCOMES))("a feed with the fault %s", (kind, [status, reason]) => {
  const fault = (feedId: bigint) => ({ kind: kind as FeedFaultKind, feedId });

  test.each([5_826_765n, 2_005_826_765n])("(%i): its own fate, while the others land", async (feedId) => {
    const snapshot = await fixture.request("evm_snapshot");
    const service = await fixture.serve({ faults: [fault(feedId)] });
    const report = await relayOnce(await fixture.context(clientOf(service)));
    const faulty = feedOfReport(report, feedId);
    expect(faulty.status).toBe(status);
    if (reason) expect(faulty.reason).toMatch(reason);
    expect(report.ok).toBe(status === "updated");
    expect(statusesOf(report).filter((each) => each === "updated")).toHaveLength(status === "updated" ? 4 : 3);
    expect((await fixture.stored(feedId))?.price === 0n).toBe(status !== "updated");
    await fixture.request("evm_revert", [snapshot]);
  });

  test("is told of, although the chain holds a good price from before", async () => {
    const snapshot = await fixture.request("evm_snapshot");
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service));
    expect((await relayOnce(context)).ok).toBe(true);
    const before = await fixture.stored(5_826_765n);

    service.setFaults([fault(5_826_765n)]);
    const report = await relayOnce(context);
    const faulty = feedOfReport(report, 5_826_765n);
    const later = LATER_OUTCOMES[kind as FeedFaultKind] ?? (status === "updated" ? "current" : status);
    expect(faulty.status).toBe(later);
    if (reason) expect(faulty.reason).toMatch(reason);
    expect(report.ok).toBe(status === "updated");
    expect(report.transactions).toHaveLength(later === "updated" ? 1 : 0);
    expect(statusesOf(report).filter((each) => each === "current")).toHaveLength(later === "current" ? 4 : 3);
    const after = await fixture.stored(5_826_765n);
    if (later === "updated") expect(after?.price).toBeGreaterThan(before?.price ?? 0n);
    else expect(after).toEqual(before);
    await fixture.request("evm_revert", [snapshot]);
  });
});

test("two feeds with faults that fail their whole request do not hide the others", async () => {
  const snapshot = await fixture.request("evm_snapshot");
  const service = await fixture.serve({
    faults: [
      { kind: "refuse", feedId: 5_826_765n },
      { kind: "server-error", feedId: 2_005_822_447n },
    ],
  });
  const report = await relayOnce(await fixture.context(clientOf(service)));
  expect(statusesOf(report)).toEqual(["failed", "updated", "updated", "failed"]);
  await fixture.request("evm_revert", [snapshot]);
});

/** Faults that stop nobody, or not in this way; see the tests below. */
type HarmlessFaultKind = "wrong-content-type" | "stale-cache" | "sales-for-rental";

/** What each other fault of the whole service must come to: the code of the error. */
const ERRORS: Record<Exclude<ServiceFaultKind, HarmlessFaultKind>, string> = {
  "rate-limited": "API_RATE_LIMITED",
  "no-credits": "API_CREDITS_EXHAUSTED",
  forbidden: "API_FORBIDDEN",
  unauthorized: "API_UNAUTHORIZED",
  unavailable: "API_UNAVAILABLE",
  slow: "API_TIMEOUT",
  "not-json": "API_UNEXPECTED_RESPONSE",
  truncated: "API_UNEXPECTED_RESPONSE",
  // At ten in the morning yesterday's prices have expired, and the service does not sign them any more.
  yesterday: "",
  "server-error": "API_UNAVAILABLE",
  "broken-json": "API_UNEXPECTED_RESPONSE",
  "cut-off": "API_UNEXPECTED_RESPONSE",
};

test.each(Object.entries(ERRORS))(
  "a service with the fault %s: nothing is sent, and the reason is told",
  async (kind, code) => {
    const service = await fixture.serve({ faults: [{ kind: kind as ServiceFaultKind }] });
    const context = await fixture.context(clientOf(service, { timeoutMs: 100, maxRetryDelayMs: 20 }));
    const run = relayOnce(context);
    if (code === "") {
      const report = await run;
      expect(report.ok).toBe(false);
      expect(statusesOf(report)).toEqual(["failed", "failed", "failed", "failed"]);
      expect(feedOfReport(report, 5_826_765n).reason).toContain("ExpiryPassed");
    } else {
      const error = await run.catch((error: unknown) => error);
      expect(error).toBeInstanceOf(HomePriceError);
      expect(error).toMatchObject({ code, kind: "failure" });
    }
    const { publicClient } = fixture.connection;
    expect(await publicClient.getTransactionCount({ address: context.chain.signer?.address ?? "0x" })).toBe(0);
  },
);

test("yesterday's edition is carried while it is valid, because the date to expect is the service's to say", async () => {
  const service = await fixture.serve({
    faults: [{ kind: "yesterday" }],
    // 8:00 in New York: the edition of the day before still has 25 minutes.
    nowMs: () => BigInt(Date.parse("2026-03-04T13:00:00Z")),
  });
  const context = await fixture.context(clientOf(service));
  vi.setSystemTime("2026-03-04T13:00:00Z");
  const report = await relayOnce(context, { dryRun: true });
  vi.setSystemTime(NOW);
  expect(statusesOf(report)).toEqual(["planned", "planned", "planned", "planned"]);
  expect(report.feeds.map(({ date }) => date)).toEqual(Array(4).fill("2026-03-03"));
});

test("prices under a wrong content type are carried: their signatures are what counts", async () => {
  const snapshot = await fixture.request("evm_snapshot");
  const service = await fixture.serve({ faults: [{ kind: "wrong-content-type" }] });
  const report = await relayOnce(await fixture.context(clientOf(service)));
  expect(statusesOf(report)).toEqual(["updated", "updated", "updated", "updated"]);
  await fixture.request("evm_revert", [snapshot]);
});

test("sales prices that come for rental ones are refused, and the sales prices land", async () => {
  const snapshot = await fixture.request("evm_snapshot");
  const service = await fixture.serve({ faults: [{ kind: "sales-for-rental" }] });
  const report = await relayOnce(await fixture.context(clientOf(service)));
  expect(statusesOf(report)).toEqual(["updated", "updated", "refused", "refused"]);
  expect(feedOfReport(report, 2_005_826_765n).reason).toMatch(/^WrongFeed: /);
  expect((await fixture.stored(2_005_826_765n))?.price).toBe(0n);
  await fixture.request("evm_revert", [snapshot]);
});

test("a stale cache changes nothing that is on the chain already", async () => {
  const snapshot = await fixture.request("evm_snapshot");
  const service = await fixture.serve();
  const context = await fixture.context(clientOf(service));
  expect((await relayOnce(context)).ok).toBe(true);
  service.setFaults([{ kind: "stale-cache" }]);
  const report = await relayOnce(context);
  expect(report.transactions).toEqual([]);
  expect(statusesOf(report)).toEqual(["current", "current", "current", "current"]);
  await fixture.request("evm_revert", [snapshot]);
});
