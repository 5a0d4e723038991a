import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage, type PriceMessage } from "../../relayer/message/priceMessage.ts";
import { checkTimeWindows } from "../../relayer/message/timeWindows.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { FEED_FAULTS, parseFault, SERVICE_FAULTS } from "../../simulator/faults.ts";
import { isItemSigned, isSignatureValid, MORNING, type ServedItem, ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const BROOKLYN = 5822447;
const USA_RENTAL = 2_005_826_765n;

let client: ServiceUnderTest;
beforeAll(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, slowMs: 150 });
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

  it("slow takes its time", async () => {
    client.service.setFaults([parseFault("slow")]);
    const start = performance.now();
    expect((await client.latest("sales", [USA])).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(145);
  });

  it("not-json and truncated answer 200 with what no client can read", async () => {
    client.service.setFaults([parseFault("not-json")]);
    const page = await client.latest("sales", [USA]);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    client.service.setFaults([parseFault("truncated")]);
    const cut = await client.latest("sales", [USA]);
    expect(cut.status).toBe(200);
    const text = await cut.text();
    expect(text.startsWith('{"items":[{"svc_id":5826765')).toBe(true);
    expect(() => JSON.parse(text)).toThrow();
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

describe("a fault as text", () => {
  it("names every kind", () => {
    for (const kind of Object.keys(FEED_FAULTS))
      expect(parseFault(`${kind}:${USA}`)).toEqual({ kind, feedId: BigInt(USA) });
    for (const kind of Object.keys(SERVICE_FAULTS)) expect(parseFault(kind)).toEqual({ kind });
  });

  it.each([
    "",
    "nonsense",
    "nonsense:1",
    "expired",
    "expired:",
    "expired:x",
    "expired:0",
    "expired:2000000000",
    "slow:1",
    "expired:1:2",
  ])("is refused as %j", (text) => {
    let error: unknown;
    try {
      parseFault(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "INVALID_FAULT", kind: "configuration" });
    expect((error as { hint: string }).hint).toContain("bad-signature");
    expect((error as { hint: string }).hint).toContain("yesterday");
  });

  it("knows the configured rental offset", () => {
    expect(parseFault("expired:3000000001", 3_000_000_000n)).toEqual({ kind: "expired", feedId: 3_000_000_001n });
    expect(() => parseFault("expired:4000000000")).toThrow();
  });
});
