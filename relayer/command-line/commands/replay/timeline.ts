import type { ArchivedPrice, Attempt, HistoryEntry, RefusalRecord } from "../../../journal/journal.ts";
import { formatTimeMs } from "../../../message/timeWindows.ts";
import { plural } from "../../../wording/plural.ts";

/** Something that happened to the prices of a date. */
export type TimelineEvent = {
  readonly at: string;
  readonly event: "received" | "refused" | "planned" | "signed" | "mined" | "final" | "displaced" | "settled";
  /** Of an event on a chain. */
  readonly chainId?: number;
  readonly text: string;
};

type TimedEvent = Omit<TimelineEvent, "at"> & { readonly atMs: bigint };

/** What is known of a date. */
export type DayRecords = {
  readonly prices: readonly ArchivedPrice[];
  readonly refusals: readonly RefusalRecord[];
  readonly deliveries: readonly HistoryEntry[];
  readonly attempts: readonly Attempt[];
};

/** Everything that happened to the prices of a date, oldest first; what happened to many at once is one event. */
export function timelineOf({ prices, refusals, deliveries, attempts }: DayRecords): TimelineEvent[] {
  const events = [
    ...receivedEvents(prices),
    ...refusals.map(refusedEvent),
    ...deliveryEvents(deliveries),
    ...attempts.flatMap(attemptEvents),
  ];
  return events
    .toSorted((a, b) => (a.atMs < b.atMs ? -1 : a.atMs > b.atMs ? 1 : 0))
    .map(({ atMs, ...event }) => ({ at: formatTimeMs(atMs), ...event }));
}

function receivedEvents(prices: readonly ArchivedPrice[]): TimedEvent[] {
  return [...Map.groupBy(prices, ({ receivedAtMs }) => receivedAtMs)].map(([atMs, group]) => ({
    atMs,
    event: "received",
    text: `${plural(group.length, "price")} received`,
  }));
}

function refusedEvent(refusal: RefusalRecord): TimedEvent {
  const { kind, marketId, code, reason, times, firstReceivedMs, lastReceivedMs } = refusal;
  const what = marketId === undefined ? `a ${kind} item` : `the ${kind} price of market ${marketId}`;
  const often = times > 1 ? ` (${times} times, until ${formatTimeMs(lastReceivedMs)})` : "";
  return { atMs: firstReceivedMs, event: "refused", text: `refused ${what}: ${code}, ${reason}${often}` };
}

function deliveryEvents(deliveries: readonly HistoryEntry[]): TimedEvent[] {
  const all = deliveries.flatMap(({ delivery }): (TimedEvent & { readonly what: string })[] => {
    const { target, plannedAtMs, finalAtMs, updatedAtMs, state, attemptId, reason } = delivery;
    const { chainId } = target;
    const events = [];
    if (plannedAtMs !== undefined) {
      events.push({ atMs: plannedAtMs, event: "planned" as const, chainId, text: "", what: "planned" });
    }
    if (finalAtMs !== undefined) {
      events.push({ atMs: finalAtMs, event: "final" as const, chainId, text: "", what: "final" });
    }
    // What is settled without a transaction of ours has no other event.
    if (attemptId === undefined && state !== "planned") {
      const what = reason === undefined ? state : `${state}: ${reason}`;
      events.push({ atMs: updatedAtMs, event: "settled" as const, chainId, text: "", what });
    }
    return events;
  });
  const alike = Map.groupBy(all, ({ atMs, chainId, what }) => `${atMs} ${chainId} ${what}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { what, ...event } = first;
    return { ...event, text: `${plural(group.length, "price")} ${what}` };
  });
}

function attemptEvents({ target, nonce, transactions, updates, mined, state }: Attempt): TimedEvent[] {
  const { chainId } = target;
  const signed = transactions.map(({ hash, signedAtMs, carriesUpdates }, index): TimedEvent => {
    const what = carriesUpdates ? `with ${plural(updates.length, "price")}` : "that only uses up the nonce";
    const order = index === 0 ? "transaction" : "replacement";
    return { atMs: signedAtMs, event: "signed", chainId, text: `${order} ${hash} (nonce ${nonce}) ${what}` };
  });
  const last = transactions.at(-1)?.signedAtMs ?? 0n;
  if (state === "displaced") {
    // When that was noticed is not on record.
    return [
      ...signed,
      { atMs: last, event: "displaced", chainId, text: `nonce ${nonce} was used by a foreign transaction` },
    ];
  }
  if (!mined) return signed;
  const outcomes = [...Map.groupBy(updates, ({ outcome }) => outcome?.outcome ?? "brought nothing")]
    .map(([outcome, group]) => `${group.length} ${outcome}`)
    .join(", ");
  const result = mined.succeeded ? outcomes || "no price" : "failed as a whole";
  return [
    ...signed,
    {
      atMs: mined.minedAtMs,
      event: "mined",
      chainId,
      text: `${mined.hash} in block ${mined.blockNumber}: ${result}; ${mined.gasUsed} gas`,
    },
  ];
}
