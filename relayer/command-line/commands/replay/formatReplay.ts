import { plural } from "../../../wording/plural.ts";
import { formatTable } from "../../output.ts";
import type { ReplayedDay, ReplayedPrice } from "./replayDay.ts";

/** A replayed date for people: the timeline, then each price with what became of it, then the sum. */
export function formatReplay({ ok, date, prices, refusals, timeline }: ReplayedDay): string {
  if (prices.length === 0 && refusals.length === 0) return `The journal holds nothing of ${date}.`;
  const failed = prices.filter(({ failure }) => failure !== null);
  return [
    formatTable(
      ["time", "chain", "event", ""],
      timeline.map(({ at, chainId, event, text }) => [at, chainId === undefined ? "" : `${chainId}`, event, text]),
    ),
    formatTable(["market", "kind", "price", "received", "checks", "what became of it"], prices.map(rowOf)),
    `${plural(prices.length, "price")} of ${date}; ${plural(refusals.length, "item")} refused on that day (UTC).`,
    ok
      ? "Every archived price passes its checks as of when it was received."
      : `${plural(failed.length, "archived price")} did not pass the checks as of when it was received.`,
  ].join("\n");
}

function rowOf({ marketId, kind, price, receivedAt, failure, deliveries, attempts }: ReplayedPrice): string[] {
  const fates = deliveries.map(({ chainId, state, transaction, reason }) => {
    const why = transaction ?? reason;
    return `chain ${chainId}: ${state}${why === null ? "" : `, ${why}`}`;
  });
  // Another price of the same date has taken its place.
  const earlier = attempts.map(({ chainId, transaction, outcome, state }) => {
    return `chain ${chainId}: superseded after ${transaction} (${outcome ?? state})`;
  });
  const fate = deliveries.length > 0 ? fates : attempts.length > 0 ? earlier : ["never needed"];
  return [
    marketId,
    kind,
    price,
    receivedAt,
    failure ? `${failure.code}: ${failure.message}` : "passed",
    fate.join("\n"),
  ];
}
