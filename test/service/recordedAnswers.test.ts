import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import { fetchAll } from "../../relayer/service/fetchItems.ts";
import { readPage } from "../../relayer/service/readPage.ts";
import { readMarketFile } from "../../simulator/marketFile.ts";
import { readPriceFile } from "../../simulator/priceFile.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { mergePriceTables } from "../../simulator/priceTable.ts";
import { clientOf } from "./contract/contractService.ts";

/** Answers of the service that its own client recorded, one record a line. They are no part of this project. */
const directory = resolve(process.env["HOMEPRICE_DATA_DIR"] ?? join(import.meta.dirname, "../../../shared/data"));
const FILES = {
  sales: "service-sales-price-feed.csv",
  rental: "service-rental-price-feed.csv",
  markets: "service-markets.csv",
} as const;
const hasData = Object.values(FILES).every((name) => existsSync(join(directory, name)));
if (!hasData) {
  // Said without a logger, so that a run without the data is not taken for one with it.
  process.stderr.write(`recordedAnswers.test.ts: skipped, ${directory} lacks ${Object.values(FILES).join(", ")}\n`);
}

type Row = Readonly<Record<string, string>>;

async function rowsOf(file: keyof typeof FILES): Promise<Row[]> {
  return parse(await readFile(join(directory, FILES[file]), "utf8"), { columns: true });
}

/** The first dates and ids of the files, highest id first and newest date first, as bulk answers have them. */
function inOrder(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => Number(b["svc_id"]) - Number(a["svc_id"]) || (dateOf(a) < dateOf(b) ? 1 : -1));
}

function dateOf({ date = "" }: Row): string {
  return date;
}

/** Text without the zeros behind a decimal point, which a number does not have. */
function plain(number: string): string {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}

describe.skipIf(!hasData)("answers recorded from the service", () => {
  let service: PriceService;
  beforeAll(async () => {
    const path = (file: keyof typeof FILES) => join(directory, FILES[file]);
    service = await startPriceService({
      prices: mergePriceTables([await readPriceFile(path("sales")), await readPriceFile(path("rental"))]),
      markets: await readMarketFile(path("markets")),
      nowMs: () => BigInt(Date.parse("2026-03-04T14:00:00Z")),
    });
  });
  afterAll(() => service.close());

  describe.each([
    ["sales", "price_feed/sales", "price_feed", 1_000],
    ["rental", "price_feed/rental", "rental_price_feed", 7_308],
  ] as const)("of the %s price feed", (file, single, field, count) => {
    const bulk = `${single}/bulk` as const;

    test("parse", async () => {
      const rows = await rowsOf(file);
      const items = rows.map(({ svc_id, date, [field]: price }) => ({ svc_id: Number(svc_id), date, [field]: price }));
      expect(readAnswer(bulk, items).map((item) => Reflect.get(item, field))).toEqual(
        rows.map(({ [field]: price = "" }) => plain(price)),
      );
      expect(rows).toHaveLength(count);
    });

    test("come back from the simulator row by row, to the last digit", async () => {
      const rows = inOrder(await rowsOf(file));
      const svc_ids = [...new Set(rows.map(({ svc_id = "" }) => svc_id))];
      const dates = rows.map(dateOf).sort();
      const request = { svc_ids, start_date: dates[0] ?? "", end_date: dates.at(-1) ?? "" };
      const items = await fetchAll(clientOf(service), bulk, request);
      const read = new Map(items.map((item) => [`${item.svc_id} ${item.date}`, Reflect.get(item, field)]));
      const expected = rows.map((row) => [`${row["svc_id"]} ${row["date"]}`, plain(row[field] ?? "")]);
      expect(expected.map(([key = ""]) => [key, read.get(key)])).toEqual(expected);
      expect(expected).toHaveLength(count);
    });

    test("come back market by market, too", async () => {
      const rows = inOrder(await rowsOf(file));
      for (const [svc_id = "", ofMarket = []] of Map.groupBy(rows, (row) => row["svc_id"])) {
        const span = { start_date: ofMarket.at(-1)?.["date"] ?? "", end_date: ofMarket[0]?.["date"] ?? "" };
        const items = await fetchAll(clientOf(service), single, { svc_id, ...span });
        expect(items.map((item) => [item.date, Reflect.get(item, field)])).toEqual(
          ofMarket.map((row) => [row["date"], plain(row[field] ?? "")]),
        );
      }
    });
  });

  test("of market search parse, and come back from the simulator field by field", async () => {
    const rows = await rowsOf("markets");
    const items = rows.map((row) => ({ ...row, svc_id: Number(row["svc_id"]) }));
    expect(readAnswer("search/markets", items.map(withoutBlanks))).toHaveLength(3_184);

    const found = await fetchAll(clientOf(service), "search/markets", {});
    const byId = new Map(found.map((market) => [String(market.svc_id), market]));
    for (const row of rows) {
      const market = byId.get(row["svc_id"] ?? "");
      // What has a price is marked as having a feed, whatever the record of it said.
      const { svc_id, pricefeed_market: _, ...told } = row;
      const read = Object.entries(told).map(([name]) => [name, market && Reflect.get(market, name)]);
      expect([svc_id, Object.fromEntries(read)]).toEqual([svc_id, expectedFields(told)]);
    }
    expect(found.length).toBeGreaterThanOrEqual(rows.length);
  });
});

/** Reads records as the service would have answered them. */
function readAnswer(name: EndpointName, items: readonly object[]): readonly object[] {
  const facts = { method: "POST", path: ENDPOINTS[name].path, origin: "https://api.example.com" };
  return readPage(ENDPOINTS[name], { items, account: {} }, "svc", facts).items;
}

const NUMBERS = ["total_population", "median_income"];
const FLAGS = ["svc_exchange_market", "case_shiller_10_market", "case_shiller_20_market"];

/** An empty cell is a null. */
function withoutBlanks(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === "" ? null : value]));
}

function expectedFields(row: Row): object {
  const read = (name: string, text: string) => {
    if (text === "") return null;
    return NUMBERS.includes(name) || FLAGS.includes(name) ? Number(text) : text;
  };
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, read(name, text)]));
}
