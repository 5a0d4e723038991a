import type { ExaminedPrice } from "../../message/examinedPrice.ts";
import { FEED_KINDS } from "../../message/feedId.ts";
import type { CheckedPriceMessage } from "../../message/priceMessage.ts";
import type { Refusal } from "../../message/refusal.ts";
import { checkTimeWindows, DEFAULT_WINDOWS, formatTimeMs } from "../../message/timeWindows.ts";
import { calendarDateIn } from "../../relay/futureDate.ts";
import { previousRunMs } from "../../relay/schedule.ts";
import { DISCOVER_LAYOUT } from "../../wording/discoverLayout.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { SharedCheck } from "../check.ts";
import type { Examination } from "../examination.ts";
import { failed, ok, skipped, warning } from "../finding.ts";

/** The service publishes at "about" the time of the schedule: a little before is in time too. */
const EARLY_MS = 3_600_000n;

export const editionCheck: SharedCheck = {
  scope: "shared",
  name: "edition",
  about: "the service serves the newest edition, within its time windows",
  needs: ["api-key"],
  keys: ["layout", "rentalOffset", "maxExpiryAfterDateSeconds", "schedule", "timeZone"],
  run: async (examination) => {
    const prices = await examination.prices();
    const messages = prices.flatMap(({ message }) => (message.ok ? [message.value] : []));
    if (messages.length === 0) return skipped("no price came that could be read");
    const refused = prices.flatMap((price) => {
      const refusal = outOfTime(price, examination);
      return refusal ? [{ price, refusal }] : [];
    });
    const newest = describeNewest(prices);
    const [first] = refused;
    if (first) {
      const found = refused.map(({ price, refusal }) => `${feedName(price.received)} ${refusal.message}`);
      return failed(listSome(found), hintFor(first.refusal, first.price));
    }
    const { schedule: expression, timeZone } = examination.configuration;
    const due = previousRunMs({ expression, timeZone });
    if (due !== undefined && messages.some(({ publishTimeMs }) => publishTimeMs < due - EARLY_MS)) {
      return warning(
        `the edition that was due at ${formatTimeMs(due)} is not there yet: ${newest}`,
        "The service is late, as may happen; the daemon asks again by itself. If it stays so, compare schedule and timeZone with the service's own hours.",
      );
    }
    return ok(newest);
  },
};

/** Why a price could not be used now, of those reasons that have to do with time. */
function outOfTime({ message }: ExaminedPrice, { configuration, nowMs }: Examination): Refusal | undefined {
  if (!message.ok) return undefined;
  const { date } = message.value;
  const today = calendarDateIn(nowMs(), configuration.timeZone);
  // Dates of the form YYYY-MM-DD compare as text.
  if (date > today)
    return { code: "FutureDate", message: `is for ${date}, and today is ${today} (${configuration.timeZone})` };
  const windows = checkTimeWindows(message.value, nowMs(), {
    ...DEFAULT_WINDOWS,
    maxExpiryAfterDateMs: BigInt(configuration.maxExpiryAfterDateSeconds) * 1000n,
  });
  return windows.ok ? undefined : windows.refusal;
}

function hintFor({ code }: Refusal, { received }: ExaminedPrice): string {
  // Nothing in the answer says the same once more: then the layout may read the times wrongly.
  const unsure =
    received.publishTimeMs === undefined && received.expiryMs === undefined
      ? ` Or it is the layout. ${DISCOVER_LAYOUT}`
      : "";
  switch (code) {
    case "ExpiryPassed":
    case "PublishTimeTooOld":
      return `The service still serves an old edition, which no oracle takes. Wait for the new one; if it does not come, ask the service's maker.${unsure}`;
    case "FutureDate":
    case "ExpiryTooFarAhead":
    case "PublishTimeTooFarAhead":
      return `Look at this machine's clock (see clock) and at timeZone; if both are right, ask the service's maker.${unsure}`;
    default:
      return `Date and times contradict each other as we read them: see maxExpiryAfterDateSeconds and ASSUMPTIONS.md, and ask the service's maker.${unsure}`;
  }
}

function describeNewest(prices: readonly ExaminedPrice[]): string {
  const byKind = FEED_KINDS.flatMap((kind) => {
    const messages = prices.flatMap(({ received, message }) =>
      received.kind === kind && message.ok ? [message.value] : [],
    );
    const newest = messages.toSorted(byDate).at(-1);
    return newest ? [`newest ${kind} price of ${newest.date}, published ${formatTimeMs(newest.publishTimeMs)}`] : [];
  });
  return byKind.join("; ");
}

function byDate(a: CheckedPriceMessage, b: CheckedPriceMessage): number {
  return a.day - b.day;
}
