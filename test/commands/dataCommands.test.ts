import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { propertySearchRequest } from "../../relayer/service/schemas/propertySearch.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { API_KEY, type Handler, type SeenRequest, startServer } from "../service/priceServer.ts";
import { type Finished, folderWith, runIn } from "./commandInFolder.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the service answers a request: its records, and what stands beside them. */
type Serve = (request: SeenRequest) => { readonly items: readonly Fields[]; readonly echo?: Fields };

/** Answers in pages as the service links them, a credit a record. */
function inPages(serve: Serve, origin: () => string): (request: SeenRequest) => { status?: number; body: unknown } {
  return (request) => {
    const { items, echo } = serve(request);
    const limit = Number(request.query.get("limit") ?? items.length);
    const offset = Number(request.query.get("offset") ?? 0);
    const page = items.slice(offset, offset + limit);
    if (page.length === 0) return { status: 404, body: { detail: "nothing" } };
    const next = new URLSearchParams(request.query);
    next.set("offset", String(offset + limit));
    const link = offset + limit < items.length ? `${origin()}${request.path}?${next}` : null;
    const account = { est_credits_used: page.length, est_remaining_credits: 1000 - page.length };
    return { body: { ...echo, items: page, total: items.length, limit, offset, links: { next: link }, account } };
  };
}

const NO_RECORDS: Serve = () => ({ items: [] });

async function setUp(serve: Serve = NO_RECORDS, handler?: (usual: Handler) => Handler) {
  let origin = "";
  const usual = inPages(serve, () => origin);
  const server = await startServer(handler ? handler(usual) : usual);
  origin = server.url;
  const folder = await folderWith();
  const environment = {
    HOMEPRICE_API_URL: server.url,
    HOMEPRICE_API_KEY: API_KEY,
    HOMEPRICE_STORE: join(folder, "store"),
  };
  const data = async (line: string, more: Readonly<Record<string, string>> = {}, input = ""): Promise<Finished> => {
    const finished = await runIn(folder, ["data", ...line.split(" ")], { ...environment, ...more }, input);
    expect(finished.stdout + finished.stderr).not.toContain(API_KEY);
    return finished;
  };
  const file = (name: string) => readFile(join(folder, name), "utf8");
  return { data, folder, file, environment, requests: server.requests };
}

/** Months from January 2025 on, newest first, as the service orders them. */
function months(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2025, index, 1)).toISOString().slice(0, 10),
  ).toReversed();
}

/** A metric of `count` months: of one market, or of those in the body. */
function metric(count: number, fields: (month: number) => Fields = (month) => ({ count_sales: month })): Serve {
  return ({ method, path, marketIds }) => {
    const rows = months(count).map((date, index) => ({ date, ...fields(index) }));
    if (method === "GET")
      return { items: rows, echo: { svc_id: Number(path.split("/")[3]), property_type: "ALL_PROPERTIES" } };
    const ids = [...marketIds].toSorted((a, b) => b - a);
    return {
      items: ids.flatMap((svc_id) => rows.map((row) => ({ svc_id, ...row }))),
      echo: { property_type: "ALL_PROPERTIES" },
    };
  };
}

const seen = ({ method, path, query, body }: SeenRequest) =>
  `${method} ${path}?${query}${body === "" ? "" : ` ${body}`}`;

describe("a series", () => {
  test("of one market is its newest dozen of rows, as a table", async () => {
    const { data, requests } = await setUp(metric(20));
    const run = await data("metrics market_metrics/all_cash --market 5826765");
    expect(run.exitCode).toBe(0);
    expect(requests.map(seen)).toEqual(["GET /v1/market_metrics/5826765/all_cash?limit=12"]);
    expect(run.stdout).toMatch(/svc_id +│ property_type +│ date +│ count_sales/);
    expect(run.stdout.match(/2026-0\d-01/g)).toHaveLength(8);
    expect(run.stderr).toContain("12 rows; 12 credits used, 988 left.");
  });

  test("of one market is one document with --json", async () => {
    const { data } = await setUp(metric(20));
    const run = await data("metrics market_metrics/all_cash --market 5826765 --last 2 --json");
    expect(run.document()).toEqual({
      ok: true,
      endpoint: "market_metrics/all_cash",
      items: [
        { date: "2026-08-01", count_sales: 0 },
        { date: "2026-07-01", count_sales: 1 },
      ],
      echo: { svc_id: 5826765, property_type: "ALL_PROPERTIES" },
      credits: { used: 2, remaining: 998 },
    });
  });

  test("of several markets over a span is one request for all, and a line of CSV a row", async () => {
    const prices = (month: number) => ({
      price: { median: { sales: "12345678901.12345678", new_listings_for_sale: month === 0 ? null : -24000.5 } },
    });
    const { data, requests } = await setUp(metric(2, prices));
    const line =
      "metrics market_metrics/housing_event_prices --market 7 9,8 --from 2025-01-01 --property-type single-family";
    const run = await data(`${line} --format csv`);
    expect(requests.map(seen)).toEqual([
      'POST /v1/market_metrics/housing_event_prices?limit=10000 {"svc_ids":[7,9,8],"start_date":"2025-01-01","property_type":"SINGLE_FAMILY"}',
    ]);
    expect(run.stdout.split("\n").slice(0, 3)).toEqual([
      "svc_id,property_type,date,price_median_sales,price_median_new_listings_for_sale",
      "9,ALL_PROPERTIES,2025-02-01,12345678901.12345678,",
      "9,ALL_PROPERTIES,2025-01-01,12345678901.12345678,-24000.5",
    ]);
    expect(run.exitCode).toBe(0);
  });

  test("of several markets by number of rows asks for each alone, and says whose rows they are", async () => {
    const { data, requests } = await setUp(metric(20));
    const run = await data(
      "metrics portfolio_metrics/sf_housing_event_counts --market 7 8 --last 2 --portfolio-size all-portfolios --json",
    );
    expect(requests.map(seen)).toEqual([
      "GET /v1/portfolio_metrics/7/sf_housing_event_counts?portfolio_size=ALL_PORTFOLIOS&limit=2",
      "GET /v1/portfolio_metrics/8/sf_housing_event_counts?portfolio_size=ALL_PORTFOLIOS&limit=2",
    ]);
    const { items, echo, credits } = run.document();
    expect(items.map(({ svc_id, date }: Fields) => [svc_id, date])).toEqual([
      ["7", "2026-08-01"],
      ["7", "2026-07-01"],
      ["8", "2026-08-01"],
      ["8", "2026-07-01"],
    ]);
    expect(echo).toEqual({ property_type: "ALL_PROPERTIES" });
    expect(credits.used).toBe(4);
  });

  test("of a price feed has its own endpoints", async () => {
    const { data, requests } = await setUp(metric(3, () => ({ rental_price_feed: 1.474 })));
    const run = await data("prices --kind rental --market 7 --all --format csv");
    expect(run.stdout).toMatch(/^svc_id,property_type,date,rental_price_feed\n7,ALL_PROPERTIES,2025-03-01,1\.474\n/);
    await data("prices --kind sales --market 7 8 --to 2020-01-01 --json");
    expect(requests.map(seen)).toEqual([
      "GET /v1/price_feed/7/rental_price_feed?limit=1000",
      'POST /v1/price_feed/price_feed?limit=10000 {"svc_ids":[7,8],"end_date":"2020-01-01"}',
    ]);
  });

  test("is at most so many rows with --max", async () => {
    const { data, requests } = await setUp(metric(20));
    const run = await data("metrics market_metrics/all_cash --market 7 8 9 --last 3 --max 5 --json");
    expect(run.document().items).toHaveLength(5);
    expect(requests.map(({ query }) => query.get("limit"))).toEqual(["3", "2"]);
  });
});

describe("properties and events", () => {
  test("events are asked for by property", async () => {
    const event = {
      svc_property_id: 48703143,
      event_type: "SALE",
      event_name: "SOLD",
      price: null,
      investor_flag: null,
    };
    const { data, requests } = await setUp(() => ({ items: [event] }));
    const run = await data(
      "events --property 48703143 48708153 --type sale --from 2020-01-01 --updated-since 2025-01-01 --json",
    );
    expect(requests.map(seen)).toEqual([
      'POST /v1/property/event_history? {"svc_property_ids":[48703143,48708153],"event_type":"SALE","start_date":"2020-01-01","record_updated_date_start":"2025-01-01"}',
    ]);
    expect(run.document().items).toEqual([{ ...event, svc_property_id: "48703143" }]);
  });

  test("properties of a market are found by what they are, by every filter that the service has", async () => {
    const property = { svc_property_id: 1, address: "=1+1", zip_code: "02134", has_pool: 1 };
    const { data, requests } = await setUp(() => ({ items: [property] }));
    const filters = Object.keys(propertySearchRequest.shape).filter((field) =>
      /_(min|max|flag)$|^has_pool$/.test(field),
    );
    const words = filters.map((field) => `--${field.replaceAll("_", "-")} ${/_(min|max)$/.test(field) ? 2 : "yes"}`);
    const run = await data(
      `properties --market 7 --property-type condo ${words.join(" ")} --owner AMH --added-since 2025-01-01 --max 10 --format csv`,
    );
    const [request] = requests;
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      svc_id: "7",
      property_type: "CONDO",
      ...Object.fromEntries(filters.map((field) => [field, /_(min|max)$/.test(field) ? "2" : "true"])),
      current_entity_owner_name: "AMH",
      record_added_date_start: "2025-01-01",
      limit: "10",
    });
    expect(filters.length).toBeGreaterThan(15);
    expect(run.stdout).toBe("svc_property_id,address,zip_code,has_pool\n1,'=1+1,02134,1\n");
  });

  test("a search takes its request from a file or from standard input, and options come before it", async () => {
    const { data, requests } = await setUp(() => ({ items: [{ acme_property_id: 1 }] }));
    const request = {
      acme_ids: [7],
      limit: 20,
      query_type: "property_events",
      event_filters: { event_names: ["SOLD"], min_price: 1 },
      property_filters: { min_beds: 2, include_property_details: 1 },
    };
    const run = await data(
      "search --request - --min-beds 3 --event-name listed-sale --full-history --format csv",
      { HOMEPRICE_ID_PREFIX: "acme" },
      JSON.stringify(request),
    );
    expect(requests.map(({ query }) => query.get("limit"))).toEqual(["20"]);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      acme_ids: [7],
      query_type: "property_events",
      event_filters: {
        event_names: ["LISTED_SALE"],
        min_price: 1,
        include_events: 1,
        include_full_event_history: 1,
      },
      property_filters: { min_beds: 3, include_property_details: 1 },
    });
    expect(run.stdout).toBe("svc_property_id\n1\n");
  });

  test("a property with several events has a line for each", async () => {
    const found = {
      svc_property_id: 1,
      property_metadata: { city: "CHICAGO" },
      events: [{ event_name: "SOLD", price: 5 }, { event_name: "LISTED_SALE" }],
    };
    const { data, requests } = await setUp(() => ({ items: [found, { svc_property_id: 2, events: [] }] }));
    const run = await data("search --near 41.94,-87.65,0.5 --owner amh --events --max 9 --format csv");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      geo_coordinates: { latitude: 41.94, longitude: -87.65, radius: 0.5 },
      owner_filters: { owner_name: ["AMH"] },
      event_filters: { include_events: 1 },
    });
    expect(run.stdout).toBe(
      "svc_property_id,property_metadata_city,events_event_name,events_price\n1,CHICAGO,SOLD,5\n1,CHICAGO,LISTED_SALE,\n2,,,\n",
    );
    expect(run.stderr).toContain("2 properties;");
  });

  test("addresses come from a CSV file, a hundred a request", async () => {
    const { data, requests } = await setUp(({ body }) => ({
      items: (JSON.parse(body) as Fields[]).map(({ source_id, address }) => ({
        svc_property_id: 1,
        source_id,
        address,
      })),
    }));
    const lines = Array.from({ length: 101 }, (_, index) => `s${index},${index} Main St,Denver,co,80202,,ignored`);
    const csv = `\uFEFFsource_id,address,city,state_abbreviation,zip_code,unit,notes\r\n${lines.join("\r\n")}\r\n`;
    const run = await data("addresses --from - --json", {}, csv);
    expect(run.exitCode).toBe(0);
    expect(run.document().items).toHaveLength(101);
    expect(requests.map(({ body }) => JSON.parse(body).length)).toEqual([100, 1]);
    expect(JSON.parse(requests[1]?.body ?? "")).toEqual([
      { source_id: "s100", address: "100 Main St", city: "Denver", state_abbreviation: "CO", zip_code: "80202" },
    ]);
  });

  test("a file that holds no addresses is refused, and nothing is sent", async () => {
    const { data, requests } = await setUp();
    const run = await data("addresses --from - --json", {}, "address,city\n1 Main St,Denver\n");
    expect(run.exitCode).toBe(2);
    expect(run.document()).toMatchObject({ ok: false, error: { code: "INVALID_ADDRESSES" } });
    expect(requests).toHaveLength(0);
  });
});

test("requests are spelt as the configuration says", async () => {
  const { data, requests } = await setUp(metric(1));
  const clients = { HOMEPRICE_REQUEST_SPELLING: "public-clients", HOMEPRICE_ADDRESS_LIST_NAME: "addresses" };
  await data("prices --kind sales --market 7 8 --from 2025-01-01 --json", clients);
  await data(
    "addresses --from - --json",
    clients,
    "address,city,state_abbreviation,zip_code\n1 Main St,Denver,CO,80202\n",
  );
  expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
    { svc_id: ["7", "8"], start_date: "2025-01-01" },
    { addresses: [{ address: "1 Main St", city: "Denver", state_abbreviation: "CO", zip_code: "80202" }] },
  ]);
  const nation = await data("search --market 7 --json", { HOMEPRICE_NATIONWIDE_MARKET_ID: "7" });
  expect(nation.document().error.message).toMatch(/nationwide-search-names-operator/);
});

test("--estimate says what it would cost, sends nothing and needs no key", async () => {
  const folder = await folderWith();
  const estimate = (line: string) => runIn(folder, ["data", ...line.split(" "), "--estimate"], {});
  const run = await estimate("metrics market_metrics/all_cash --market 7 8 9 --last 4 --json");
  expect(run.exitCode).toBe(0);
  expect(run.document()).toEqual({
    ok: true,
    endpoint: "market_metrics/all_cash",
    credits: { estimated: 12, used: 0, remaining: null },
    requests: 3,
    basis: "3 times at most 4 rows",
  });
  expect((await estimate("events --property 1")).stdout).toBe("At most 1 credit, in at most 1 request: 1 property.\n");
  expect((await estimate("properties --market 7 --property-type condo")).stdout).toMatch(/Unknown before.*--max/);
});

describe("a budget", () => {
  test("stops a call before it is sent", async () => {
    const { data, requests } = await setUp(metric(20));
    const run = await data("metrics market_metrics/all_cash --market 7 --json", { HOMEPRICE_CREDITS_PER_RUN: "11" });
    expect(run.exitCode).toBe(1);
    expect(run.document().error).toMatchObject({ code: "CREDIT_BUDGET" });
    expect(requests).toHaveLength(0);
  });

  test("that ends on the way leaves what had come, marked as a part", async () => {
    const { data, requests, folder, file } = await setUp(metric(20));
    const line = "metrics market_metrics/all_cash --market 7 8 9 --last 3 --output x.csv --json";
    const run = await data(line, { HOMEPRICE_CREDITS_PER_MONTH: "6" });
    expect(run.exitCode).toBe(1);
    expect(requests).toHaveLength(2);
    expect(run.document()).toMatchObject({
      ok: false,
      partial: "x.csv.partial",
      received: 6,
      credits: { used: 6 },
      error: {
        code: "INCOMPLETE_RESULT",
        message: expect.stringMatching(/after 6 records.*complete for 2 of 3 ids.*6 of this month/),
      },
    });
    expect((await readdir(folder)).toSorted()).toEqual(["store", "x.csv.partial"]);
    expect(parse(await file("x.csv.partial"))).toHaveLength(7);
    // The next run finds the month used up.
    const next = await data("prices --kind sales --market 7 --last 1 --json", { HOMEPRICE_CREDITS_PER_MONTH: "6" });
    expect(next.document().error.code).toBe("CREDIT_BUDGET");
  });

  test("of the account that is used up is told apart from a rate limit", async () => {
    const { data } = await setUp(NO_RECORDS, () => () => ({ status: 429, body: { error: "Credit limit exceeded" } }));
    const run = await data("prices --kind sales --market 7 --json");
    expect(run.document().error).toMatchObject({ code: "API_CREDITS_EXHAUSTED" });
  });
});

describe("what breaks off is never passed off as complete", () => {
  const LINE = "prices --kind sales --market 7 --all";

  /** 1,500 days, and a second page that is refused. */
  const breakingOff = () =>
    setUp(
      metric(1500),
      (usual) => (request, response, number) =>
        number === 2 ? { status: 403, body: { detail: "no" } } : usual(request, response, number),
    );

  test("CSV on standard output has what came; standard error and the exit code say that it is not all", async () => {
    const { data } = await breakingOff();
    const run = await data(`${LINE} --format csv`);
    expect(run.exitCode).toBe(1);
    expect(parse(run.stdout)).toHaveLength(1001);
    expect(run.stderr).toMatch(/error: price_feed\/sales broke off after 1000 records/);
  });

  test("a document has what came, and the error", async () => {
    const { data } = await breakingOff();
    const run = await data(`${LINE} --json`);
    expect(run.exitCode).toBe(1);
    const { ok, items, error, credits } = run.document();
    expect(ok).toBe(false);
    expect(items).toHaveLength(1000);
    expect(error).toMatchObject({ code: "INCOMPLETE_RESULT", hint: expect.stringMatching(/plan/) });
    expect(credits.used).toBe(1000);
  });

  test("a file stays as it was, and the part is beside it", async () => {
    const { data, folder, file } = await breakingOff();
    const first = await data("prices --kind sales --market 7 --last 1 --output x.csv");
    expect(first.stdout).toContain("x.csv: 1 row; 1 credit used, 999 left.");
    const complete = await file("x.csv");
    const run = await data(`${LINE} --output x.csv`);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/API_FORBIDDEN|403/);
    expect(await file("x.csv")).toBe(complete);
    expect(await readdir(folder)).toEqual(["x.csv"]);
  });

  test("a part of a file is kept as one", async () => {
    const { data, folder, file } = await breakingOff();
    const run = await data(`${LINE} --output x.json`);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/x\.json\.partial: 1000 rows that came before it broke off/);
    expect(await readdir(folder)).toEqual(["x.json.partial"]);
    expect(JSON.parse(await file("x.json.partial"))).toMatchObject({ ok: false, error: { code: "INCOMPLETE_RESULT" } });
  });

  test("columns that come after a printed header are named; a file has them all", async () => {
    const late: Serve = () => ({
      items: months(1500).map((date, index) => ({ date, ...(index > 1200 && { later: index }) })),
    });
    const { data, file } = await setUp(late);
    const printed = await data(`${LINE} --format csv`);
    expect(printed.exitCode).toBe(1);
    expect(printed.stderr).toMatch(/lacks columns that came only after its header: later/);
    const saved = await data(`${LINE} --output x.csv`);
    expect(saved.exitCode).toBe(0);
    const [header, ...lines] = parse(await file("x.csv")) as string[][];
    expect(header).toEqual(["svc_id", "date", "later"]);
    expect(lines).toHaveLength(1500);
    expect(lines.at(-1)?.[2]).toBe("1499");
  });

  test("a signal stops it, and what came is kept as a part", async () => {
    let stop = () => {};
    const { environment, folder } = await setUp(metric(1500), (usual) => (request, response, number) => {
      if (number === 1) return usual(request, response, number);
      stop();
      return undefined;
    });
    const entry = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");
    const child = spawn(process.execPath, [entry, "data", ...LINE.split(" "), "--output", "x.csv", "--json"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    stop = () => child.kill("SIGTERM");
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    const [exitCode] = (await once(child, "close")) as [number | null];
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, received: 1000, error: { code: "STOPPED" } });
    expect(await readdir(folder)).toEqual(["x.csv.partial"]);
  });

  test("a reader that goes away ends the asking", async () => {
    const { environment, folder, requests } = await setUp(() => ({
      items: Array(100_000).fill({ date: "2025-01-01" }),
    }));
    const entry = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");
    const child = spawn(process.execPath, [entry, "data", ...LINE.split(" "), "--format", "csv"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.once("data", () => child.stdout.destroy());
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [exitCode] = (await once(child, "close")) as [number | null];
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/standard output takes nothing more \(EPIPE\)/);
    expect(requests.length).toBeLessThan(100);
  });
});

describe("a call that cannot work exits with 2, and sends nothing", () => {
  test.each([
    ["a metric that there is not", "metrics market_metrics/nope --market 7", /none of market_metrics\/all_cash/],
    ["a day that there is not", "prices --kind sales --market 7 --from 2024-02-30", /start_date must be a day/],
    [
      "a filter that the metric has not",
      "metrics market_metrics/housing_stock --market 7 --property-type condo",
      /property_type is no field/,
    ],
    ["two forms at once", "prices --kind sales --market 7 --format csv", /--json prints one document/],
    ["a request that is no JSON", "search --request -", /no JSON/],
  ])("%s", async (_name, line, message) => {
    const { data, requests } = await setUp();
    const run = await data(`${line} --json`);
    expect(run.exitCode).toBe(2);
    expect(run.document().error.message).toMatch(message);
    expect(requests).toHaveLength(0);
  });

  test("a file whose folder is not there is said before anything is paid for", async () => {
    const { data, requests } = await setUp(metric(3));
    const run = await data("prices --kind sales --market 7 --output none/x.csv");
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/none\/x\.csv cannot be written \(ENOENT\)/);
    expect(requests).toHaveLength(0);
  });
});

describe("data list", () => {
  test("shows every endpoint with its cost", async () => {
    const folder = await folderWith();
    const { endpoints } = (await runIn(folder, ["data", "list", "--json"], {})).document();
    expect(endpoints.length).toBeGreaterThan(50);
    expect(endpoints).toContainEqual(
      expect.objectContaining({
        name: "market_metrics/all_cash/bulk",
        method: "POST",
        cost: "1 a row",
        idsPerRequest: 1000,
      }),
    );
    const csv = parse((await runIn(folder, ["data", "list", "--format", "csv"], {})).stdout, { columns: true });
    expect(csv).toHaveLength(endpoints.length);
  });
});
