import { describe, expect, it } from "vitest";
import type { Journal } from "../../relayer/journal/journal.ts";
import { AlertBook } from "../../relayer/watch/alertBook.ts";
import { createWebhook } from "../../relayer/watch/webhook.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { Receiver, SECRET_PATH } from "./receiver.ts";
import { conditionOf, HOUR_MS, MINUTE_MS, START_MS } from "./reports.ts";
import { journalFolder, unreliable } from "./testJournal.ts";

function bookOf(journal: Journal, receiver: Receiver | undefined) {
  const { log, lines, text } = recordingLog();
  const webhook = receiver && createWebhook({ url: receiver.url, log, timeoutMs: 200, retries: 1, minRetryDelayMs: 1 });
  const book = new AlertBook({ journal, webhook, log, repeatAfterMs: 12 * 3_600_000 });
  return { book, lines, text };
}

async function start() {
  const folder = journalFolder();
  const journal = await folder.open();
  const receiver = await Receiver.start();
  return { folder, journal, receiver, ...bookOf(journal, receiver) };
}

/** What came, in short: status and kinds. */
const told = ({ bodies }: Receiver): string[] =>
  bodies.map(({ status, alerts }) => `${status}: ${alerts.map(({ kind }: { kind: string }) => kind).join(", ")}`);

describe("what stands", () => {
  it("is told at once, all of a scope in one message, and not again", async () => {
    const { book, receiver } = await start();
    const conditions = [conditionOf("signer-changed"), conditionOf("price-refused", { subject: "5826765" })];
    await book.reconcile("service", conditions, START_MS);
    await book.reconcile("service", conditions, START_MS + MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed, price-refused"]);
    expect(receiver.bodies[0].alerts[1]).toEqual({
      kind: "price-refused",
      scope: "service",
      subject: "5826765",
      severity: "warning",
      message: "price-refused was found, with 3 values",
      hint: "Do something about price-refused.",
      sinceIso: "2026-03-02T12:30:00.000Z",
    });
  });

  it("is told apart by its subject and by its scope", async () => {
    const { book, receiver } = await start();
    await book.reconcile("chain:base", [conditionOf("paused", { subject: "1" })], START_MS);
    await book.reconcile(
      "chain:base",
      [conditionOf("paused", { subject: "1" }), conditionOf("paused", { subject: "2" })],
      START_MS,
    );
    await book.reconcile("chain:mainnet", [conditionOf("paused", { subject: "1" })], START_MS);
    expect(
      receiver.bodies.map(({ alerts }) => alerts.map((a: { scope: string; subject: string }) => [a.scope, a.subject])),
    ).toEqual([[["chain:base", "1"]], [["chain:base", "2"]], [["chain:mainnet", "1"]]]);
  });

  it("is told again once the repeat time has passed, with the values of then", async () => {
    const { book, receiver } = await start();
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    await book.reconcile(
      "service",
      [conditionOf("signer-changed", { message: "newer values" })],
      START_MS + 11n * HOUR_MS,
    );
    expect(receiver.bodies.length).toBe(1);
    await book.reconcile(
      "service",
      [conditionOf("signer-changed", { message: "newest values" })],
      START_MS + 12n * HOUR_MS,
    );
    expect(receiver.bodies.length).toBe(2);
    expect(receiver.bodies[1].alerts[0]).toMatchObject({
      message: "newest values",
      sinceIso: "2026-03-02T12:30:00.000Z",
    });
  });

  it("is told anew when it becomes critical", async () => {
    const { book, receiver } = await start();
    await book.reconcile("chain:base", [conditionOf("balance-low")], START_MS);
    await book.reconcile("chain:base", [conditionOf("balance-low", { severity: "critical" })], START_MS + MINUTE_MS);
    await book.reconcile(
      "chain:base",
      [conditionOf("balance-low", { severity: "critical" })],
      START_MS + 2n * MINUTE_MS,
    );
    expect(receiver.bodies.map(({ alerts }) => alerts[0].severity)).toEqual(["warning", "critical"]);
  });

  it("is told as recovered once it is over, and as new when it comes back", async () => {
    const { book, receiver, journal } = await start();
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    await book.reconcile("service", [], START_MS + HOUR_MS);
    expect(await journal.alerts()).toEqual([]);
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS + 2n * HOUR_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed", "resolved: signer-changed", "firing: signer-changed"]);
    expect(receiver.bodies[1].text).toContain(
      "[RECOVERED] service: signer-changed, which stood since 2026-03-02T12:30",
    );
  });
});

describe("what comes and goes", () => {
  it("is not told before it has stood for as long as its kind must", async () => {
    const { book, receiver } = await start();
    const conditions = [conditionOf("service-down", { severity: "critical" })];
    await book.reconcile("service", conditions, START_MS);
    await book.tellDue(["service"], START_MS + 5n * MINUTE_MS - 1n);
    expect(told(receiver)).toEqual([]);
    await book.tellDue(["service"], START_MS + 5n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: service-down"]);
  });

  it("is never told when it has gone before", async () => {
    const { book, receiver, journal } = await start();
    await book.reconcile("service", [conditionOf("service-down")], START_MS);
    await book.reconcile("service", [], START_MS + 4n * MINUTE_MS);
    await book.tellDue(["service"], START_MS + HOUR_MS);
    expect(told(receiver)).toEqual([]);
    expect(await journal.alerts()).toEqual([]);
  });
});

describe("several processes and restarts", () => {
  it("do not tell what has been told already", async () => {
    const { folder, book, receiver } = await start();
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    const other = bookOf(await folder.open(), receiver);
    await other.book.reconcile("service", [conditionOf("signer-changed")], START_MS + MINUTE_MS);
    await other.book.tellDue(["service"], START_MS + 2n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed"]);
    await other.book.reconcile("service", [], START_MS + 3n * MINUTE_MS);
    await book.reconcile("service", [], START_MS + 3n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed", "resolved: signer-changed"]);
  });

  it("wait on for what one of them has seen first", async () => {
    const { folder, book, receiver } = await start();
    await book.reconcile("service", [conditionOf("service-down")], START_MS);
    const other = bookOf(await folder.open(), receiver);
    await other.book.reconcile("service", [conditionOf("service-down")], START_MS + 5n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: service-down"]);
  });

  it("tell after a restart what was over before it could be told", async () => {
    const { folder, book, receiver } = await start();
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    receiver.reaction = { status: 500 };
    await book.reconcile("service", [], START_MS + MINUTE_MS);
    receiver.reaction = { status: 200 };
    receiver.received.length = 0;
    const restarted = bookOf(await folder.open(), receiver);
    await restarted.book.reconcile("service", [], START_MS + 2n * MINUTE_MS);
    expect(told(receiver)).toEqual(["resolved: signer-changed"]);
  });
});

describe("a webhook that is down", () => {
  it("loses nothing: what it did not take is told until it does", async () => {
    const { book, receiver, journal } = await start();
    receiver.reaction = { status: 503 };
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    receiver.reaction = "hang";
    await book.tellDue(["service"], START_MS + MINUTE_MS);
    expect((await journal.alerts())[0]?.toldAtMs).toBeUndefined();
    receiver.reaction = { status: 200 };
    receiver.received.length = 0;
    await book.tellDue(["service"], START_MS + 2n * MINUTE_MS);
    await book.tellDue(["service"], START_MS + 3n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed"]);
    expect(receiver.bodies[0].alerts[0].sinceIso).toBe("2026-03-02T12:30:00.000Z");
  });

  it("still hears of what should have been told and is over by now", async () => {
    const { book, receiver } = await start();
    receiver.reaction = { status: 503 };
    await book.reconcile("chain:base", [conditionOf("reorganised")], START_MS);
    await book.reconcile("chain:base", [], START_MS + MINUTE_MS);
    receiver.reaction = { status: 200 };
    receiver.received.length = 0;
    await book.tellDue(["chain:base"], START_MS + 2n * MINUTE_MS);
    expect(told(receiver)).toEqual(["resolved: reorganised"]);
  });

  it("is left alone for a while, is told of once in the log, and its address stands nowhere", async () => {
    const { book, receiver, lines, text } = await start();
    receiver.reaction = { status: 404 };
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    await book.tellDue(["service"], START_MS + 1_000n);
    expect(receiver.received.length).toBe(1);
    await book.tellDue(["service"], START_MS + MINUTE_MS);
    expect(receiver.received.length).toBe(2);
    expect(lines.filter(({ msg }) => msg.startsWith("alert:")).length).toBe(1);
    expect(lines.find(({ msg }) => msg.startsWith("the webhook"))).toMatchObject({
      webhook: receiver.host,
      reason: "it answered 404",
    });
    expect(text()).not.toContain(SECRET_PATH);
  });
});

describe("without a webhook", () => {
  it("the log tells, once", async () => {
    const { book, lines } = bookOf(await journalFolder().open(), undefined);
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS + MINUTE_MS);
    await book.reconcile("service", [], START_MS + 2n * MINUTE_MS);
    expect(lines.map(({ msg }) => msg)).toEqual([
      "alert: signer-changed was found, with 3 values",
      "recovered: signer-changed was found, with 3 values",
    ]);
  });
});

describe("a journal that is out of reach", () => {
  it("does not silence the book, which writes down later what it has told", async () => {
    const folder = journalFolder();
    const journal = unreliable(await folder.open());
    const receiver = await Receiver.start();
    const { book, text } = bookOf(journal, receiver);
    await book.reconcile("service", [conditionOf("signer-changed")], START_MS);
    journal.isDown = true;
    await book.reconcile("chain:base", [conditionOf("paused")], START_MS + MINUTE_MS);
    await book.reconcile("chain:base", [conditionOf("paused")], START_MS + 2n * MINUTE_MS);
    await book.reconcile("service", [], START_MS + 2n * MINUTE_MS);
    expect(told(receiver)).toEqual(["firing: signer-changed", "firing: paused", "resolved: signer-changed"]);
    expect(book.journalProblem).toBe("SQLITE_FULL");
    expect(text()).not.toContain("/secret/path");

    journal.isDown = false;
    await book.tellDue(["service", "chain:base"], START_MS + 3n * MINUTE_MS);
    expect(book.journalProblem).toBeUndefined();
    const other = await folder.open();
    expect((await other.alerts()).map(({ kind, toldAtMs }) => [kind, toldAtMs])).toEqual([
      ["paused", START_MS + MINUTE_MS],
    ]);
    expect(receiver.received.length).toBe(3);
  });
});

it("a place that nobody watches any more is forgotten", async () => {
  const { book, journal, receiver } = await start();
  await book.reconcile("chain:base", [conditionOf("paused")], START_MS);
  await book.reconcile("chain:gone", [conditionOf("paused")], START_MS);
  await book.forgetScopes((scope) => scope === "chain:base");
  expect((await journal.alerts()).map(({ key }) => key)).toEqual(['["chain:base","paused",""]']);
  expect(book.standing().map(({ scope }) => scope)).toEqual(["chain:base"]);
  expect(told(receiver)).toEqual(["firing: paused", "firing: paused"]);
});
