import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { identifier } from "./identifier.ts";
import { money, quantity } from "./quantity.ts";

/** A day of the sales price feed. From arms-length sales alone. */
export const salesFeedItem = z.looseObject({
  date: calendarDate,
  price_feed: money.nullish().describe("USD per square foot"),
});

/** A day of the rental price feed. */
export const rentalFeedItem = z.looseObject({
  date: calendarDate,
  rental_price_feed: money.nullish().describe("USD per square foot a month"),
});

/** A day of the deprecated volatility series. */
export const volatilityItem = z.looseObject({
  date: calendarDate,
  pct_volatility: quantity.nullish().describe("daily volatility, percent"),
});

/**
 * A signed latest price under its default names. Which field of a live answer holds what is configuration
 * (`responseFields`), and {@link getLatestPrices} reads it; this schema only says what is asked of an item.
 */
export const latestPriceItem = z.looseObject({
  svc_id: identifier.describe("market id, without the rental offset"),
  date: calendarDate.nullish(),
  price: money.nullish().describe("USD"),
  publish_timestamp: quantity.nullish().describe("Unix milliseconds"),
  expiry: quantity.nullish().describe("Unix milliseconds"),
  signature: z.string().nullish().describe("Ed25519, 64 bytes"),
  public_key: z.string().nullish().describe("Ed25519, 32 bytes"),
  message: z.string().nullish().describe("the 74 signed bytes"),
});
