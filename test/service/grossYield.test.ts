import fc from "fast-check";
import { expect, test } from "vitest";
import { grossYieldOf } from "../../relayer/service/schemas/grossYield.ts";
import { housingEventPrices } from "../../relayer/service/schemas/metricItems.ts";

const SEED = 20_260_302;

test.each([
  ["2100", "450000", "5.6"],
  ["1500", "415000.5", "4.34"], // 4.33734…
  ["1", "240000", "0.01"], // exactly half of the last decimal, up
  ["0", "240000", "0"],
])(
  "a rent of %s a month for a price of %s yields %s percent",
  (new_rental_listings, new_listings_for_sale, percent) => {
    expect(grossYieldOf({ new_rental_listings, new_listings_for_sale })).toBe(percent);
  },
);

test.each([
  [undefined],
  [{ new_rental_listings: "2100" }],
  [{ new_rental_listings: "2100", new_listings_for_sale: null }],
  [{ new_rental_listings: null, new_listings_for_sale: "420000" }],
  [{ new_rental_listings: "2100", new_listings_for_sale: "0" }],
])("without both medians there is none: %j", (median) => {
  expect(grossYieldOf(median)).toBeUndefined();
});

test("is of the medians as the price metric has them", () => {
  const record = housingEventPrices.parse({
    date: "2026-10-01",
    price: { median: { new_rental_listings: 2100, new_listings_for_sale: 420_000 } },
  });
  expect(grossYieldOf(record.price?.median)).toBe("6");
});

test("is exact: what it is away from the quotient is at most half of its last decimal", () => {
  process.stdout.write(`gross yields: seed ${SEED}\n`);
  const cents = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`;
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 9n),
      fc.bigInt(1n, 10n ** 12n),
      fc.integer({ min: 0, max: 8 }),
      (rent, price, decimals) => {
        const written = grossYieldOf(
          { new_rental_listings: cents(rent), new_listings_for_sale: cents(price) },
          decimals,
        );
        const [whole = "", fraction = ""] = written?.split(".") ?? [];
        const scaled = BigInt(whole + fraction.padEnd(decimals, "0"));
        // |scaled / 10^decimals − 1200 · rent / price| ≤ ½ · 10^−decimals
        const error = 2n * (scaled * price - 1200n * rent * 10n ** BigInt(decimals));
        expect(error <= price && error > -price).toBe(true);
      },
    ),
    { seed: SEED, numRuns: 1_000 },
  );
});
