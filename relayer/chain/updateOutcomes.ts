import { type Address, parseEventLogs, type TransactionReceipt } from "viem";
import type { UpdateOutcome } from "../journal/journal.ts";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import { describeOracleError } from "./oracleErrors.ts";

/** An update of a call, as the events of the oracle name it. */
export type SentUpdate = { readonly feedId: bigint; readonly publishTimeMs: bigint };

/**
 * What the oracle did with each update of a `tryUpdatePrices` call, from the events in its receipt: an update without an
 * event was not newer than what was stored, and skipped. None of a call that reverted has any effect.
 * @param updates In the order of the call.
 */
export function decodeOutcomes(
  receipt: TransactionReceipt,
  oracle: Address,
  updates: readonly SentUpdate[],
): UpdateOutcome[] {
  if (receipt.status === "reverted") {
    return updates.map(() => ({ outcome: "refused", reason: "the transaction reverted as a whole" }));
  }
  const outcomes: (UpdateOutcome | undefined)[] = updates.map(() => undefined);
  const ours = receipt.logs.filter(({ address }) => address.toLowerCase() === oracle.toLowerCase());
  const events = parseEventLogs({ abi: homePriceOracleAbi, logs: ours });
  for (const event of events) {
    if (event.eventName !== "UpdateRefused") continue;
    const reason = describeOracleError(event.args.reason)?.message ?? event.args.reason;
    outcomes[Number(event.args.index)] = { outcome: "refused", reason };
  }
  for (const event of events) {
    const outcome = outcomeOf(event.eventName);
    if (!outcome || !("publishTimeMs" in event.args)) continue;
    const { feedId, publishTimeMs } = event.args;
    // Of two with the same feed and time, the later one was passed over as not newer.
    const index = updates.findIndex(
      (update, position) => !outcomes[position] && update.feedId === feedId && update.publishTimeMs === publishTimeMs,
    );
    if (index >= 0) outcomes[index] = outcome;
  }
  return updates.map((_, index) => outcomes[index] ?? { outcome: "skipped" });
}

function outcomeOf(eventName: string): UpdateOutcome | undefined {
  switch (eventName) {
    case "PriceUpdated":
    case "PastPriceRecorded":
      return { outcome: "stored" };
    case "PriceQuarantined":
      return { outcome: "quarantined" };
    case "PastPriceOutOfBand":
      return { outcome: "refused", reason: "outside the feed's band, for a date that is not the newest" };
    default:
      return undefined;
  }
}
