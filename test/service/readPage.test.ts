import { describe, expect, test } from "vitest";
import { ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import { readPage } from "../../relayer/service/readPage.ts";

const FACTS = { method: "POST", path: "/v2/property_search", origin: "https://prices.example" };
const read = <Name extends EndpointName>(name: Name, answer: unknown, prefix = "svc") =>
  readPage(ENDPOINTS[name], answer, prefix, FACTS);

const EVENT = { event_type: "SALE", event_name: "SOLD", event_date: "2026-01-02", price: 250000.5 };

describe("an answer of v2", () => {
  const nested = {
    svc_property_id: 48703143,
    property_metadata: { address1: "11422 TELECHRON AVE", has_pool: 0 },
    events: [EVENT],
  };

  test("is read in the form that public clients saw", () => {
    const page = read("property_search/v2", {
      data: [nested],
      metadata: { results: { total_available: 3, returned_count: 1 } },
      pagination: { limit: 1, offset: 1, has_more: true },
      account_info: { est_credits_used: 1, est_remaining_credits: 9 },
    });
    expect(page.items).toEqual([{ ...nested, svc_property_id: 48703143n, events: [{ ...EVENT, price: "250000.5" }] }]);
    expect(page).toMatchObject({ total: 3, next: { offset: 2 }, account: { creditsUsed: 1, creditsRemaining: 9 } });
  });

  test("is read in the form of the specification, metadata beside or inside", () => {
    const account = { est_credits_used: 1, est_remaining_credits: 9 };
    const beside = { svc_property_id: 48703143, address1: "11422 TELECHRON AVE", has_pool: 0, events: [EVENT] };
    const [one] = read("property_search/v2", { items: [nested], account }).items;
    const [other] = read("property_search/v2", { items: [beside], account }).items;
    expect(one).toEqual(other);
    const [bare] = read("property_search/v2", { items: [{ svc_property_id: 1, events: [] }], account }).items;
    expect(bare).toEqual({ svc_property_id: 1n, events: [] });
  });
});

describe("an answer of v1", () => {
  test("keeps what stands beside the records, and fields that are new", () => {
    const page = read("market_metrics/all_cash", {
      svc_id: 7,
      property_type: "CONDO",
      items: [{ date: "2026-10-01", count_sales: "12", pct_sales: 28.5, pct_transfers: null, brand_new: [1] }],
      total: 1,
      limit: 12,
      offset: 0,
      links: { next: null },
    });
    expect(page.items).toEqual([
      { date: "2026-10-01", count_sales: 12, pct_sales: 28.5, pct_transfers: null, brand_new: [1] },
    ]);
    expect(page.echo).toEqual({ svc_id: 7, property_type: "CONDO" });
    expect(page).toMatchObject({ total: 1, next: undefined, saysWhetherMore: true });
  });

  test("says which record and field cannot be read", () => {
    const answer = {
      items: [
        { date: "2026-10-01", svc_id: 7 },
        { date: "2026-02-30", svc_id: 7 },
      ],
    };
    expect(() => read("price_feed/sales/bulk", answer)).toThrow(/item 1: date: must be a day of the calendar/);
    expect(() => read("price_feed/sales/bulk", { data: [] })).toThrow(/without a list in items/);
  });

  test("is read under whichever word stands for the maker", () => {
    const item = { acme_property_id: 5, cbsa_acme_id: 6, has_pool: true, current_on_market_rental_flag: null };
    const [property] = read("property/search", { items: [item] }, "acme").items;
    expect(property).toEqual({
      svc_property_id: 5n,
      cbsa_svc_id: 6n,
      has_pool: 1,
      current_on_market_rental_flag: null,
    });
  });
});
