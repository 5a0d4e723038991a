import { describe, expect, it } from "vitest";
import { wireJson } from "../../../simulator/world/wireJson.ts";
import { requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");

describe("a record as JSON", () => {
  it("has ids and prices as numbers with exactly their digits, and everything else as it is", () => {
    const record = {
      svc_id: 9_007_199_254_740_993n,
      date: "2024-06-05",
      price_feed: "216.90",
      nested: { median: { sales: 28.5, none: null } },
      list: [1n, "1"],
      zip_code: "01234",
    };
    expect(JSON.stringify(wireJson(record, "svc"))).toBe(
      '{"svc_id":9007199254740993,"date":"2024-06-05","price_feed":216.90,' +
        '"nested":{"median":{"sales":28.5,"none":null}},"list":[1,"1"],"zip_code":"01234"}',
    );
  });

  it("has the maker's name in the names of ids only", () => {
    const [property] = world.properties.inMarket(requireMarket(world, 5353022n));
    if (!property) throw new Error("no property");
    const fields = Object.keys(wireJson(property.record, "acme"));
    const expected = Object.keys(property.record).map((field) => field.replace("svc", "acme"));
    expect(fields).toEqual(expected);
    expect(fields).toContain("acme_property_id");
    expect(fields).toContain("cbsa_acme_id");
    expect(Object.keys(wireJson({ svc_note: 1, mysvc_id: 2 }, "acme"))).toEqual(["svc_note", "mysvc_id"]);
  });

  it("can be written of every kind of record", () => {
    const usa = requireMarket(world, 5826765n);
    const [event] = [...world.properties.inMarket(usa)].find(({ events }) => events.length > 0)?.events ?? [];
    if (!event) throw new Error("no event");
    const written = JSON.parse(JSON.stringify(wireJson(event, "svc"))) as Record<string, unknown>;
    expect(written).toEqual({ ...event, svc_property_id: Number(event.svc_property_id) });
    const sale = JSON.stringify(wireJson(world.priceFeeds.salesRow(usa, "2024-06-05"), "svc"));
    expect(sale).toBe('{"date":"2024-06-05","price_feed":216.94}');
    const rent = JSON.stringify(wireJson(world.priceFeeds.rentalRow(usa, "2024-06-05"), "svc"));
    expect(rent).toBe('{"date":"2024-06-05","rental_price_feed":1.474}');
  });
});
