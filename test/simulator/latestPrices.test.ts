import { afterEach, describe, expect, it } from "vitest";
import { formatPrice } from "../../relayer/message/decimalPrice.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { checkTimeWindows } from "../../relayer/message/timeWindows.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import type { PriceServiceOptions } from "../../simulator/priceService.ts";
import { isItemSigned, MORNING, priceTable, type ServedItem, ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const BROOKLYN = 5822447;
const DENVER = 5306725;
const OFFSET = 2_000_000_000n;

let running: ServiceUnderTest | undefined;
afterEach(async () => {
  await running?.service.close();
  running = undefined;
});

async function start(options: Partial<PriceServiceOptions> = {}, nowMs?: number): Promise<ServiceUnderTest> {
  running = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, ...options }, nowMs);
  return running;
}

/** What a message says, after the checks that everybody who verifies it makes. */
function checkedMessage(item: ServedItem, nowMs: number, layout = DEFAULT_LAYOUT, rentalOffset = OFFSET) {
  const decoded = decodePriceMessage(Buffer.from(item.message, "hex"), layout);
  if (!decoded.ok) throw new Error(decoded.refusal.message);
  const checked = checkPriceMessage(decoded.value, rentalOffset);
  if (!checked.ok) throw new Error(checked.refusal.message);
  const windowed = checkTimeWindows(checked.value, BigInt(nowMs));
  if (!windowed.ok) throw new Error(windowed.refusal.message);
  return windowed.value;
}

describe("an answer", () => {
  it("carries what it signs, under the service's key", async () => {
    const client = await start();
    for (const [kind, feedId, price] of [
      ["sales", BigInt(USA), "216.94"],
      ["rental", BigInt(USA) + OFFSET, "1.474"],
    ] as const) {
      const item = await client.servedOne(kind, USA);
      expect(Object.keys(item)).toEqual([
        "svc_id",
        "date",
        "price",
        "publish_timestamp",
        "expiry",
        "signature",
        "public_key",
        "message",
      ]);
      expect(item).toMatchObject({
        svc_id: USA,
        date: "2024-06-05",
        price: Number(price),
        publish_timestamp: Date.parse("2024-06-05T11:30:00Z"),
        expiry: Date.parse("2024-06-06T12:25:00Z"),
      });
      expect(`0x${item.public_key}`).toBe(client.service.publicKey);
      expect(isItemSigned(item)).toBe(true);
      const message = checkedMessage(item, MORNING);
      expect(message.feedId).toBe(feedId);
      expect(formatPrice(message.price)).toBe(price);
      expect(message.date).toBe(item.date);
      expect(message.publishTimeMs).toBe(BigInt(item.publish_timestamp));
      expect(message.expiryMs).toBe(BigInt(item.expiry));
    }
  });

  it("is ordered by market id, highest first, without repetitions", async () => {
    const client = await start();
    const { items } = await client.served("rental", [DENVER, USA, BROOKLYN, USA]);
    expect(items.map((item) => item.svc_id)).toEqual([USA, BROOKLYN, DENVER]);
  });

  it("silently drops markets that are unknown or lack a price of the kind", async () => {
    const client = await start();
    const newYork = 5372594; // has a rental price only
    const { items } = await client.served("sales", [USA, newYork, 123, 0, -5, USA + 2_000_000_000, 10 ** 21]);
    expect(items.map((item) => item.svc_id)).toEqual([USA]);
    expect((await client.served("rental", [newYork])).items).toHaveLength(1);
  });

  it("is 404 when nothing is found", async () => {
    const client = await start();
    const response = await client.latest("sales", [123, 456]);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
  });

  it("writes prices digit by digit as the source does", async () => {
    const prices = priceTable(
      "sales 1 2024-06-01 216.90",
      "sales 2 2024-06-01 1000000000.12345678",
      "sales 3 2024-06-01 7",
    );
    const client = await start({ prices });
    const text = await (await client.latest("sales", [1, 2, 3])).text();
    expect(text).toContain('"price":216.90,');
    expect(text).toContain('"price":1000000000.12345678,');
    expect(text).toContain('"price":7,');
  });

  it("says the price that is signed where the message has fewer decimals than the source", async () => {
    const client = await start({ prices: priceTable("sales 1 2024-06-01 1.123456789") });
    const text = await (await client.latest("sales", [1])).text();
    expect(text).toContain('"price":1.12345678,');
  });

  it("carries an earlier price forward, and knows no market before its first price", async () => {
    const prices = priceTable("sales 1 2024-05-01 10", "sales 1 2024-06-05 12", "sales 2 2024-06-06 20");
    const client = await start({ prices }, Date.parse("2024-06-04T14:00:00Z"));
    expect(await client.servedOne("sales", 1)).toMatchObject({ price: 10, date: "2024-06-04" });
    expect((await client.latest("sales", [2])).status).toBe(404);
    client.clock.ms = Date.parse("2024-06-05T11:29:59Z");
    expect(await client.servedOne("sales", 1)).toMatchObject({ price: 10, date: "2024-06-04" });
    client.clock.ms = Date.parse("2024-06-05T11:30:00Z");
    expect(await client.servedOne("sales", 1)).toMatchObject({ price: 12, date: "2024-06-05" });
    client.clock.ms = Date.parse("2026-08-01T14:00:00Z");
    expect(await client.servedOne("sales", 2)).toMatchObject({ price: 20, date: "2026-08-01" });
  });

  it("passes every check at every hour around the changes of clocks", async () => {
    const client = await start();
    for (const day of ["2024-03-10", "2024-11-03", "2025-03-09"]) {
      for (let hour = -12; hour < 48; hour += 1) {
        client.clock.ms = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
        const item = await client.servedOne("sales", USA);
        checkedMessage(item, client.clock.ms);
        expect(isItemSigned(item)).toBe(true);
      }
    }
  });
});

describe("the caches", () => {
  it("never answer one kind with the other, in whatever order they are asked", async () => {
    const client = await start();
    const first = await client.servedOne("sales", USA);
    const rental = await client.servedOne("rental", USA);
    expect(rental.price).toBe(1.474);
    expect(rental.signature).not.toBe(first.signature);
    expect(await client.servedOne("sales", USA)).toEqual(first);
    expect(await client.servedOne("rental", USA)).toEqual(rental);
  });

  it("do not outlive their edition", async () => {
    const client = await start();
    const today = await client.servedOne("sales", USA);
    client.clock.ms += 24 * 3_600_000;
    const tomorrow = await client.servedOne("sales", USA);
    expect(tomorrow.date).toBe("2024-06-06");
    expect(tomorrow.signature).not.toBe(today.signature);
    client.clock.ms -= 24 * 3_600_000;
    expect(await client.servedOne("sales", USA)).toEqual(today);
  });
});

describe("a request", () => {
  it.each([
    ["svc_id instead of svc_ids", { svc_id: [USA] }],
    ["ids as text", { svc_ids: [`${USA}`, ` +${USA} `] }],
    ["other fields beside the ids", { svc_ids: [USA], limit: 5 }],
  ])("may have %s", async (_case, body) => {
    const client = await start();
    const response = await client.post("/v1/price_feed/latest", body);
    expect(response.status).toBe(200);
  });

  it("may lack a content type or have any other", async () => {
    const client = await start();
    const body = JSON.stringify({ svc_ids: [USA] });
    expect((await client.post("/v1/price_feed/latest", body, { "Content-Type": "text/plain" })).status).toBe(200);
    const untyped = await fetch(`${client.service.url}/v1/price_feed/latest`, {
      method: "POST",
      headers: { Authorization: client.service.apiKey },
      body: Buffer.from(body),
    });
    expect(untyped.status).toBe(200);
  });

  it.each([
    ["no body", "", "missing", ["body"]],
    ["no JSON", '{"svc_ids": [1', "json_invalid", ["body", 0]],
    ["a list as body", "[1]", "model_attributes_type", ["body"]],
    ["no ids", "{}", "missing", ["body", "svc_ids"]],
    ["one id without a list", `{"svc_ids": ${USA}}`, "list_type", ["body", "svc_ids"]],
    ["an empty list", '{"svc_ids": []}', "too_short", ["body", "svc_ids"]],
    ["a fraction", '{"svc_ids": [1, 1.5]}', "int_from_float", ["body", "svc_ids", 1]],
    ["a word", '{"svc_ids": ["one"]}', "int_parsing", ["body", "svc_ids", 0]],
    ["null", '{"svc_ids": [null]}', "int_type", ["body", "svc_ids", 0]],
    ["true", '{"svc_ids": [true]}', "int_type", ["body", "svc_ids", 0]],
  ])("is 422 with %s", async (_case, body, type, loc) => {
    const client = await start();
    const response = await client.post("/v1/price_feed/latest", body);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown[] };
    expect(detail).toHaveLength(1);
    expect(detail[0]).toMatchObject({ type, loc, msg: expect.any(String) });
    expect(detail[0]).toHaveProperty("input");
  });

  it("has at most 1000 ids", async () => {
    const client = await start();
    const ids = Array.from({ length: 1000 }, (_, index) => index + USA - 999);
    expect((await client.latest("sales", ids)).status).toBe(200);
    const response = await client.latest("sales", [...ids, 1]);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown[] };
    expect(detail[0]).toMatchObject({ type: "too_long", loc: ["body", "svc_ids"] });
  });

  it("is 413 when its body is huge", async () => {
    const client = await start();
    const response = await client.post("/v1/price_feed/latest", " ".repeat(2_000_000));
    expect(response.status).toBe(413);
  });

  it("has ids under the configured prefix", async () => {
    const client = await start({ idPrefix: "acme" });
    expect((await client.latest("sales", [USA])).status).toBe(422);
    const response = await client.post("/v1/price_feed/latest", { acme_ids: [USA] });
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    expect(items[0]).toMatchObject({ acme_id: USA });
    expect(items[0]).not.toHaveProperty("svc_id");
  });
});

describe("the service's own checks", () => {
  const prices = priceTable(
    "sales 1 2024-06-01 10",
    "sales 2 2024-06-01 0.00",
    "sales 3 2024-06-01 99999999999999",
    "sales 4 2024-06-01 -1",
  );

  it.each([
    [2, "ZeroPrice"],
    [3, "PriceTooLarge"],
    [4, "ZeroPrice"],
  ])("fail the whole request over market %i", async (marketId, check) => {
    const client = await start({ prices });
    const response = await client.latest("sales", [1, marketId]);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toContain(`Market ${marketId} (sales)`);
    expect(detail).toContain(check);
    const { account } = await client.served("sales", [1]);
    expect(account.est_remaining_credits).toBe(999_999);
  });

  it("can leave the price out instead", async () => {
    const client = await start({ prices, onRefusal: "omit" });
    const { items } = await client.served("sales", [1, 2]);
    expect(items.map((item) => item.svc_id)).toEqual([1]);
    expect((await client.latest("sales", [2])).status).toBe(404);
  });
});

describe("layouts", () => {
  const exchangeLike: MessageLayout = {
    date: { offset: 0 },
    feedId: { offset: 10, width: 5, byteOrder: "big" },
    price: { offset: 15, width: 8, byteOrder: "big", exponent: { offset: 23, width: 1, byteOrder: "big" } },
    publishTime: { offset: 24, width: 5, byteOrder: "big", unit: "s" },
    expiry: { offset: 29, width: 5, byteOrder: "big", unit: "s" },
    constants: [],
    padding: [{ offset: 34, length: 40 }],
  };

  it("are followed, with exponents and seconds", async () => {
    const client = await start({ layout: exchangeLike });
    const item = await client.servedOne("rental", USA);
    expect(isItemSigned(item)).toBe(true);
    const message = checkedMessage(item, MORNING, exchangeLike);
    expect(formatPrice(message.price)).toBe("1.474");
    expect(message.feedId).toBe(BigInt(USA) + OFFSET);
  });

  it("refuse a price that their field cannot hold", async () => {
    const narrow: MessageLayout = {
      ...exchangeLike,
      price: { offset: 15, width: 4, byteOrder: "big", decimals: 8 },
      padding: [
        { offset: 19, length: 5 },
        { offset: 34, length: 40 },
      ],
    };
    const client = await start({ layout: narrow });
    const response = await client.latest("sales", [USA]);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("PriceTooLarge");
    expect((await client.latest("rental", [USA])).status).toBe(200);
  });

  it("may have another rental offset", async () => {
    const client = await start({ rentalOffset: 3_000_000_000n });
    const item = await client.servedOne("rental", USA);
    expect(checkedMessage(item, MORNING, DEFAULT_LAYOUT, 3_000_000_000n).feedId).toBe(BigInt(USA) + 3_000_000_000n);
  });
});
