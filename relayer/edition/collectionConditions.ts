import type { HomePriceError } from "../errors/HomePriceError.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import type { FeedKind } from "../message/feedId.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import type { CollectedPrice } from "../relay/collectPrices.ts";
import { calendarDateIn } from "../relay/futureDate.ts";
import { ForbiddenError, UnauthorizedError } from "../service/serviceErrors.ts";
import type { Condition } from "../watch/condition.ts";
import { DISCOVER_LAYOUT } from "../wording/discoverLayout.ts";
import { feedName } from "../wording/feedName.ts";
import { listSome } from "../wording/listSome.ts";
import type { KindAnswer } from "./askForPrices.ts";
import { clockCondition, isClockTooFar } from "./clockDifference.ts";
import type { CollectContext } from "./collectContext.ts";
import type { EditionReport } from "./collectionReport.ts";
import { creditCondition, isOutOfCredits } from "./creditCondition.ts";
import type { DueEdition } from "./editionClock.ts";
import { dayOfRefused, OLD_EDITION_CODES } from "./judgeEdition.ts";
import { lackingMarkets } from "./lackingMarkets.ts";
import type { PriceArchive } from "./priceArchive.ts";
import { signatureCondition } from "./signatureCondition.ts";
import { diagnoseSignatures, type RefusedPrice } from "./signatureDiagnosis.ts";
import { skippedEditions } from "./skippedEditions.ts";

type Found = {
  readonly answers: readonly KindAnswer[];
  readonly editions: readonly EditionReport[];
  readonly archive: PriceArchive;
  readonly due: DueEdition | undefined;
};

/** What a person should know of the price service, as of one question. */
export async function collectionConditions(context: CollectContext, found: Found): Promise<Condition[]> {
  const { answers, editions, archive, due } = found;
  const nowMs = context.nowMs();
  const conditions: (Condition | undefined)[] = [];
  const reading = context.clockReading?.();
  conditions.push(reading && clockCondition(reading));
  conditions.push(creditCondition(context, answers.find(({ error }) => error && isOutOfCredits(error))?.error));
  conditions.push(...serviceDown(answers, editions, due, nowMs));

  const refused = answers.flatMap(({ feeds }) => feeds.filter(isRefused));
  const came = answers.flatMap(({ feeds }) => feeds.filter(({ outcome }) => outcome === "checked")).length;
  const diagnosis = diagnoseSignatures(refused, came + refused.length, context.rules);
  if (diagnosis) conditions.push(signatureCondition(diagnosis, context.signerDelaySeconds));
  const explained = new Set(diagnosis?.explained);

  for (const [index, answer] of answers.entries()) {
    const edition = editions[index];
    if (!edition) continue;
    const unexplained = answer.feeds.filter(isRefused).filter((price) => !explained.has(price));
    const future = unexplained.filter((price) => isOfFutureDate(price, context));
    const others = unexplained.filter((price) => !future.includes(price));
    conditions.push(
      editionLate(edition, due, nowMs),
      await skippedEditions(context, edition),
      editionOlder(edition, answer),
      editionFuture(edition.kind, future, reading !== undefined && isClockTooFar(reading)),
      ofAnotherMarket(answer, others),
      refusedPrices(answer, edition, others),
      unreadableItems(answer),
      ...(await lackingMarkets(answer, edition, archive)),
    );
  }
  return conditions.filter((condition) => condition !== undefined);
}

function isRefused(feed: CollectedPrice): feed is RefusedPrice {
  return feed.outcome === "refused";
}

/** No answer at all is one condition; of one kind only, it is that kind's. */
function serviceDown(
  answers: readonly KindAnswer[],
  editions: readonly EditionReport[],
  due: DueEdition | undefined,
  nowMs: bigint,
): Condition[] {
  const without = answers.filter(({ feeds }) => feeds.every(({ outcome }) => outcome === "failed"));
  const isAwaited = editions.some(({ isDueThere }) => !isDueThere);
  const isLate = due !== undefined && nowMs >= due.lateAtMs && isAwaited;
  const describe = (error: HomePriceError, subject: string): Condition | undefined => {
    // Of credits there is a condition of its own.
    if (isOutOfCredits(error)) return undefined;
    const needsSomebody = error instanceof UnauthorizedError || error instanceof ForbiddenError;
    return {
      kind: "service-down",
      subject,
      severity: needsSomebody || isLate ? "critical" : "warning",
      message: `the price service gives no ${subject === "" ? "" : `${subject} `}prices: ${error.message}`,
      hint: needsSomebody ? error.hint : `${error.hint} The relayer goes on asking by itself.`,
    };
  };
  const [first] = without;
  if (!first?.error) return [];
  if (without.length === answers.length) return [describe(first.error, "")].filter((each) => each !== undefined);
  return without.flatMap(({ kind, error }) => (error && describe(error, kind)) ?? []);
}

function editionLate(edition: EditionReport, due: DueEdition | undefined, nowMs: bigint): Condition | undefined {
  const { kind, status, date } = edition;
  if (!due || nowMs < due.lateAtMs || edition.isDueThere) return undefined;
  const newest = date === undefined ? "none has ever come" : `the newest is of ${date}`;
  const how = status === "unknown" ? "; the service gave no price that could be used" : "";
  return {
    kind: "edition-late",
    subject: kind,
    severity: "critical",
    message: `the edition of ${kind} prices that has been due since ${formatTimeMs(due.dueMs)} is not there: ${newest}${how}`,
    hint: "The relayer goes on asking by itself, at least every 15 minutes. If the service publishes at another time now, correct schedule, timeZone and editionLateAt; if not, ask the service's maker. The oracles serve the last prices until these expire.",
  };
}

function editionOlder({ kind, status, date }: EditionReport, { feeds }: KindAnswer): Condition | undefined {
  if (status !== "older") return undefined;
  const days = feeds.flatMap((feed) => (feed.outcome === "checked" ? [feed.price.message.date] : []));
  const newest = days.toSorted().at(-1);
  return {
    kind: "edition-older",
    subject: kind,
    severity: "warning",
    message: `the service gives ${kind} prices of ${newest ?? "an earlier date"} again, after it gave those of ${date}`,
    hint: "Nothing of it is sent, and nothing is lost: the oracles keep the newer prices until these expire. An old cache at the service does this; if it stays so, ask the service's maker.",
  };
}

function editionFuture(
  kind: FeedKind,
  future: readonly RefusedPrice[],
  isOurClockInDoubt: boolean,
): Condition | undefined {
  const [first] = future;
  if (!first) return undefined;
  return {
    kind: "edition-future",
    subject: kind,
    severity: "critical",
    message: `${describeCount(future.length, kind)} refused, of a date that has not begun: ${first.refusal.message}`,
    hint: isOurClockInDoubt
      ? "This machine's clock and the service's differ: see clock-differs first."
      : "Compare timeZone with the service's, and this machine's clock with a time server; if both are right, ask the service's maker.",
  };
}

/** Whether a price was refused because its date is after today's, in the service's time zone. */
function isOfFutureDate(price: RefusedPrice, { rules, nowMs }: CollectContext): boolean {
  if (price.refusal.code === "FutureDate") return true;
  if (price.refusal.code !== "PublishedBeforeDate") return false;
  const day = dayOfRefused(price, rules);
  return day !== undefined && dateOfDay(day) > calendarDateIn(nowMs(), rules.timeZone);
}

function ofAnotherMarket({ kind, strays }: KindAnswer, refused: readonly RefusedPrice[]): Condition | undefined {
  const wrong = refused.filter(({ refusal }) => refusal.code === "WrongFeed");
  const unasked = strays.filter(({ refusal }) => refusal.code === "WrongFeed");
  if (wrong.length + unasked.length === 0) return undefined;
  const found = [
    ...wrong.map((feed) => `${feedName(feed)}: ${feed.refusal.message}`),
    ...unasked.map(({ refusal }) => refusal.message),
  ];
  return {
    kind: "price-of-another-market",
    subject: kind,
    severity: "critical",
    message: `the service gives prices of other markets than those that were asked for: ${listSome(found)}`,
    hint: "These prices are refused, and nothing of them is sent. Compare rentalOffset and the ids of the markets with the service's; if they are right, ask its maker.",
  };
}

function refusedPrices(
  { kind, feeds }: KindAnswer,
  { status }: EditionReport,
  refused: readonly RefusedPrice[],
): Condition | undefined {
  const others = refused.filter(({ refusal }) => {
    if (refusal.code === "WrongFeed") return false;
    // That the edition before has expired by now is what its being late means.
    return !(OLD_EDITION_CODES.has(refusal.code) && (status === "not-published" || status === "late"));
  });
  if (others.length === 0) return undefined;
  const isMost = others.length * 2 >= feeds.length;
  const hint = isMost
    ? `Run homeprice doctor: it names what most of the prices have in common. ${DISCOVER_LAYOUT}`
    : "Nothing of them is sent, and the relayer asks again with growing pauses. If the same markets stay bad, ask the service's maker; homeprice history shows what came.";
  return {
    kind: "price-refused",
    subject: kind,
    severity: isMost ? "critical" : "warning",
    message: `${describeCount(others.length, kind)} refused: ${listSome(
      others.map(({ marketId, refusal }) => `market ${marketId}: ${refusal.code}, ${refusal.message}`),
    )}`,
    hint,
  };
}

/** Items whose market cannot be told: when there are many, the form of the answer is another one. */
function unreadableItems({ kind, feeds, strays }: KindAnswer): Condition | undefined {
  const unreadable = strays.filter(({ refusal }) => refusal.code !== "WrongFeed");
  const [first] = unreadable;
  if (!first) return undefined;
  const isForm = feeds.every(({ outcome }) => outcome !== "checked");
  return {
    kind: isForm ? "layout-changed" : "price-refused",
    subject: isForm ? kind : `${kind}, no market`,
    severity: isForm ? "critical" : "warning",
    message: `${unreadable.length} items of the answer with ${kind} prices cannot be read: ${first.refusal.message}`,
    hint: isForm
      ? "The form of the service's answers has changed: correct idPrefix and responseFields. Run homeprice doctor, which shows what came."
      : "Ask the service's maker what these items are.",
  };
}

function describeCount(count: number, kind: FeedKind): string {
  return count === 1 ? `one ${kind} price is` : `${count} ${kind} prices are`;
}
