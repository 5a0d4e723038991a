import { expect, test } from "vitest";
import type { StoredPrice } from "../../relayer/chain/readPrices.ts";
import { judgePrice } from "../../relayer/deliver/judgePrice.ts";
import { priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";

const NEXT_RUN_MS = timeMs("2026-03-05T12:30:00Z");
const seconds = (iso: string) => timeMs(iso) / 1000n;

/** What the chain holds once the price of that morning has landed. */
const STORED: StoredPrice = {
  price: 21_694_000_000n,
  publishTime: seconds("2026-03-04T12:30:00Z"),
  expiry: seconds("2026-03-05T13:25:00Z"),
  day: 20_516,
};

type Case = {
  received?: Parameters<typeof priceMessage>[0];
  stored: Partial<StoredPrice> | undefined;
  status: ReturnType<typeof judgePrice>["status"];
  reason: string;
};

test.each<[string, Case]>([
  ["nothing is stored", { stored: undefined, status: "planned", reason: "the chain holds no price of this feed" }],
  [
    "the stored price counts as absent",
    { stored: { price: 0n }, status: "planned", reason: "the chain holds no price of this feed" },
  ],
  ["the same price is stored", { stored: {}, status: "current", reason: "the chain holds the same price" }],
  ["the date is new", { stored: { day: 20_515 }, status: "planned", reason: "new date, the chain holds 2026-03-03" }],
  [
    "the date is new and its publish time is not",
    {
      stored: { day: 20_515, publishTime: seconds("2026-03-04T12:31:00Z") },
      status: "planned",
      reason: "new date, the chain holds 2026-03-03",
    },
  ],
  [
    "the chain is a date ahead",
    { stored: { day: 20_517 }, status: "current", reason: "the chain holds a later date, 2026-03-05" },
  ],
  [
    "the chain is a date ahead with another price",
    { stored: { day: 20_517, price: 1n }, status: "current", reason: "the chain holds a later date, 2026-03-05" },
  ],
  [
    "the price is revised",
    {
      received: { publishTimeMs: timeMs("2026-03-04T12:30:01Z"), price: "217.5" },
      stored: {},
      status: "planned",
      reason: "revised, the chain holds 216.94",
    },
  ],
  [
    "the price is revised within the same second",
    {
      received: { publishTimeMs: timeMs("2026-03-04T12:30:00.999Z"), price: "217.5" },
      stored: {},
      status: "planned",
      reason: "revised, the chain holds 216.94",
    },
  ],
  [
    "the chain holds the revision of an older word",
    {
      received: { publishTimeMs: timeMs("2026-03-04T12:29:59.999Z"), price: "217.5" },
      stored: {},
      status: "current",
      reason: "the chain holds a newer price of this date",
    },
  ],
  [
    "it is signed anew with a later expiry, and the stored one lives until the next run",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-05T14:00:00Z") },
      stored: { expiry: seconds("2026-03-05T12:30:00Z") },
      status: "current",
      reason: "the chain holds the same price",
    },
  ],
  [
    "it is signed anew, and the stored one would lapse a second before the next run",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-05T14:00:00Z") },
      stored: { expiry: seconds("2026-03-05T12:29:59Z") },
      status: "planned",
      reason: "the same price, but the one on the chain would expire before the next run",
    },
  ],
  [
    "it lapses before the next run itself, as does the stored one",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-04T18:00:00Z") },
      stored: { expiry: seconds("2026-03-04T18:00:00Z") },
      status: "current",
      reason: "the chain holds the same price",
    },
  ],
  [
    "it lapses before the next run itself, but later than the stored one",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-04T18:00:01Z") },
      stored: { expiry: seconds("2026-03-04T18:00:00Z") },
      status: "planned",
      reason: "the same price, but the one on the chain would expire before the next run",
    },
  ],
  [
    "its expiry differs from the stored one by less than the chain can say",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-04T18:00:00.999Z") },
      stored: { expiry: seconds("2026-03-04T18:00:00Z") },
      status: "current",
      reason: "the chain holds the same price",
    },
  ],
  [
    "the stored one has expired",
    {
      received: { publishTimeMs: timeMs("2026-03-04T14:00:00Z") },
      stored: { expiry: seconds("2026-03-04T14:30:00Z") },
      status: "planned",
      reason: "the same price, but the one on the chain would expire before the next run",
    },
  ],
  [
    "the chain is a date ahead, but its price lapses before the next run and before this one would",
    {
      stored: { day: 20_517, expiry: seconds("2026-03-04T18:00:00Z") },
      status: "failed",
      reason:
        "the chain holds a later date, 2026-03-05, but that expires at 2026-03-04T18:00:00.000Z, and the service's older one cannot replace it",
    },
  ],
  [
    "the chain holds a newer word on the date, but one that lapses",
    {
      received: { publishTimeMs: timeMs("2026-03-04T12:00:00Z") },
      stored: { expiry: seconds("2026-03-04T18:00:00Z") },
      status: "failed",
      reason:
        "the chain holds a newer price of this date, but that expires at 2026-03-04T18:00:00.000Z, and the service's older one cannot replace it",
    },
  ],
])("%s", (_, { received = {}, stored, status, reason }) => {
  const held = stored && { ...STORED, ...stored };
  expect(judgePrice(signedPrice(priceMessage(received)).message, held, NEXT_RUN_MS)).toEqual({ status, reason });
});
