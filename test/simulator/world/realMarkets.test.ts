import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FEED_KINDS } from "../../../relayer/message/feedId.ts";
import { readMarketFile } from "../../../simulator/marketFile.ts";
import type { MarketTable } from "../../../simulator/marketTable.ts";
import { readPriceFile } from "../../../simulator/priceFile.ts";
import { latestSourcePrice, mergePriceTables, type PriceTable } from "../../../simulator/priceTable.ts";
import { createWorld, type World } from "../../../simulator/world/world.ts";
import { PRESENT, requireMarket } from "./worldsUnderTest.ts";

const dataDirectory = process.env["HOMEPRICE_DATA_DIR"] ?? resolve(import.meta.dirname, "../../../../shared/data");
const files = {
  markets: "service-markets.csv",
  prices: ["service-sales-price-feed.csv", "service-rental-price-feed.csv", "us-metro-home-values.csv"],
};
const isThere = [files.markets, ...files.prices].every((name) => existsSync(join(dataDirectory, name)));
if (!isThere) {
  process.stdout.write(`skipping the world of real markets: none in ${dataDirectory} (set HOMEPRICE_DATA_DIR)\n`);
}

describe.skipIf(!isThere)("a world around the real markets and prices", () => {
  let markets: MarketTable;
  let prices: PriceTable;
  let world: World;
  beforeAll(async () => {
    markets = await readMarketFile(join(dataDirectory, files.markets));
    prices = mergePriceTables(await Promise.all(files.prices.map((name) => readPriceFile(join(dataDirectory, name)))));
    world = createWorld({ seed: "real", markets, prices, asOf: PRESENT });
  });

  it("keeps every market as it is, puts ZIP codes into each, and properties into each ZIP code", () => {
    for (const market of [...markets.values(), ...prices.markets.values()]) {
      expect(world.market(market.marketId)?.name).toBe(market.name);
      expect(world.geography.zipCodesOf(market.marketId).length).toBeGreaterThan(0);
    }
    expect(world.markets.size).toBeGreaterThan(markets.size + prices.markets.size);
    const codes = world.geography.zipCodes.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    // Cook County and Chicago are given by their own ids; the metro file's Chicago is another market.
    expect(world.geography.zipCode("60657")).toMatchObject({
      city: { marketId: 5387853n },
      county: { marketId: 5822729n },
    });
  });

  it("serves every real price as it is, and stays at the newest that is signed", () => {
    let rows = 0;
    for (const kind of FEED_KINDS) {
      for (const [marketId, series] of prices[kind]) {
        const market = requireMarket(world, marketId);
        const served = series.map(({ date }) => world.priceFeeds.price(market, kind, date));
        expect(served).toEqual(series);
        const newest = world.priceFeeds.price(market, kind, PRESENT).price;
        expect(newest).toBe(latestSourcePrice(prices, marketId, kind, PRESENT)?.price);
        rows += series.length;
      }
    }
    expect(rows).toBeGreaterThan(50_000);
  });

  it("has plausible prices per square foot everywhere, also of metros whose prices are those of homes", () => {
    for (const market of prices.markets.values()) {
      const { price_per_square_foot: perSquareFoot } = world.metrics.row(
        "market_metrics/housing_event_prices",
        market,
        "2024-03-01",
      );
      const { sales, new_rental_listings: rent } = perSquareFoot.median;
      if (sales !== null) expect(sales).toBeGreaterThan(25);
      if (sales !== null) expect(sales).toBeLessThan(1_500);
      if (rent !== null) expect(rent).toBeLessThan(10);
    }
  });

  it("answers a search of fifty thousand properties, each made as it is reached", () => {
    let found = 0;
    let lastId = 0n;
    for (const { record } of world.properties.inMarket(requireMarket(world, 5826765n))) {
      if (record.svc_property_id <= lastId) expect.fail(`${record.svc_property_id} after ${lastId}`);
      lastId = record.svc_property_id;
      found += 1;
      if (found === 50_000) break;
    }
    expect(found).toBe(50_000);
  });
});
