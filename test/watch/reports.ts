import type { EndpointHealth } from "../../relayer/chain/chainAccess.ts";
import type { DeliveredFeed, DeliveredTransaction, DeliveryReport } from "../../relayer/deliver/deliveryReport.ts";
import type { CollectionReport } from "../../relayer/edition/collectionReport.ts";
import type { Condition, ConditionKind } from "../../relayer/watch/condition.ts";

/** 2026-03-02 12:30 UTC. */
export const START_MS = 1_772_454_600_000n;
export const MINUTE_MS = 60_000n;
export const HOUR_MS = 60n * MINUTE_MS;

const START_DAY = 20_514;

/** A clock that stands still until it is told to go on. */
export class TestClock {
  now = START_MS;
  readonly nowMs = (): bigint => this.now;

  advance(milliseconds: bigint): void {
    this.now += milliseconds;
  }
}

export function conditionOf(kind: ConditionKind, changes: Partial<Condition> = {}): Condition {
  return {
    kind,
    subject: "",
    severity: "warning",
    message: `${kind} was found, with 3 values`,
    hint: `Do something about ${kind}.`,
    ...changes,
  };
}

export function feedAt(feedId: bigint, changes: Partial<DeliveredFeed> = {}): DeliveredFeed {
  const isRental = feedId > 2_000_000_000n;
  return {
    feedId,
    marketId: isRental ? feedId - 2_000_000_000n : feedId,
    kind: isRental ? "rental" : "sales",
    status: "current",
    reason: undefined,
    onChain: {
      price: 21_694_000_000n,
      day: START_DAY,
      publishTime: START_MS / 1000n - 60n,
      expiry: START_MS / 1000n + 90_000n,
    },
    transaction: undefined,
    ...changes,
  };
}

export function endpointAt(host: string, changes: Partial<EndpointHealth> = {}): EndpointHealth {
  return {
    host,
    state: "usable",
    reason: "",
    headBlock: 100n,
    headTime: 1_772_454_590n,
    calls: 0,
    failures: 0,
    ...changes,
  };
}

export function transactionOf(nonce: number, changes: Partial<DeliveredTransaction> = {}): DeliveredTransaction {
  return {
    hash: `0x${nonce.toString(16).padStart(64, "0")}`,
    nonce,
    openedAtMs: START_MS,
    gasUsed: undefined,
    costWei: undefined,
    isFinal: false,
    feedIds: [5_826_765n],
    ...changes,
  };
}

/** A chain on which all is well. */
export function deliveryReport(name: string, changes: Partial<DeliveryReport> = {}): DeliveryReport {
  return {
    name,
    chainId: 31_337,
    oracle: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    feeds: [feedAt(5_826_765n), feedAt(2_005_826_765n)],
    transactions: [],
    unmined: 0,
    unfinal: 0,
    lookAgainAtMs: undefined,
    conditions: [],
    endpoints: [endpointAt("https://rpc.example", { calls: 10 })],
    balanceWei: 10n ** 18n,
    runwayDays: 100,
    spentTodayWei: 10n ** 15n,
    durationsMs: { settle: 120, plan: 300, send: 2_400 },
    ...changes,
  };
}

/** An answer of the service in which all is well. */
export function collectionReport(changes: Partial<CollectionReport> = {}): CollectionReport {
  return {
    feeds: [],
    strays: [],
    editions: [
      {
        kind: "sales",
        status: "new",
        day: START_DAY,
        date: "2026-03-02",
        publishTimeMs: START_MS - 60_000n,
        expectedSinceMs: START_MS,
        isComplete: true,
        isDueThere: true,
      },
    ],
    revisions: [],
    conditions: [],
    newPrices: 2,
    pricesAsked: 2,
    durationsMs: { fetch: 800, verify: 40 },
    ...changes,
  };
}
