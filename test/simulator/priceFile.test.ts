import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMarketFile } from "../../simulator/marketFile.ts";
import { readPriceFile } from "../../simulator/priceFile.ts";
import { latestSourcePrice, mergePriceTables } from "../../simulator/priceTable.ts";
import { isItemSigned, priceTable, ServiceUnderTest } from "./priceServiceClient.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "price-files-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function writeLines(...lines: readonly string[]): Promise<string> {
  const path = join(directory, `${lines.join("").length}-${Math.random()}.csv`);
  await writeFile(path, lines.join("\n"));
  return path;
}

async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error("it did not fail");
}

const METRO_HEADER = "region_id,size_rank,name,state,region_type,month,home_value_usd,monthly_rent_usd";

describe("a price file", () => {
  it("of sales is told by its header, rows in any order, prices as text", async () => {
    const path = await writeLines(
      "svc_id,date,price_feed",
      "5,2024-06-02,216.90",
      "5,2024-06-01,200",
      "",
      "6,2024-06-01,0.5",
    );
    const table = await readPriceFile(path);
    expect(table.sales.get(5n)).toEqual([
      { date: "2024-06-01", price: "200" },
      { date: "2024-06-02", price: "216.90" },
    ]);
    expect(table.sales.size).toBe(2);
    expect(table.rental.size).toBe(0);
  });

  it("of rents is told by its header, whatever stands for the maker's name, with BOM and CRLF", async () => {
    const path = await writeLines("\uFEFFdate,acme_id,rental_price_feed\r", "2024-06-01,5,1.474\r", "");
    const table = await readPriceFile(path);
    expect(table.rental.get(5n)).toEqual([{ date: "2024-06-01", price: "1.474" }]);
    expect(table.sales.size).toBe(0);
  });

  it("of metros has both kinds, names, and months without a price", async () => {
    const path = await writeLines(
      METRO_HEADER,
      "102001,0,United States,,country,2024-09-30,360000.12,",
      "102001,0,United States,,country,2024-10-31,,2000.5",
      '394913,1,"New York, NY",NY,msa,2024-10-31,680000,3100',
    );
    const table = await readPriceFile(path);
    expect(latestSourcePrice(table, 102001n, "sales", "2024-12-01")).toEqual({
      date: "2024-09-30",
      price: "360000.12",
    });
    expect(latestSourcePrice(table, 102001n, "rental", "2024-10-30")).toBeUndefined();
    expect(latestSourcePrice(table, 102001n, "rental", "2024-10-31")).toEqual({ date: "2024-10-31", price: "2000.5" });
    expect(table.markets.get(394913n)).toMatchObject({ name: "New York, NY", locationType: "CBSA" });
    expect(table.markets.get(102001n)).toMatchObject({ name: "United States", locationType: "COUNTRY" });
  });

  it.each([
    ["a market id that is none", ["svc_id,date,price_feed", "5,2024-06-01,1", "x,2024-06-01,1"], 3, "svc_id"],
    ["a day that is none", ["svc_id,date,price_feed", "5,2024-02-30,1"], 2, "date"],
    ["a price with a currency", ["svc_id,date,price_feed", "5,2024-06-01,$1"], 2, "price_feed"],
    ["a negative price", ["svc_id,date,rental_price_feed", "5,2024-06-01,-1"], 2, "rental_price_feed"],
    ["a thousands separator", [METRO_HEADER, '1,0,A,,msa,2024-10-31,"1,000",'], 2, "home_value_usd"],
    ["no price in a feed", ["svc_id,date,price_feed", "5,2024-06-01,"], 2, "price_feed"],
    ["a row that stands there twice", ["svc_id,date,price_feed", "5,2024-06-01,1", "", "5,2024-06-01,2"], 4, undefined],
    ["a row with too many cells", ["svc_id,date,price_feed", "5,2024-06-01,1", "5,2024-06-02,1,000"], 3, undefined],
    ["an open quote", ["svc_id,date,price_feed", '5,2024-06-01,"1'], 2, undefined],
    ["unknown columns", ["a,b,c", "1,2,3"], 1, undefined],
    ["no rows", ["svc_id,date,price_feed"], 1, undefined],
    ["nothing", [""], 1, undefined],
  ])("with %s is refused with the place", async (_case, lines, line, column) => {
    const path = await writeLines(...lines);
    const error = await failureOf(readPriceFile(path));
    expect(error).toMatchObject({ code: "INVALID_DATA_FILE", kind: "configuration", path, line });
    expect(error["column"]).toBe(column);
    expect(error["message"]).toContain(`${path}, line ${line}`);
    expect(error["hint"]).toMatch(/^\w.+\.$/);
  });

  it("that is not there is refused", async () => {
    const path = join(directory, "absent.csv");
    expect(await failureOf(readPriceFile(path))).toMatchObject({ code: "UNREADABLE_DATA_FILE", kind: "configuration" });
    expect(await failureOf(readPriceFile(directory))).toMatchObject({ code: "UNREADABLE_DATA_FILE" });
  });
});

describe("several price tables", () => {
  it("become one, the later counting where both know a price", () => {
    const merged = mergePriceTables([
      priceTable("sales 1 2024-06-01 10", "sales 1 2024-06-02 11", "rental 1 2024-06-01 2"),
      priceTable("sales 1 2024-06-02 12", "sales 2 2024-06-01 20"),
    ]);
    expect(merged.sales.get(1n)).toEqual([
      { date: "2024-06-01", price: "10" },
      { date: "2024-06-02", price: "12" },
    ]);
    expect(merged.sales.has(2n)).toBe(true);
    expect(merged.rental.get(1n)).toHaveLength(1);
  });
});

describe("a market file", () => {
  it("is read with what is missing as null", async () => {
    const path = await writeLines(
      "svc_id,country,geoid,name,state_abbreviation,location_type,total_population,median_income,svc_exchange_market,pricefeed_market",
      "5352987,USA,1245000,Miami City,FL,CITY,443665,54858.0,1,1",
      "5542808,USA,,74755,OK,ZIP5,105,,0,0",
    );
    const markets = await readMarketFile(path);
    expect(markets.get(5352987n)).toMatchObject({ geoid: "1245000", medianIncome: 54858, isExchangeMarket: true });
    expect(markets.get(5542808n)).toMatchObject({ geoid: null, medianIncome: null, region: null, hasPriceFeed: false });
  });

  it.each([
    ["another header", ["date,price", "1,2"], 1],
    ["a population that is none", ["svc_id,name,total_population", "1,A,many"], 2],
    ["a flag that is none", ["svc_id,name,pricefeed_market", "1,A,yes"], 2],
    ["an id that is none", ["svc_id,name", "0,A"], 2],
  ])("with %s is refused with the place", async (_case, lines, line) => {
    const error = await failureOf(readMarketFile(await writeLines(...lines)));
    expect(error).toMatchObject({ code: "INVALID_DATA_FILE", line });
  });
});

const dataDirectory = process.env["HOMEPRICE_DATA_DIR"] ?? resolve(import.meta.dirname, "../../../shared/data");
const hasData = existsSync(join(dataDirectory, "us-metro-home-values.csv"));
if (!hasData) {
  process.stdout.write(`skipping the tests of real price files: none in ${dataDirectory} (set HOMEPRICE_DATA_DIR)\n`);
}

describe.skipIf(!hasData)("the real price files", () => {
  const read = (name: string) => readPriceFile(join(dataDirectory, name));

  it("of metros are read in less than a second and served: 895 sales and 635 rental prices of 2024-10-31", async () => {
    const start = performance.now();
    const prices = await read("us-metro-home-values.csv");
    expect(performance.now() - start).toBeLessThan(1_000);
    // Nothing is carried forward on that day: every feed has a row of its own.
    for (const kind of ["sales", "rental"] as const) {
      for (const rows of prices[kind].values()) expect(rows.at(-1)?.date).toBe("2024-10-31");
    }
    const client = await ServiceUnderTest.start({ prices }, Date.parse("2024-10-31T16:00:00Z"));
    try {
      const ids = [...prices.sales.keys()].map(Number);
      expect(ids).toHaveLength(895);
      const sales = await client.served("sales", ids);
      const rentals = await client.served("rental", ids);
      expect([sales.items.length, rentals.items.length]).toEqual([895, 635]);
      for (const item of [...sales.items, ...rentals.items]) {
        expect(item.date).toBe("2024-10-31");
        expect(isItemSigned(item)).toBe(true);
      }
      for (const item of sales.items) {
        const source = latestSourcePrice(prices, BigInt(item.svc_id), "sales", item.date);
        expect(item.price).toBe(Number(source?.price));
      }
      expect((await client.get("/v1/search/markets?query=new+york")).status).toBe(200);
    } finally {
      await client.service.close();
    }
  });

  it("of the service hold the figures that the built-in table repeats", async () => {
    const sales = await read("service-sales-price-feed.csv");
    const rental = await read("service-rental-price-feed.csv");
    expect([sales.sales.size, rental.rental.size]).toEqual([2, 14]);
    const merged = mergePriceTables([sales, rental]);
    expect(latestSourcePrice(merged, 5826765n, "sales", "2024-06-05")?.price).toBe("216.94");
    expect(latestSourcePrice(merged, 5373892n, "rental", "2024-06-05")?.price).toBe("3.24");
    const { BUILT_IN_PRICES } = await import("../../simulator/builtInPrices.ts");
    for (const kind of ["sales", "rental"] as const) {
      for (const [marketId, rows] of merged[kind]) {
        for (const row of BUILT_IN_PRICES[kind].get(marketId) ?? []) expect(rows).toContainEqual(row);
      }
    }
  });

  it("of markets are read whole", async () => {
    const markets = await readMarketFile(join(dataDirectory, "service-markets.csv"));
    expect(markets.size).toBe(3184);
    expect(markets.get(5826765n)).toMatchObject({ locationType: "COUNTRY", geoid: null, medianIncome: 75149 });
  });
});
