import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { METRIC_NAMES, METRICS } from "../../relayer/service/endpoints/metricTable.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { formatFault, parseFault } from "../../simulator/faults.ts";
import { mergePriceTables } from "../../simulator/priceTable.ts";
import { priceTable, ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const BROOKLYN = 5822447;
const WASHINGTON = 5503877;
const CASH = "/v1/market_metrics/5826765/all_cash";
const SALES = "/v1/price_feed/5826765/price_feed";
const RENTALS = "/v1/price_feed/5826765/rental_price_feed";

type Row = Record<string, unknown> & { date: string; svc_id?: number };
type Page = { items: Row[]; total: number; limit: number; offset: number; links: Record<string, string | null> };

let client: ServiceUnderTest;
beforeEach(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed: 5 });
});
afterEach(() => client.service.close());

async function pageOf(response: Promise<Response>): Promise<Page> {
  const answered = await response;
  if (answered.status !== 200) throw new Error(`status ${answered.status}: ${await answered.text()}`);
  return (await answered.json()) as Page;
}

const rows = async (path: string) => (await pageOf(client.get(path))).items;
const datesOf = (items: readonly Row[]) => items.map(({ date }) => date);

describe("a series of one market", () => {
  it("has its newest rows first, twelve when nothing is said", async () => {
    const page = await pageOf(client.get(CASH));
    // A month is there once it is over; the clock says 5 June 2024.
    expect(datesOf(page.items).slice(0, 3)).toEqual(["2024-05-01", "2024-04-01", "2024-03-01"]);
    expect(page).toMatchObject({ limit: 12, offset: 0, svc_id: USA, property_type: "ALL_PROPERTIES" });
    expect(page.items).toHaveLength(12);
    expect(page.items.at(-1)?.date).toBe("2023-06-01");
    expect(datesOf(await rows("/v1/for_sale_market_metrics/5826765/for_sale_inventory?limit=2"))).toEqual([
      "2024-06-03",
      "2024-05-27",
    ]);
    expect(datesOf(await rows(`${SALES}?limit=2`))).toEqual(["2024-06-05", "2024-06-04"]);
  });

  it("has the rows from one date to another, both included", async () => {
    expect(datesOf(await rows(`${CASH}?start_date=2024-01-01&end_date=2024-03-01`))).toEqual([
      "2024-03-01",
      "2024-02-01",
      "2024-01-01",
    ]);
    expect(datesOf(await rows(`${CASH}?start_date=2024-01-02&end_date=2024-02-29`))).toEqual(["2024-02-01"]);
    expect(datesOf(await rows(`${SALES}?start_date=2024-02-28&end_date=2024-03-01`))).toHaveLength(3);
  });

  it("has nothing before it begins, nor after the newest edition", async () => {
    const inventory = "/v1/for_sale_market_metrics/5826765/for_sale_inventory";
    const [oldest] = (await rows(`${inventory}?start_date=1960-01-01&end_date=2022-09-30&limit=1000`)).slice(-1);
    expect(oldest?.date).toBe("2022-09-05");
    for (const span of [
      "end_date=2022-09-04",
      "end_date=1969-12-31",
      "start_date=2024-06-04",
      "start_date=2999-01-01",
    ]) {
      expect([span, (await client.get(`${inventory}?${span}`)).status]).toEqual([span, 404]);
    }
    client.clock.ms = Date.parse("2024-06-06T11:29:59Z");
    expect(datesOf(await rows(`${SALES}?limit=1`))).toEqual(["2024-06-05"]);
    client.clock.ms += 1_000;
    expect(datesOf(await rows(`${SALES}?limit=1`))).toEqual(["2024-06-06"]);
  });

  it("is 404 of a market that nobody knows, or that lacks the feed", async () => {
    for (const path of [
      "/v1/market_metrics/1/all_cash",
      "/v1/price_feed/0/price_feed",
      "/v1/price_feed/-5/price_feed",
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
    expect((await client.get(`/v1/price_feed/${WASHINGTON}/price_feed`)).status).toBe(200);
    expect((await client.get(`/v1/price_feed/${WASHINGTON}/rental_price_feed`)).status).toBe(404);
    expect((await client.get(`/v1/market_metrics/${WASHINGTON}/all_cash`)).status).toBe(200);
  });

  it("links its pages, of which the last has no next", async () => {
    const dates: string[] = [];
    let address: string | null = `${client.service.url}${CASH}?start_date=2023-01-01&limit=5`;
    for (let pages = 0; address !== null; pages += 1) {
      const response: Response = await fetch(address, { headers: { Authorization: client.service.apiKey } });
      const page = (await response.json()) as Page;
      expect(page).toMatchObject({ total: 17, limit: 5, offset: pages * 5 });
      dates.push(...datesOf(page.items));
      address = page.links["next"] ?? null;
    }
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    expect(dates).toHaveLength(17);
  });
});

describe("a series of many markets", () => {
  const bulk = (body: object, query = "") => pageOf(client.post(`/v1/market_metrics/all_cash${query}`, body));

  it("is ordered by id, highest first, then newest first; pages count over all markets", async () => {
    const body = { svc_ids: [BROOKLYN, USA, 1, BROOKLYN], start_date: "2024-03-01" };
    const { items, total } = await bulk(body);
    expect(items.map(({ svc_id, date }) => `${svc_id} ${date}`)).toEqual([
      "5826765 2024-05-01",
      "5826765 2024-04-01",
      "5826765 2024-03-01",
      "5822447 2024-05-01",
      "5822447 2024-04-01",
      "5822447 2024-03-01",
    ]);
    expect(total).toBe(6);
    const middle = await bulk(body, "?limit=3&offset=2");
    expect(middle.items).toEqual(items.slice(2, 5));
    expect(middle.links["next"]).toContain("offset=5");
  });

  it("has a thousand rows when nothing is said, whatever the body says of pages", async () => {
    const body = { svc_ids: [USA, BROOKLYN], limit: 3, offset: 2 };
    const page = await pageOf(client.post("/v1/price_feed/rental_price_feed", body));
    expect(page).toMatchObject({ limit: 1000, offset: 0 });
    expect(page.items).toHaveLength(1000);
  });

  it("has the rows that each market has alone", async () => {
    const { items } = await bulk({ svc_ids: [USA], start_date: "2024-01-01", property_type: "CONDO" });
    expect(items.map(({ svc_id: _, ...row }) => row)).toEqual(
      await rows(`${CASH}?start_date=2024-01-01&property_type=CONDO`),
    );
  });

  it("is 404 without any row", async () => {
    expect((await client.post("/v1/market_metrics/all_cash", { svc_ids: [1, 2] })).status).toBe(404);
  });
});

describe("figures", () => {
  test.each(METRIC_NAMES)("of %s depend on what they are narrowed by, and on nothing else", async (name) => {
    const [category, tail] = name.split("/");
    const path = `/v1/${category}/${USA}/${tail}`;
    const { filter } = METRICS[name];
    const narrowed = {
      none: "",
      property_type: "property_type=CONDO",
      portfolio_size: "portfolio_size=PORTFOLIO_2_TO_9",
    };
    const [whole, again, part] = [await rows(path), await rows(path), await rows(`${path}?${narrowed[filter]}`)];
    expect(again).toEqual(whole);
    if (filter === "none") {
      expect((await client.get(`${path}?property_type=CONDO`)).status).toBe(422);
    } else {
      expect(part).not.toEqual(whole);
      expect(datesOf(part)).toEqual(datesOf(whole));
    }
  });

  it("are the same at every start with the same seed, and others with another", async () => {
    const answers: unknown[] = [];
    for (const seed of [5, 6]) {
      const other = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed });
      answers.push((await pageOf(other.get(CASH))).items);
      await other.service.close();
    }
    expect(answers[0]).toEqual(await rows(CASH));
    expect(answers[1]).not.toEqual(answers[0]);
  });
});

describe("price histories", () => {
  it("have the rows of the source digit by digit, and on the newest day what is signed", async () => {
    const prices = mergePriceTables([
      BUILT_IN_PRICES,
      priceTable("sales 7 2024-06-01 100000.123456789012", "sales 7 2024-06-04 216.90", "rental 7 2024-06-03 2.50"),
    ]);
    const other = await ServiceUnderTest.start({ prices });
    try {
      const text = await (await other.get("/v1/price_feed/7/price_feed?limit=5")).text();
      expect(text).toContain('{"date":"2024-06-05","price_feed":216.90}');
      expect(text).toContain('{"date":"2024-06-04","price_feed":216.90}');
      expect(text).toContain('{"date":"2024-06-01","price_feed":100000.123456789012}');
      expect(await (await other.latest("sales", [7])).text()).toContain('"price":216.90');
      expect(await (await other.get("/v1/price_feed/7/rental_price_feed?limit=1")).text()).toContain(
        '"rental_price_feed":2.50}',
      );
    } finally {
      await other.service.close();
    }
  });

  it("cost a credit for each row, and are refused before they run when credits are short", async () => {
    client.service.setCredits(7);
    const refused = await client.get(`${SALES}?limit=8`);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: "Credit limit exceeded: 8 credits needed, 7 credits remaining" });
    expect(await pageOf(client.get(`${SALES}?limit=7`))).toMatchObject({
      account: { est_credits_used: 7, est_remaining_credits: 0 },
    });
  });
});

describe("faults of a feed", () => {
  const RENTAL_USA = USA + 2_000_000_000;

  it("late-edition and yesterday leave out the newest row, where it is asked for", async () => {
    for (const fault of [`late-edition:${USA}`, "late-edition", "yesterday"]) {
      client.service.setFaults([parseFault(fault)]);
      expect(datesOf(await rows(`${SALES}?limit=2`))).toEqual(["2024-06-04", "2024-06-03"]);
      expect((await client.get(`${SALES}?start_date=2024-06-05`)).status).toBe(404);
    }
    client.service.setFaults([parseFault(`late-edition:${USA}*1`)]);
    await rows(`${SALES}?end_date=2024-06-04`);
    await rows(RENTALS);
    expect(client.service.faults().map(formatFault)).toEqual([`late-edition:${USA}*1`]);
    const { items } = await pageOf(
      client.post("/v1/price_feed/price_feed", { svc_ids: [USA, BROOKLYN], start_date: "2024-06-04" }),
    );
    expect(items.map(({ svc_id, date }) => `${svc_id} ${date}`)).toEqual([
      "5826765 2024-06-04",
      "5822447 2024-06-05",
      "5822447 2024-06-04",
    ]);
    expect(client.service.faults()).toEqual([]);
  });

  it("server-error fails the requests that ask for it, volatility with sales, and no others", async () => {
    client.service.setFaults([parseFault(`server-error:${USA}`)]);
    const body = { svc_ids: [BROOKLYN, USA] };
    expect((await client.get(SALES)).status).toBe(500);
    expect((await client.get(`/v1/price_feed/${USA}/volatility`)).status).toBe(500);
    expect((await client.post("/v1/price_feed/price_feed", body)).status).toBe(500);
    expect((await client.get(RENTALS)).status).toBe(200);
    expect((await client.post("/v1/price_feed/rental_price_feed", body)).status).toBe(200);
    expect((await client.get(CASH)).status).toBe(200);
  });

  it("omitted leaves the feed out", async () => {
    client.service.setFaults([parseFault(`omitted:${RENTAL_USA}`)]);
    expect((await client.get(RENTALS)).status).toBe(404);
    const { items } = await pageOf(client.post("/v1/price_feed/rental_price_feed", { svc_ids: [USA, BROOKLYN] }));
    expect(new Set(items.map(({ svc_id }) => svc_id))).toEqual(new Set([BROOKLYN]));
  });

  it("that only signed prices show are not used up by histories", async () => {
    const faults = [`bad-signature:${USA}*1`, "expired*1", "sales-for-rental*1"];
    client.service.setFaults(faults.map((text) => parseFault(text)));
    await rows(SALES);
    await client.post("/v1/price_feed/price_feed", { svc_ids: [USA, BROOKLYN] });
    expect(client.service.faults().map(formatFault)).toEqual(faults);
  });

  it("sales-for-rental gives the sales answer where rental prices are asked for", async () => {
    const sales = await rows(SALES);
    client.service.setFaults([parseFault("sales-for-rental")]);
    expect(await rows(RENTALS)).toEqual(sales);
    expect(await rows(SALES)).toEqual(sales);
  });

  it("a clock that goes before publishes nothing early", async () => {
    client.service.setFaults([parseFault("clock-skew:86400000")]);
    const response = await client.get(`${SALES}?limit=1`);
    expect(response.headers.get("date")).toBe("Thu, 06 Jun 2024 14:00:00 GMT");
    expect(await response.json()).toMatchObject({ items: [{ date: "2024-06-05" }] });
  });
});
