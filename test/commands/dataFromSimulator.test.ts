import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { type Finished, folderWith, runIn } from "./commandInFolder.ts";

type Row = Readonly<Record<string, string>>;

/** Los Angeles and the nation, which the simulator knows by itself. */
const CITY = "5373892";
const NATION = "5826765";

let service: PriceService;
let folder: string;
beforeEach(async () => {
  service = await startPriceService({ prices: BUILT_IN_PRICES });
  onTestFinished(() => service.close());
  folder = await folderWith();
});

function data(line: string): Promise<Finished> {
  return runIn(folder, ["data", ...line.split(" ")], {
    HOMEPRICE_API_URL: service.url,
    HOMEPRICE_API_KEY: service.apiKey,
  });
}

/** What the service itself answers, its numbers as they are written there. */
async function ask(path: string): Promise<string> {
  const answer = await fetch(service.url + path, { headers: { Authorization: service.apiKey } });
  return answer.text();
}

test("a metric's figures are those of the service, and cost no more than estimated", async () => {
  const line = `metrics market_metrics/housing_event_prices --market ${NATION} ${CITY} --from 2025-01-01 --to 2025-06-01`;
  const estimate = (await data(`${line} --estimate --json`)).document();
  const run = await data(`${line} --format csv`);
  expect(run.exitCode).toBe(0);
  const rows = parse(run.stdout, { columns: true }) as Row[];
  expect(rows.map(({ svc_id, date }) => [svc_id, date])).toEqual(
    [NATION, CITY].flatMap((id) => [6, 5, 4, 3, 2, 1].map((month) => [id, `2025-0${month}-01`])),
  );
  expect(estimate.credits.estimated).toBe(rows.length);
  expect(run.stderr).toContain("12 rows; 12 credits used");
  const raw = await ask(`/v1/market_metrics/${CITY}/housing_event_prices?start_date=2025-06-01&end_date=2025-06-01`);
  const { price, price_per_square_foot } = JSON.parse(raw).items[0];
  expect(rows[6]).toMatchObject({
    price_median_sales: String(price.median.sales),
    price_percentile_80th_new_rental_listings: String(price.percentile_80th.new_rental_listings),
    price_per_square_foot_median_sales: String(price_per_square_foot.median.sales),
  });
});

test("a price feed's whole history is one file", async () => {
  const run = await data(`prices --kind sales --market ${NATION} --all --output usa.csv --json`);
  expect(run.exitCode).toBe(0);
  const rows = parse(await readFile(join(folder, "usa.csv"), "utf8"), { columns: true }) as Row[];
  expect(run.document()).toMatchObject({
    ok: true,
    output: "usa.csv",
    received: rows.length,
    echo: { svc_id: 5826765 },
  });
  expect(rows.length).toBeGreaterThan(5000);
  expect(new Set(rows.map(({ date }) => date)).size).toBe(rows.length);
  expect(rows.at(-1)?.["date"]).toBe("2010-01-01");
  expect(rows.find(({ date }) => date === "2024-06-05")?.["price_feed"]).toBe("216.94");
});

test("properties are found, then found again by address, and their events by id", async () => {
  const found = (await data(`properties --market ${CITY} --property-type single-family --max 5 --json`)).document();
  expect(found.items).toHaveLength(5);
  expect(found.credits.used).toBe(5);

  const columns = ["address", "city", "state_abbreviation", "zip_code"];
  await writeFile(join(folder, "addresses.csv"), stringify(found.items, { header: true, columns }));
  const again = (await data("addresses --from addresses.csv --json")).document();
  const ids = found.items.map(({ svc_property_id }: Row) => svc_property_id);
  expect(again.items.map(({ svc_property_id }: Row) => svc_property_id).toSorted()).toEqual(ids.toSorted());

  const events = parse((await data(`events --property ${ids.join(" ")} --format csv`)).stdout, {
    columns: true,
  }) as Row[];
  const counts = Object.fromEntries(
    found.items.map((item: Row) => [item["svc_property_id"], Number(item["event_count"])]),
  );
  for (const id of ids) expect(events.filter(({ svc_property_id }) => svc_property_id === id)).toHaveLength(counts[id]);

  const searched = (await data(`search --property ${ids.join(" ")} --full-history --json`)).document();
  expect(searched.credits.used).toBe(5);
  for (const { svc_property_id, events: own } of searched.items) expect(own).toHaveLength(counts[svc_property_id]);
});

test("a market without such properties has none, which is no failure", async () => {
  const run = await data(`properties --market ${CITY} --property-type condo --year-built-min 2100 --json`);
  expect(run.exitCode).toBe(0);
  expect(run.document()).toMatchObject({ ok: true, items: [], credits: { used: 0 } });
});
