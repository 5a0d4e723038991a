import type { EditionRecord } from "../journal/journal.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import type { Feed, FeedKind } from "../message/feedId.ts";
import { checkPriceMessage, decodePriceMessage } from "../message/priceMessage.ts";
import { messageBytesOf } from "../message/signedPrice.ts";
import type { CollectedPrice, PriceRules } from "../relay/collectPrices.ts";
import type { EditionReport, EditionStatus } from "./collectionReport.ts";
import { type DueEdition, isEditionOf } from "./editionClock.ts";
import type { RefusedPrice } from "./signatureDiagnosis.ts";

/** Refusals of prices that were in order once: the service still gives an old edition. */
export const OLD_EDITION_CODES: ReadonlySet<string> = new Set(["ExpiryPassed", "PublishTimeTooOld"]);

export type EditionEvidence = {
  readonly kind: FeedKind;
  /** Wanted feeds of the kind. */
  readonly wanted: readonly Feed[];
  /** What has just come. */
  readonly feeds: readonly CollectedPrice[];
  /** The newest edition of the journal before and after. */
  readonly before: EditionRecord | undefined;
  readonly after: EditionRecord | undefined;
  /** Feeds that have a price of the newest edition. */
  readonly arrived: ReadonlySet<bigint>;
  readonly due: DueEdition | undefined;
  readonly nowMs: bigint;
};

/** How the newest edition of a kind stands. */
export function judgeEdition(evidence: EditionEvidence, rules: PriceRules): EditionReport {
  const { kind, wanted, after, arrived, due } = evidence;
  return {
    kind,
    status: statusOf(evidence, rules),
    day: after?.day,
    date: after && dateOfDay(after.day),
    publishTimeMs: after?.publishTimeMs,
    expectedSinceMs: due?.dueMs,
    isDueThere: isDueEditionThere(after, due),
    isComplete: after !== undefined && arrived.size >= wanted.length,
  };
}

/** Whether the edition that is due is in the journal. */
export function isDueEditionThere(edition: EditionRecord | undefined, due: DueEdition | undefined): boolean {
  return edition !== undefined && (due === undefined || isEditionOf(edition, due.dueMs));
}

function statusOf({ feeds, before, after, due, nowMs }: EditionEvidence, rules: PriceRules): EditionStatus {
  const answered = newestDayOf(feeds, rules);
  if (answered === undefined) return "unknown";
  if (after && answered < after.day) return "older";
  if (isDueEditionThere(after, due)) return before?.day === after?.day ? "known" : "new";
  return due && nowMs >= due.lateAtMs ? "late" : "not-published";
}

/** The newest date that came, with a price that is in order or once was. */
function newestDayOf(feeds: readonly CollectedPrice[], rules: PriceRules): number | undefined {
  const days = feeds.flatMap((feed) => {
    if (feed.outcome === "checked") return [feed.price.message.day];
    if (feed.outcome !== "refused" || !OLD_EDITION_CODES.has(feed.refusal.code)) return [];
    return dayOfRefused(feed, rules) ?? [];
  });
  return days.length === 0 ? undefined : days.reduce((newest, day) => Math.max(day, newest));
}

/** The date inside the message of a price that was refused for another reason. */
export function dayOfRefused({ received }: RefusedPrice, { layout, rentalOffset }: PriceRules): number | undefined {
  if (!received) return undefined;
  const bytes = messageBytesOf(received, layout, rentalOffset);
  const decoded = bytes.ok ? decodePriceMessage(bytes.value, layout) : bytes;
  const message = decoded.ok ? checkPriceMessage(decoded.value, rentalOffset) : decoded;
  return message.ok ? message.value.day : undefined;
}
