import { expect, test } from "vitest";
import { calendarDateIn, checkNotFuture } from "../../relayer/relay/futureDate.ts";
import { priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";

const EASTERN = "America/New_York";

test.each([
  ["2026-03-04T15:00:00Z", EASTERN, "2026-03-04"],
  ["2026-03-05T04:59:59.999Z", EASTERN, "2026-03-04"], // EST, UTC-5
  ["2026-03-05T05:00:00Z", EASTERN, "2026-03-05"],
  ["2026-07-05T03:59:59.999Z", EASTERN, "2026-07-04"], // EDT, UTC-4
  ["2026-07-05T04:00:00Z", EASTERN, "2026-07-05"],
  ["2026-01-01T00:00:00Z", EASTERN, "2025-12-31"],
  ["2026-03-04T15:00:00Z", "Asia/Tokyo", "2026-03-05"],
])("at %s it is, in %s, %s", (iso, timeZone, date) => {
  expect(calendarDateIn(timeMs(iso), timeZone)).toBe(date);
});

test("a price of today, yesterday or long ago is not from the future", () => {
  for (const date of ["2026-03-04", "2026-03-03", "2026-03-02"]) {
    const price = signedPrice(priceMessage({ date, expiryMs: timeMs("2026-03-04T18:00:00Z") }));
    expect(checkNotFuture(price, timeMs("2026-03-04T15:00:00Z"), EASTERN)).toEqual({ ok: true, value: price });
  }
});

test("a price of tomorrow is, until tomorrow begins in New York", () => {
  const tomorrow = priceMessage({ date: "2026-03-05", publishTimeMs: timeMs("2026-03-05T01:00:00Z") });
  const price = signedPrice(tomorrow, timeMs("2026-03-05T01:00:00Z"));
  expect(checkNotFuture(price, timeMs("2026-03-05T04:59:59.999Z"), EASTERN)).toEqual({
    ok: false,
    refusal: { code: "FutureDate", message: "the price is for 2026-03-05, and today is 2026-03-04 (America/New_York)" },
  });
  expect(checkNotFuture(price, timeMs("2026-03-05T05:00:00Z"), EASTERN).ok).toBe(true);
});
