import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage, type PriceMessage } from "../../relayer/message/priceMessage.ts";
import { checkTimeWindows } from "../../relayer/message/timeWindows.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { formatFault, parseFault } from "../../simulator/faults.ts";
import { reversedLayout } from "../../simulator/reversedLayout.ts";
import {
  isItemSigned,
  isSignatureValid,
  MORNING,
  priceTable,
  type ServedItem,
  type ServedPrices,
  ServiceUnderTest,
} from "./priceServiceClient.ts";

const USA = 5826765;
const BROOKLYN = 5822447;
/** Has a rental price only. */
const NEW_YORK = 5372594;
const SALES = "/v1/price_feed/latest";
const USA_RENTAL = 2_005_826_765n;

let client: ServiceUnderTest;
beforeAll(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES });
});
afterAll(() => client.service.close());
beforeEach(() => {
  client.clock.ms = MORNING;
  client.service.setFaults([]);
});

/** The item of the faulty feed; the others of the answer must not have changed. */
async function faultyItem(...faults: readonly string[]): Promise<ServedItem> {
  const { items: sound } = await client.served("sales", [USA, BROOKLYN]);
  client.service.setFaults(faults.map((fault) => parseFault(fault)));
  const { items } = await client.served("sales", [USA, BROOKLYN]);
  expect(items[1]).toEqual(sound[1]);
  expect(items[0]).not.toEqual(sound[0]);
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

function fieldsOf(item: ServedItem, layout: MessageLayout = DEFAULT_LAYOUT): PriceMessage {
  const decoded = decodePriceMessage(Buffer.from(item.message, "hex"), layout);
  if (!decoded.ok) throw new Error(decoded.refusal.message);
  return decoded.value;
}

/** The first check that the message fails, or `undefined`. */
function refusalOf(item: ServedItem, layout: MessageLayout = DEFAULT_LAYOUT, nowMs = client.clock.ms) {
  const checked = checkPriceMessage(fieldsOf(item, layout));
  const windowed = checked.ok ? checkTimeWindows(checked.value, BigInt(nowMs)) : checked;
  return windowed.ok ? undefined : windowed.refusal.code;
}

/** The fields beside the message repeat it. */
function expectAgreement(item: ServedItem): void {
  const fields = fieldsOf(item);
  expect(item.date).toBe(fields.date);
  expect(BigInt(item.publish_timestamp)).toBe(fields.publishTimeMs);
  expect(BigInt(item.expiry)).toBe(fields.expiryMs);
  expect(BigInt(Math.round(item.price * 1e8))).toBe(fields.priceMantissa);
}

describe("faults of one feed", () => {
  it("bad-signature flips one bit of S", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`bad-signature:${USA}`);
    expect(isItemSigned(item)).toBe(false);
    expect({ ...item, signature: sound.signature }).toEqual(sound);
    expect(item.signature.slice(0, 64)).toBe(sound.signature.slice(0, 64));
    const differing = BigInt(`0x${item.signature}`) ^ BigInt(`0x${sound.signature}`);
    expect(differing.toString(2).replaceAll("0", "")).toBe("1");
  });

  it("unknown-signer signs rightly with another key", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`unknown-signer:${USA}`);
    expect(item.public_key).not.toBe(sound.public_key);
    expect(item.message).toBe(sound.message);
    expect(isItemSigned(item)).toBe(true);
  });

  it("wrong-kind carries the other kind's feed id", async () => {
    const item = await faultyItem(`wrong-kind:${USA}`);
    expect(item.svc_id).toBe(USA);
    expect(fieldsOf(item).feedId).toBe(USA_RENTAL);
    expect(isItemSigned(item)).toBe(true);
    client.service.setFaults([parseFault(`wrong-kind:${USA_RENTAL}`)]);
    expect(fieldsOf(await client.servedOne("rental", USA)).feedId).toBe(BigInt(USA));
  });

  it("rotated-key signs rightly with the key that the service says is its next", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`rotated-key:${USA}`);
    expect(`0x${item.public_key}`).toBe(client.service.rotatedPublicKey);
    expect(item.message).toBe(sound.message);
    expect(isItemSigned(item)).toBe(true);
    expect(await client.servedOne("sales", USA)).toEqual(item);
  });

  it("changed-layout signs the same fields in other places", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`changed-layout:${USA}`);
    expect(isItemSigned(item)).toBe(true);
    expect(decodePriceMessage(Buffer.from(item.message, "hex"), DEFAULT_LAYOUT).ok).toBe(false);
    expect(fieldsOf(item, checkLayout(reversedLayout(DEFAULT_LAYOUT)))).toEqual(fieldsOf(sound));
    const { message: _message, signature: _signature, ...beside } = item;
    expect(sound).toMatchObject(beside);
  });

  it.each([
    ["wrong-date", "2024-06-04", undefined],
    ["future-date", "2024-06-06", "PublishedBeforeDate"],
  ])("%s is of %s, rightly signed, with everything else as it was", async (kind, date, refusal) => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`${kind}:${USA}`);
    expect(fieldsOf(item)).toEqual({ ...fieldsOf(sound), date });
    expect(item).toMatchObject({ date, price: sound.price, publish_timestamp: sound.publish_timestamp });
    expect(isItemSigned(item)).toBe(true);
    expect(refusalOf(item)).toBe(refusal);
  });

  it.each([
    ["2024-06-05T11:30:00.000Z", "2024-06-05T11:30:01.000Z"],
    ["2024-06-05T11:45:07.500Z", "2024-06-05T11:45:07.500Z"],
    ["2024-06-05T14:00:00.000Z", "2024-06-05T12:00:00.000Z"],
    ["2024-06-06T11:29:59.999Z", "2024-06-05T12:00:00.000Z"],
  ])(
    "at %s, revised-price is published anew as of %s: the same date's, one per cent higher",
    async (now, published) => {
      client.clock.ms = Date.parse(now);
      const sound = await client.servedOne("sales", USA);
      const item = await faultyItem(`revised-price:${USA}`);
      expect(sound.price).toBe(216.94);
      expect(item).toMatchObject({ price: 219.1, date: sound.date, expiry: sound.expiry });
      expect(new Date(item.publish_timestamp).toISOString()).toBe(published);
      expect(isItemSigned(item)).toBe(true);
      expectAgreement(item);
      expect(refusalOf(item)).toBeUndefined();
      expect(await client.servedOne("sales", USA)).toEqual(item);
    },
  );

  it("revised-price changes even the smallest price", async () => {
    const prices = priceTable("sales 1 2024-06-01 7", "sales 2 2024-06-01 0.01", "sales 3 2024-06-01 216.90");
    const small = await ServiceUnderTest.start({ prices, faults: [parseFault("revised-price")] });
    const { items } = await small.served("sales", [1, 2, 3]);
    expect(items.map(({ price }) => price)).toEqual([219.06, 0.02, 8]);
    await small.service.close();
  });

  it("late-edition leaves one feed behind the others", async () => {
    client.clock.ms = Date.parse("2024-06-05T11:00:00Z");
    const before = await client.servedOne("sales", USA);
    client.clock.ms = Date.parse("2024-06-05T11:45:00Z");
    expect(await faultyItem(`late-edition:${USA}`)).toEqual(before);
    expect(before.date).toBe("2024-06-04");
  });

  it("mismatch says another price than it signs", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`mismatch:${USA}`);
    expect(item).toEqual({ ...sound, price: 216.95 });
  });

  it.each([
    ["short-message", 73],
    ["long-message", 75],
  ])("%s signs %i bytes", async (kind, length) => {
    const item = await faultyItem(`${kind}:${USA}`);
    expect(item.message).toHaveLength(2 * length);
    expect(isItemSigned(item)).toBe(true);
  });

  it.each([
    ["expired", "ExpiryPassed"],
    ["expiry-too-far", "ExpiryTooFarAhead"],
    ["publish-too-old", "PublishTimeTooOld"],
    ["publish-too-far-ahead", "PublishTimeTooFarAhead"],
    ["invalid-date", "InvalidDate"],
    ["zero-price", "ZeroPrice"],
  ])("%s is %s at any hour, rightly signed and without contradiction", async (kind, refusal) => {
    for (let hour = 0; hour < 25; hour += 1) {
      client.service.setFaults([]);
      client.clock.ms = MORNING + hour * 3_600_000 + 123;
      const item = await faultyItem(`${kind}:${USA}`);
      expect(refusalOf(item)).toBe(refusal);
      expect(isItemSigned(item)).toBe(true);
      expectAgreement(item);
    }
  });

  it.each([
    ["expired", (item: ServedItem) => item.expiry - MORNING, -1_000],
    ["expiry-too-far", (item: ServedItem) => item.expiry - MORNING, 25 * 3_600_000 + 30_000],
    ["publish-too-old", (item: ServedItem) => item.publish_timestamp - MORNING, -49 * 3_600_000],
    ["publish-too-far-ahead", (item: ServedItem) => item.publish_timestamp - MORNING, 61 * 60_000],
  ])("%s is off by what it says", async (kind, distance, expected) => {
    expect(distance(await faultyItem(`${kind}:${USA}`))).toBe(expected);
  });

  it("publish-too-old has a date and an expiry that suit its age", async () => {
    const item = await faultyItem(`publish-too-old:${USA}`);
    expect(item.date).toBe("2024-06-03");
    expect(new Date(item.expiry).toISOString()).toBe("2024-06-06T00:00:00.000Z");
  });

  it("refuse fails the whole request, as the service's own check does", async () => {
    client.service.setFaults([parseFault(`refuse:${USA}`)]);
    const response = await client.latest("sales", [USA, BROOKLYN]);
    expect(response.status).toBe(422);
    expect(((await response.json()) as { detail: string }).detail).toContain(`Market ${USA}`);
    expect((await client.latest("sales", [BROOKLYN])).status).toBe(200);
    expect((await client.latest("rental", [USA])).status).toBe(200);
  });

  it("omitted leaves the item out", async () => {
    client.service.setFaults([parseFault(`omitted:${USA}`)]);
    const { items } = await client.served("sales", [USA, BROOKLYN]);
    expect(items.map((item) => item.svc_id)).toEqual([BROOKLYN]);
    expect((await client.latest("sales", [USA])).status).toBe(404);
    expect((await client.served("rental", [USA])).items).toHaveLength(1);
  });

  it("server-error concerns every request for the feed", async () => {
    client.service.setFaults([parseFault(`server-error:${USA_RENTAL}`)]);
    expect((await client.latest("rental", [BROOKLYN, USA])).status).toBe(500);
    expect((await client.latest("rental", [BROOKLYN])).status).toBe(200);
    expect((await client.latest("sales", [USA])).status).toBe(200);
  });

  it("no-message and no-public-key leave the field out", async () => {
    expect(await faultyItem(`no-message:${USA}`)).not.toHaveProperty("message");
    client.service.setFaults([]);
    expect(await faultyItem(`no-public-key:${USA}`)).not.toHaveProperty("public_key");
  });

  it("base64 encodes all three values so", async () => {
    const sound = await client.servedOne("sales", USA);
    const item = await faultyItem(`base64:${USA}`);
    const bytes = [item.message, item.signature, item.public_key].map((text) => Buffer.from(text, "base64"));
    expect(bytes.map((part) => part.toString("hex"))).toEqual([sound.message, sound.signature, sound.public_key]);
    const [message, signature, publicKey] = bytes;
    expect(message && signature && publicKey && isSignatureValid(message, signature, publicKey)).toBe(true);
  });

  it("add up", async () => {
    const item = await faultyItem(`expired:${USA}`, `base64:${USA}`, `no-public-key:${USA}`);
    expect(item).not.toHaveProperty("public_key");
    expect(item.expiry).toBe(MORNING - 1_000);
    expect(Buffer.from(item.message, "base64")).toHaveLength(74);
  });

  it("concern every feed when they name none", async () => {
    client.service.setFaults([parseFault("zero-price"), parseFault(`omitted:${BROOKLYN}`)]);
    for (const kind of ["sales", "rental"] as const) {
      const { items } = await client.served(kind, [USA, BROOKLYN]);
      expect(items.map((item) => refusalOf(item))).toEqual(
        kind === "sales" ? ["ZeroPrice"] : ["ZeroPrice", "ZeroPrice"],
      );
    }
    client.service.setFaults([parseFault("omitted")]);
    expect((await client.latest("rental", [USA, BROOKLYN])).status).toBe(404);
  });

  it("strike once, however often they are given", async () => {
    const item = await faultyItem(`bad-signature:${USA}`, `bad-signature:${USA}`);
    expect(isItemSigned(item)).toBe(false);
  });

  it("leave nothing behind when they are taken back", async () => {
    const sound = await client.servedOne("sales", USA);
    await faultyItem(`zero-price:${USA}`, `unknown-signer:${USA}`);
    client.service.setFaults([]);
    expect(await client.servedOne("sales", USA)).toEqual(sound);
  });

  it("work with times in seconds too", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      publishTime: { ...DEFAULT_LAYOUT.publishTime, unit: "s" },
      expiry: { ...DEFAULT_LAYOUT.expiry, unit: "s" },
    };
    const inSeconds = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, layout }, MORNING + 999);
    try {
      for (const [kind, refusal] of [
        ["expired", "ExpiryPassed"],
        ["expiry-too-far", "ExpiryTooFarAhead"],
        ["publish-too-old", "PublishTimeTooOld"],
        ["publish-too-far-ahead", "PublishTimeTooFarAhead"],
      ] as const) {
        inSeconds.service.setFaults([parseFault(`${kind}:${USA}`)]);
        const item = await inSeconds.servedOne("sales", USA);
        expect(refusalOf(item, layout, inSeconds.clock.ms)).toBe(refusal);
        expect(BigInt(item.expiry)).toBe(fieldsOf(item, layout).expiryMs);
      }
    } finally {
      await inSeconds.service.close();
    }
  });
});

describe("faults of the whole service", () => {
  it.each([
    ["rate-limited", 429, { error: "Rate Limit Exceeded" }],
    ["no-credits", 429, { error: expect.stringContaining("Credit") }],
    ["forbidden", 403, { detail: expect.any(String) }],
    ["unauthorized", 401, { detail: expect.any(String) }],
    ["unavailable", 503, { detail: expect.any(String) }],
  ])("%s answers %i", async (kind, status, body) => {
    client.service.setFaults([parseFault(kind)]);
    const response = await client.latest("sales", [USA]);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
    client.service.setFaults([]);
    expect((await client.latest("sales", [USA])).status).toBe(200);
  });

  it("no-credits leaves what costs nothing", async () => {
    client.service.setFaults([parseFault("no-credits")]);
    expect((await client.get("/v1/search/markets?query=denver")).status).toBe(200);
  });

  it("server-error answers 500 in plain text, to everybody", async () => {
    client.service.setFaults([parseFault("server-error")]);
    for (const response of [
      await client.get("/v1/search/markets"),
      await fetch(`${client.service.url}/v1/search/markets`),
    ]) {
      expect(response.status).toBe(500);
      expect(response.headers.get("content-type")).toContain("text/plain");
      expect(await response.text()).toBe("Internal Server Error");
    }
  });

  it.each([
    ["slow", { slowMs: 60_000 }],
    ["latency:60000", {}],
  ])("%s holds answers back, until the service closes", async (fault, options) => {
    const held = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, ...options });
    held.service.setFaults([parseFault(`${fault}@${SALES}`)]);
    const order: string[] = [];
    const late = held.latest("sales", [USA]).then(() => order.push("sales"));
    while (held.service.requests[SALES] === 0) await new Promise(setImmediate);
    await held.latest("rental", [USA]).then(() => order.push("rental"));
    await held.service.close();
    await late;
    expect(order).toEqual(["rental", "sales"]);
  });

  it("not-json, broken-json and truncated answer 200 with what no client can read", async () => {
    client.service.setFaults([parseFault("not-json")]);
    const page = await client.latest("sales", [USA]);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    for (const kind of ["broken-json", "truncated"]) {
      client.service.setFaults([parseFault(kind)]);
      const broken = await client.latest("sales", [USA]);
      expect(broken.status).toBe(200);
      expect(broken.headers.get("content-type")).toContain("application/json");
      const text = await broken.text();
      expect(text.startsWith('{"items":[{"svc_id":5826765')).toBe(true);
      expect(() => JSON.parse(text)).toThrow();
      if (kind === "broken-json") expect(JSON.parse(text.replace(/,\}$/, "}"))).toHaveProperty("account");
    }
  });

  it("cut-off breaks the connection before all the bytes are there that the head promises", async () => {
    client.service.setFaults([parseFault("cut-off")]);
    const response = await client.latest("sales", [USA]);
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
    await expect(response.text()).rejects.toThrow();
    client.service.setFaults([]);
    expect((await client.latest("sales", [USA])).status).toBe(200);
  });

  it("wrong-content-type spoils nothing but the label", async () => {
    const sound = await (await client.latest("sales", [USA])).json();
    client.service.setFaults([parseFault("wrong-content-type")]);
    const response = await client.latest("sales", [USA]);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(await response.json()).toMatchObject({ items: (sound as ServedPrices).items });
  });

  it("stale-cache answers with the very bytes of before, for as long as it lasts", async () => {
    const before = await (await client.latest("sales", [USA])).text();
    client.service.setFaults([parseFault("zero-price")]);
    await client.latest("sales", [USA]);
    client.service.setFaults([parseFault("stale-cache")]);
    client.clock.ms += 3 * 24 * 3_600_000;
    expect(await (await client.latest("sales", [USA])).text()).toBe(before);
    // What nobody has asked before is answered from now on as it is now.
    const fresh = await (await client.latest("rental", [USA, BROOKLYN])).text();
    expect(fresh).toContain('"date":"2024-06-08"');
    client.clock.ms += 24 * 3_600_000;
    expect(await (await client.latest("rental", [USA, BROOKLYN])).text()).toBe(fresh);
    expect(await (await client.latest("sales", [USA])).text()).toBe(before);
    client.service.setFaults([]);
    expect((await client.servedOne("sales", USA)).date).toBe("2024-06-09");
  });

  it("sales-for-rental gives the sales answer where rental prices are asked for", async () => {
    const sales = await client.served("sales", [USA, BROOKLYN, NEW_YORK]);
    client.service.setFaults([parseFault("sales-for-rental")]);
    const mixedUp = await client.served("rental", [USA, BROOKLYN, NEW_YORK]);
    expect(mixedUp.items).toEqual(sales.items);
    expect(mixedUp.items.map((item) => fieldsOf(item).feedId)).toEqual([BigInt(USA), BigInt(BROOKLYN)]);
    expect((await client.served("sales", [USA, BROOKLYN, NEW_YORK])).items).toEqual(sales.items);
  });

  it.each([-7_200_000, 1_234, 1_800_000])("clock-skew of %i ms is in publish time, expiry and Date", async (skewMs) => {
    const sound = await client.servedOne("sales", USA);
    client.service.setFaults([parseFault(`clock-skew:${skewMs}`)]);
    const response = await client.latest("sales", [USA]);
    expect(Date.parse(response.headers.get("date") ?? "")).toBe(Math.floor((MORNING + skewMs) / 1000) * 1000);
    const [item] = ((await response.json()) as ServedPrices).items;
    if (!item) throw new Error("no item");
    expect(item).toMatchObject({
      date: sound.date,
      price: sound.price,
      publish_timestamp: sound.publish_timestamp + skewMs,
      expiry: sound.expiry + skewMs,
    });
    expect(isItemSigned(item)).toBe(true);
    expectAgreement(item);
    client.service.setFaults([]);
    expect(await client.servedOne("sales", USA)).toEqual(sound);
  });

  it("a clock that goes before makes prices of the future, though the service itself finds nothing wrong", async () => {
    client.clock.ms = Date.parse("2024-06-05T11:31:00Z");
    client.service.setFaults([parseFault("clock-skew:7200000")]);
    expect(refusalOf(await client.servedOne("sales", USA))).toBe("ExpiryTooFarAhead");
  });

  it("yesterday serves the edition before as it was, until it has expired", async () => {
    client.clock.ms = Date.parse("2024-06-05T11:00:00Z");
    const before = await client.servedOne("sales", USA);
    client.service.setFaults([parseFault("yesterday")]);
    client.clock.ms = Date.parse("2024-06-05T11:45:00Z");
    expect(await client.servedOne("sales", USA)).toEqual(before);
    expect(before.date).toBe("2024-06-04");
    client.clock.ms = Date.parse("2024-06-05T12:25:01Z");
    const response = await client.latest("sales", [USA]);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain("ExpiryPassed");
    client.service.setFaults([]);
    expect((await client.servedOne("sales", USA)).date).toBe("2024-06-05");
  });
});

describe("a fault for so many requests", () => {
  it("strikes the next ones that it concerns, and is gone", async () => {
    client.service.setFaults([parseFault(`truncated@${SALES}*2`), parseFault("wrong-content-type")]);
    const isWhole = async (kind: "sales" | "rental") => {
      const text = await (await client.latest(kind, [USA])).text();
      return text.endsWith("}");
    };
    expect(await isWhole("rental")).toBe(true);
    expect(await isWhole("sales")).toBe(false);
    expect(client.service.faults().map(formatFault)).toEqual([`truncated@${SALES}*1`, "wrong-content-type"]);
    expect(await isWhole("sales")).toBe(false);
    expect(await isWhole("sales")).toBe(true);
    expect(client.service.faults().map(formatFault)).toEqual(["wrong-content-type"]);
  });

  it("waits for a request for its feed", async () => {
    client.service.setFaults([parseFault(`zero-price:${USA}*1`)]);
    await client.served("rental", [USA]);
    await client.served("sales", [BROOKLYN]);
    expect(refusalOf(await client.servedOne("sales", USA))).toBe("ZeroPrice");
    expect(refusalOf(await client.servedOne("sales", USA))).toBeUndefined();
  });

  it("is not used up by requests that it cannot reach", async () => {
    client.service.setFaults([parseFault("unauthorized*1"), parseFault("no-credits*1"), parseFault("forbidden*1")]);
    const statuses: number[] = [];
    for (let request = 0; request < 4; request += 1) statuses.push((await client.latest("sales", [USA])).status);
    expect(statuses).toEqual([401, 403, 429, 200]);
  });

  it("strikes one request once, with all its feeds", async () => {
    client.service.setFaults([parseFault("zero-price*1")]);
    const { items } = await client.served("rental", [USA, BROOKLYN, NEW_YORK]);
    expect(items.map((item) => refusalOf(item))).toEqual(["ZeroPrice", "ZeroPrice", "ZeroPrice"]);
    expect(refusalOf(await client.servedOne("rental", USA))).toBeUndefined();
  });

  it("adds up with others of its kind", async () => {
    client.service.setFaults([parseFault("clock-skew:1000*1"), parseFault("clock-skew:500")]);
    const dates: (string | null)[] = [];
    for (let request = 0; request < 2; request += 1)
      dates.push((await client.latest("sales", [USA])).headers.get("date"));
    expect(dates).toEqual(["Wed, 05 Jun 2024 14:00:01 GMT", "Wed, 05 Jun 2024 14:00:00 GMT"]);
  });
});
