import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { parseFault } from "../../simulator/faults.ts";
import { type MarketRecord, namedMarket } from "../../simulator/marketTable.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { type Finished, folderWith, runIn } from "./commandInFolder.ts";

const LATEST_PATHS = ["/v1/price_feed/latest", "/v1/price_feed_rentals/latest"];

const PRICES = priceTable(
  "sales 11 2024-06-05 100.5",
  "rental 11 2024-06-05 1.25",
  "sales 12 2024-06-05 200",
  "rental 13 2024-06-05 3",
  "sales 14 2024-06-05 400",
  "sales 15 2024-06-05 500",
);

const market = (
  id: bigint,
  name: string,
  known: Partial<Omit<MarketRecord, "marketId" | "name">>,
): [bigint, MarketRecord] => [id, namedMarket(id, name, { hasPriceFeed: true, ...known })];

const MARKETS = new Map([
  market(11n, "United States Of America", { locationType: "COUNTRY", totalPopulation: 330_000_000 }),
  market(12n, "Albany City", { locationType: "CITY", stateAbbreviation: "NY", totalPopulation: 100_000 }),
  market(13n, "Buffalo City", { locationType: "CITY", stateAbbreviation: "NY", totalPopulation: 270_000 }),
  market(14n, "Newark City", {
    locationType: "CITY",
    stateAbbreviation: "NJ",
    totalPopulation: 300_000,
    isExchangeMarket: true,
  }),
  market(15n, "Essex County", { locationType: "COUNTY", stateAbbreviation: "NJ", totalPopulation: 850_000 }),
  market(16n, "Yonkers City", {
    locationType: "CITY",
    stateAbbreviation: "NY",
    totalPopulation: 210_000,
    hasPriceFeed: false,
  }),
]);

/** A service with a market for each case: 11 has both prices, 12 sales, 13 rental, 14 a bad signature, 15 sales unless refused, 16 none. */
async function startService(...faults: readonly string[]): Promise<PriceService> {
  const service = await startPriceService({
    prices: PRICES,
    markets: MARKETS,
    faults: faults.map((fault) => parseFault(fault)),
  });
  onTestFinished(() => service.close());
  return service;
}

async function setUp(files: Readonly<Record<string, string>> = {}, faults: readonly string[] = ["bad-signature:14"]) {
  const service = await startService(...faults);
  const folder = await folderWith(files);
  const environment = {
    HOMEPRICE_API_URL: service.url,
    HOMEPRICE_API_KEY: service.apiKey,
    HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
    HOMEPRICE_STORE: join(folder, "store"),
  };
  const discover = (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Finished> =>
    runIn(folder, ["markets", "discover", ...words], { ...environment, ...more });
  const file = (name = "homeprice.config.yaml") => readFile(join(folder, name), "utf8");
  const pricedRequests = () => LATEST_PATHS.reduce((sum, path) => sum + (service.requests[path] ?? 0), 0);
  return { service, folder, discover, file, pricedRequests };
}

describe("what is found", () => {
  test("is every market with a signed price, with the kinds that it has and why the others are missing", async () => {
    const { discover, folder } = await setUp();
    const run = await discover(["--json"]);
    const document = run.document();
    // A price was refused.
    expect(run.exitCode).toBe(1);
    expect(document.ok).toBe(false);
    expect(
      document.markets.map(({ marketId, missing }: { marketId: string; missing: string[] }) => [marketId, missing]),
    ).toEqual([
      ["11", []],
      ["15", ["rental"]],
      ["13", ["sales"]],
      ["12", ["rental"]],
    ]);
    expect(document.markets[0]).toMatchObject({
      name: "United States Of America",
      locationType: "COUNTRY",
      stateAbbreviation: null,
      totalPopulation: 330_000_000,
      sales: { price: "100.5", date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      rental: { price: "1.25" },
      reasons: {},
    });
    expect(document.markets[3]).toMatchObject({
      sales: { price: "200" },
      rental: null,
      reasons: { rental: { outcome: "missing" } },
    });
    expect(document.leftOut).toMatchObject([
      {
        marketId: "14",
        sales: null,
        rental: null,
        reasons: { sales: { outcome: "refused" }, rental: { outcome: "missing" } },
      },
    ]);
    expect(document.leftOut[0].reasons.sales.reason).toMatch(/^InvalidSignature/);
    expect(document.difference).toEqual({
      added: ["11", "15:sales", "13:rental", "12:sales"],
      removed: [],
      changed: [],
      unchanged: [],
      notFound: [],
    });
    // Five markets have the service's mark; seven prices came back, of which one was no good.
    expect(document.credits).toEqual({ estimated: 10, used: 6, remaining: 999_994 });
    expect(document).toMatchObject({ file: "homeprice.config.yaml", written: false });
    expect(await readdir(folder)).toEqual([]);
  });

  test("is shown to people with its reasons and its difference", async () => {
    const { discover } = await setUp({ "homeprice.config.yaml": "markets: [7, 11]\n" });
    const { stdout, exitCode } = await discover([]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/4 of 5 markets have signed prices; 6 credits used, 999994 left/);
    expect(stdout).toMatch(/refused: sales price of Newark City \(14\): InvalidSignature/);
    expect(stdout).toMatch(/\+ 15:sales +Essex County/);
    expect(stdout).toMatch(/ 2 entries stay as they are/);
    expect(stdout).toMatch(/Listed, and not found this time: 7:sales, 7:rental/);
    expect(stdout).toMatch(/call again with --write/);
  });

  test("of a service whose prices are in order exits with 0, markets without a price or not", async () => {
    const { discover } = await setUp({}, ["refuse:15"]);
    const run = await discover(["--state", "NY,NJ", "--json"]);
    expect(run.exitCode).toBe(0);
    const { ok, markets, leftOut } = run.document();
    expect(ok).toBe(true);
    expect(markets.map(({ marketId }: { marketId: string }) => marketId)).toEqual(["14", "13", "12"]);
    // 16 has no mark; its selection was asked for all the same. 15 the service refuses to sign for.
    expect(leftOut.map(({ marketId }: { marketId: string }) => marketId)).toEqual(["15", "16"]);
    expect(leftOut[0].reasons.sales).toMatchObject({ outcome: "missing", reason: expect.stringMatching(/422/) });
  });

  test.each([
    [
      ["--type", "city", "county", "--state", "NY,nj"],
      ["15", "14", "13", "16", "12"],
    ],
    [
      ["--top", "3"],
      ["11", "15", "14"],
    ],
    [
      ["--type", "CITY", "--price-feed"],
      ["14", "13", "12"],
    ],
    [["--state", "NY", "--limit", "1"], ["13"]],
  ])("%j", async (words, asked) => {
    const { discover } = await setUp({}, []);
    const { markets, leftOut, credits } = (await discover([...words, "--json"])).document();
    const ids = [...markets, ...leftOut].map(({ marketId }: { marketId: string }) => marketId);
    expect(ids.toSorted()).toEqual(asked.toSorted());
    expect(credits.estimated).toBe(asked.length * 2);
  });

  test("can be of one kind", async () => {
    const { discover, service } = await setUp({}, []);
    const { markets, kinds, difference } = (await discover(["--kind", "rental", "--json"])).document();
    expect(kinds).toEqual(["rental"]);
    expect(markets).toMatchObject([{ marketId: "11", sales: null, missing: [] }, { marketId: "13" }]);
    expect(difference.added).toEqual(["11:rental", "13:rental"]);
    expect(service.requests["/v1/price_feed/latest"]).toBe(0);
  });

  test("without a configured signer is checked under the key that prices name, and that is said", async () => {
    const { discover, service } = await setUp({}, []);
    const run = await discover(["--json"], { HOMEPRICE_SIGNER_PUBLIC_KEY: "" });
    expect(run.document().signers).toEqual([{ publicKey: service.publicKey, prices: 6 }]);
    expect(run.stderr).toMatch(/no signerPublicKey is configured/);
  });
});

describe("--estimate", () => {
  test("says what it would cost and asks for no price", async () => {
    const { discover, pricedRequests, folder } = await setUp();
    const run = await discover(["--estimate", "--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.document()).toMatchObject({
      ok: true,
      candidates: 5,
      kinds: ["sales", "rental"],
      requests: 2,
      credits: { estimated: 10, used: 0, remaining: 1_000_000 },
    });
    expect((await discover(["--estimate"])).stdout).toMatch(
      /At most 10 credits, in 2 requests: 5 markets × sales and rental/,
    );
    expect(pricedRequests()).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("a budget", () => {
  test("of a run stops it before the first price is asked for", async () => {
    const { discover, pricedRequests } = await setUp();
    const run = await discover(["--json"], { HOMEPRICE_CREDITS_PER_RUN: "9" });
    expect(run.exitCode).toBe(1);
    expect(run.document()).toMatchObject({ ok: false, error: { code: "CREDIT_BUDGET" } });
    expect(pricedRequests()).toBe(0);
    expect((await discover(["--json"], { HOMEPRICE_CREDITS_PER_RUN: "10" })).document().credits.used).toBe(6);
  });

  test("of a month is kept over runs, by what they really used", async () => {
    const { discover, pricedRequests } = await setUp({}, []);
    const limits = { HOMEPRICE_CREDITS_PER_MONTH: "16" };
    expect((await discover(["--json"], limits)).document().credits.used).toBe(6);
    expect((await discover(["--json"], limits)).document().credits.used).toBe(6);
    const before = pricedRequests();
    const run = await discover(["--json"], limits);
    expect(run.exitCode).toBe(1);
    expect(run.document().error).toMatchObject({
      code: "CREDIT_BUDGET",
      message: expect.stringMatching(/16 of this month 12/),
    });
    expect(pricedRequests()).toBe(before);
  });
});

describe("--write", () => {
  test("makes a file where there is none, which the program reads", async () => {
    const { discover, file } = await setUp({}, []);
    const run = await discover(["--write", "--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.document().written).toBe(true);
    expect(await file()).toBe(
      "markets:\n  - 11 # United States Of America\n  - 15:sales # Essex County\n  - 14:sales # Newark City\n" +
        "  - 13:rental # Buffalo City\n  - 12:sales # Albany City\n",
    );
    expect((await discover(["--write", "--json"])).document()).toMatchObject({
      written: false,
      difference: { added: [], changed: [], unchanged: ["11", "15:sales", "14:sales", "13:rental", "12:sales"] },
    });
  });

  test("adds to a file, keeps its comments and its other keys, and the second time changes nothing", async () => {
    const before = [
      "# what we carry, and from where",
      'apiUrl: "https://elsewhere.example"    # not used here',
      "markets:",
      "  - 7           # by hand",
      "  - 12:rental   # rental only, so far",
      "  - 11",
      "chainId: 8453",
      "",
    ].join("\n");
    const { discover, file, folder } = await setUp({ "homeprice.config.yaml": before });
    const first = await discover(["--write"]);
    expect(first.stdout).toMatch(/~ 12:rental becomes 12 +Albany City/);
    expect(first.stdout).toMatch(/Written\./);
    const after = before
      .replace("12:rental", "12")
      .replace("  - 11\n", "  - 11\n  - 15:sales # Essex County\n  - 13:rental # Buffalo City\n");
    expect(await file()).toBe(after);
    const { ino } = await stat(join(folder, "homeprice.config.yaml"));
    const second = await discover(["--write"]);
    expect(second.stdout).toMatch(/There is nothing to write/);
    expect(await file()).toBe(after);
    expect((await stat(join(folder, "homeprice.config.yaml"))).ino).toBe(ino);
    expect(await readdir(folder)).toEqual(["homeprice.config.yaml"]);
  });

  test("--replace takes out what was not found", async () => {
    const { discover, file } = await setUp({ "homeprice.config.yaml": "markets: [7, 12, 11] # mine\n" }, []);
    const run = await discover(["--state", "NY", "--write", "--replace", "--json"]);
    expect(run.document().difference).toMatchObject({
      added: ["13:rental"],
      removed: ["7", "11"],
      changed: [{ from: ["12"], to: ["12:sales"] }],
    });
    expect(await file()).toBe("markets: [12:sales, 13:rental] # mine\n");
  });

  test("--replace keeps feeds for which the service failed", async () => {
    const faults = ["forbidden@/v1/price_feed_rentals/latest"];
    const { discover, file } = await setUp({ "homeprice.config.yaml": "markets: [11, 12, 13]\n" }, faults);
    const run = await discover(["--type", "CITY", "--state", "NY", "--write", "--replace", "--json"]);
    expect(run.exitCode).toBe(1);
    expect(run.document().difference).toMatchObject({ removed: ["11"], notFound: ["12:rental", "13:rental"] });
    expect(await file()).toBe("markets: [12, 13:rental]\n");
  });

  test("--replace never empties the list", async () => {
    const yaml = "markets: [11]\n";
    const { discover, file } = await setUp({ "homeprice.config.yaml": yaml }, []);
    const run = await discover(["--state", "WY", "--write", "--replace", "--json"]);
    expect(run.exitCode).toBe(1);
    expect(run.document().error.code).toBe("NO_MARKETS_FOUND");
    expect(await file()).toBe(yaml);
  });

  test("writes JSON, too, and follows a link to where the file is", async () => {
    const { discover, folder, file } = await setUp({}, []);
    await writeFile(join(folder, "real.json"), '{\n  "kinds": ["sales"],\n  "markets": ["12"]\n}\n', { mode: 0o640 });
    await symlink("real.json", join(folder, "relayer.json"));
    const run = await discover(["--config", "relayer.json", "--write", "--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.document().file).toBe("relayer.json");
    expect(JSON.parse(await file("real.json"))).toEqual({ kinds: ["sales"], markets: [12, 11, 15, 14] });
    expect((await stat(join(folder, "real.json"))).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).toSorted()).toEqual(["real.json", "relayer.json"]);
    expect((await discover(["--config", "relayer.json", "--write", "--json"])).document().written).toBe(false);
  });

  test("compares with the file, not with the environment, and warns that the latter comes first", async () => {
    const { discover, file } = await setUp({ "homeprice.config.yaml": "markets: [11]\n" }, []);
    const run = await discover(["--top", "1", "--write", "--json"], { HOMEPRICE_MARKETS: "99" });
    expect(run.document()).toMatchObject({ written: false, difference: { unchanged: ["11"] } });
    expect(run.stderr).toMatch(/HOMEPRICE_MARKETS is set/);
    expect(parseYaml(await file())).toEqual({ markets: [11] });
  });
});

test("a file that cannot be written is said before anything is paid for", async () => {
  const { discover, pricedRequests } = await setUp({}, []);
  const run = await discover(["--config", "/dev/null", "--write", "--json"]);
  expect(run.exitCode).toBe(2);
  expect(run.document().error.code).toBe("FILE_UNWRITABLE");
  expect(pricedRequests()).toBe(0);
});

describe("a call that cannot work exits with 2", () => {
  test.each([
    ["a kind of area that there is not", ["--type", "CITTY"]],
    ["no number", ["--top", "0"]],
  ])("%s", async (_name, words) => {
    const run = await runIn(await folderWith(), ["markets", "discover", ...words, "--json"], {});
    expect(run.exitCode).toBe(2);
    expect(run.document()).toMatchObject({ ok: false, error: { code: "USAGE" } });
  });

  test("no key", async () => {
    const environment = { HOMEPRICE_API_URL: "http://127.0.0.1:9" };
    const run = await runIn(await folderWith(), ["markets", "discover", "--json"], environment);
    expect(run.exitCode).toBe(2);
    expect(run.document().error.code).toBe("NO_API_KEY");
  });
});

describe("markets search", () => {
  test("narrows by kind of area and state, and ranks", async () => {
    const { service, folder } = await setUp({}, []);
    const environment = { HOMEPRICE_API_URL: service.url, HOMEPRICE_API_KEY: service.apiKey };
    const search = async (...words: string[]) =>
      (await runIn(folder, ["markets", "search", ...words, "--json"], environment)).document();
    expect(await search("--type", "city", "--state", "ny", "--sort", "population")).toMatchObject({
      ok: true,
      total: 3,
      markets: [{ marketId: "13" }, { marketId: "16" }, { marketId: "12" }],
    });
    expect(await search("essex", "county")).toMatchObject({ markets: [{ marketId: "15", name: "Essex County" }] });
    expect(await search("--limit", "2")).toMatchObject({ total: 6, markets: [{}, {}] });
  });
});
