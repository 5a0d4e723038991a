import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import type { AuditedTransaction } from "../../simulation/violations/chainAudit.ts";
import { findDeadWithoutAlert, SILENCE_MS, ToldAlerts } from "../../simulation/violations/deadWithoutAlert.ts";
import { findFeedNotCurrent } from "../../simulation/violations/feedNotCurrent.ts";
import { OverBudget } from "../../simulation/violations/overBudget.ts";
import { PaidTwice } from "../../simulation/violations/paidTwice.ts";
import { findPricesNotSigned } from "../../simulation/violations/priceNotSigned.ts";
import { findStateLost, findUnknownTransactions, readJournalContents } from "../../simulation/violations/stateLost.ts";

const NOON_MS = Date.UTC(2026, 2, 3, 12);

function transaction(fields: Partial<AuditedTransaction>): AuditedTransaction {
  return {
    hash: "0x01",
    sender: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    nonce: 0,
    blockTimeMs: NOON_MS,
    costWei: 10n,
    updates: [],
    taken: [],
    ...fields,
  };
}

describe("the rules of the simulation", () => {
  it("notice an update that two transactions carry, and no other", () => {
    const rule = new PaidTwice();
    expect(rule.find([transaction({ hash: "0x01", updates: ["a", "b"] })])).toEqual([]);
    expect(rule.find([transaction({ hash: "0x02", updates: ["c"] })])).toEqual([]);
    expect(rule.find([transaction({ hash: "0x03", updates: ["b", "d"] })])).toHaveLength(1);
  });

  it("notice a day that costs more than it may, once, and count each day for itself", () => {
    const rule = new OverBudget(25n);
    expect(rule.find([transaction({}), transaction({})])).toEqual([]);
    expect(rule.find([transaction({ blockTimeMs: NOON_MS + 86_400_000 })])).toEqual([]);
    expect(rule.find([transaction({})])).toHaveLength(1);
    expect(rule.find([transaction({})])).toEqual([]);
  });

  it("notice a price that was not signed", () => {
    const taken = ["1/2/3", "1/2/4"];
    expect(findPricesNotSigned([transaction({ taken })], (identity) => identity === "1/2/3")).toHaveLength(1);
    expect(findPricesNotSigned([transaction({ taken })], () => true)).toEqual([]);
  });

  it("notice a feed that holds another price, another date, an expired price or nothing", () => {
    const expected = { chain: "one", feedId: 1n, day: 20_515, prices: [5n, 6n], because: "of the test" };
    const stored = { price: 6n, day: 20_515, publishTime: 0n, expiry: BigInt(NOON_MS / 1000 + 60) };
    expect(findFeedNotCurrent(expected, stored, NOON_MS)).toEqual([]);
    expect(findFeedNotCurrent(expected, { ...stored, price: 7n }, NOON_MS)).toHaveLength(1);
    expect(findFeedNotCurrent(expected, { ...stored, day: 20_514 }, NOON_MS)).toHaveLength(1);
    expect(findFeedNotCurrent(expected, stored, NOON_MS + 61_000)).toHaveLength(1);
    expect(findFeedNotCurrent(expected, undefined, NOON_MS)).toHaveLength(1);
  });

  it("notice a dead feed that nobody has been told of, once a relayer had time to tell", () => {
    const alerts = new ToldAlerts();
    const dead = { chain: "one", feedId: 1n, deadSinceMs: NOON_MS, upSinceMs: NOON_MS - 1 };
    const later = NOON_MS + SILENCE_MS;
    expect(findDeadWithoutAlert(dead, alerts, later - 1)).toEqual([]);
    expect(findDeadWithoutAlert(dead, alerts, later)).toHaveLength(1);
    expect(findDeadWithoutAlert({ ...dead, upSinceMs: undefined }, alerts, later)).toEqual([]);
    expect(findDeadWithoutAlert({ ...dead, upSinceMs: NOON_MS + 1 }, alerts, later)).toEqual([]);
    const tell = (status: string, scope: string, severity: string) =>
      alerts.receive(JSON.stringify({ status, alerts: [{ scope, kind: "k", subject: "", severity }] }));
    tell("firing", "chain:one", "warning");
    tell("firing", "chain:two", "critical");
    expect(findDeadWithoutAlert(dead, alerts, later)).toHaveLength(1);
    tell("firing", "chain:one", "critical");
    expect(findDeadWithoutAlert(dead, alerts, later)).toEqual([]);
    tell("resolved", "chain:one", "critical");
    expect(findDeadWithoutAlert(dead, alerts, later)).toHaveLength(1);
  });

  it("notice what a journal no longer holds, unless it is old enough to be let go", () => {
    const before = new Map([
      ["transaction 0x01", 5],
      ["transaction 0x02", 50],
    ]);
    expect(findStateLost(before, new Map(before), 0)).toEqual([]);
    expect(findStateLost(before, new Map([["transaction 0x02", 50]]), 10)).toEqual([]);
    expect(findStateLost(before, new Map([["transaction 0x01", 5]]), 10)).toEqual([
      "the journal no longer has transaction 0x02",
    ]);
    expect(findUnknownTransactions(["0x01", "0x03"], before)).toHaveLength(1);
  });

  it("read a real journal's file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "homeprice-test-"));
    try {
      const path = join(folder, "journal.sqlite");
      const journal = await openJournal(path);
      await journal.openAttempt({
        target: { chainId: 5, oracle: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
        sender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        nonce: 0,
        gasLimit: 1n,
        updates: [],
        transaction: {
          hash: `0x${"ab".repeat(32)}`,
          rawTransaction: "0x02",
          carriesUpdates: true,
          maxFeePerGas: 1n,
          maxPriorityFeePerGas: 1n,
          host: "https://node.example",
          signedAtMs: 1_000n,
        },
      });
      expect([...readJournalContents(path, 0).keys()]).toEqual([`transaction 0x${"ab".repeat(32)}`]);
      expect(readJournalContents(path, 2_000).size).toBe(0);
      await journal.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
