import { accepted, type Checked, refused } from "../message/refusal.ts";
import type { SignedPrice } from "../message/signedPrice.ts";

/**
 * Refuses a price for a date after today's. Which date to expect is learnt from the service, never computed: an edition
 * may be late, or for the day before; only one from the future cannot be right.
 * @param timeZone The service's: its dates are Eastern.
 */
export function checkNotFuture(price: SignedPrice, nowMs: bigint, timeZone: string): Checked<SignedPrice> {
  const today = calendarDateIn(nowMs, timeZone);
  // Dates of the form YYYY-MM-DD compare as text.
  if (price.message.date <= today) return accepted(price);
  return refused("FutureDate", `the price is for ${price.message.date}, and today is ${today} (${timeZone})`);
}

/** The calendar date of an instant in a time zone, YYYY-MM-DD. */
export function calendarDateIn(timeMs: bigint, timeZone: string): string {
  return formatOf(timeZone).format(Number(timeMs));
}

/** To make one takes longer than to check a price with it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  formats.set(timeZone, format);
  return format;
}
