import { dateOfDay } from "../message/calendarDate.ts";
import type { Condition } from "../watch/condition.ts";
import type { CollectContext } from "./collectContext.ts";
import type { EditionReport } from "./collectionReport.ts";

/** For how many days after the next edition people are told of one that never came. */
const TOLD_DAYS = 3;

/** How far back an edition before the gap is looked for. */
const LOOK_BACK_DAYS = 366;

/**
 * Dates between two editions of which no price ever came, because the relayer was down or the service was. The service
 * hands out the latest edition only: nothing can bring the others any more.
 */
export async function skippedEditions(
  { journal }: Pick<CollectContext, "journal">,
  { kind, day: newest }: Pick<EditionReport, "kind" | "day">,
): Promise<Condition | undefined> {
  if (newest === undefined) return undefined;
  const received = await journal.editionDaysSince(kind, newest - LOOK_BACK_DAYS);
  const gaps = received.flatMap((day, index) => {
    const before = received[index - 1];
    const isGap = before !== undefined && day - before > 1 && newest - day < TOLD_DAYS;
    return isGap ? [spanOf(before + 1, day - 1)] : [];
  });
  if (gaps.length === 0) return undefined;
  return {
    kind: "edition-missed",
    subject: kind,
    severity: "critical",
    message: `no ${kind} price of ${gaps.join(", ")} was ever received`,
    hint: "Nothing can bring these dates any more: the service hands out the latest edition only. See whether the relayer was down, or the service.",
  };
}

function spanOf(first: number, last: number): string {
  return first === last ? dateOfDay(first) : `${dateOfDay(first)} to ${dateOfDay(last)}`;
}
