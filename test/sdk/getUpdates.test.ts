import type { ServerResponse } from "node:http";
import { type Hex, size, slice } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import {
  type CheckedUpdate,
  checkUpdate,
  DEFAULT_LAYOUT,
  type FeedId,
  type GatewayAnswer,
  GatewayError,
  gatewayAnswerSchema,
  gatewaySource,
  getUpdateRules,
  getUpdates,
  InvalidIdError,
  rentalFeedId,
  ServiceError,
  salesFeedId,
  serviceSource,
  toFeedId,
  toGatewayAnswer,
  type UpdateFailure,
  UpdateMissingError,
  UpdateRefusedError,
  type UpdateRules,
} from "../../sdk/index.ts";
import { createMessageSigner } from "../../simulator/messageSigner.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, HOUR, HOUR_MS, MARKET, OTHER_LAYOUT, testSigner, type UpdateOptions } from "../oracle/signedUpdate.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { failureOf } from "./failureOf.ts";
import { sendJson, startGateway, type TestGateway } from "./gateway.ts";

const SALES = salesFeedId(MARKET);
const RENTAL = rentalFeedId(MARKET);
const SECOND = testSigner("second", OTHER_LAYOUT);

let chain: TestChain;
let client: TestChain["publicClient"];
let gateway: TestGateway;
beforeAll(async () => {
  chain = await startChain();
  client = chain.publicClient;
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.close();
  await chain.close();
});
beforeEach(() => gateway.reset());

describe("checkUpdate judges as the oracle does", () => {
  let oracle: TestOracle;
  let rules: UpdateRules;
  const third = testSigner("third", EXPONENT_LAYOUT);
  beforeAll(async () => {
    const validFrom = chain.clock.now() - HOUR;
    oracle = await chain.deployOracle({ signers: [testSigner("first"), { signer: SECOND, validFrom }, third] });
    rules = await getUpdateRules(client, { oracle: oracle.address, blockTag: "latest" });
  });

  const codeOf = (update: Hex, feedId: FeedId = SALES, by = rules) => {
    const checked = checkUpdate({ feedId, update, rules: by });
    return checked.ok ? "taken" : checked.refusal.code;
  };
  const signed = (options: UpdateOptions = {}) => oracle.signed(options);
  const now = () => chain.clock.nowMs();

  test.each<[string, () => Hex]>([
    ["the first signer's", () => signed({ hintedAs: 1 })],
    ["one without hint", () => signed()],
    ["another layout's", () => signed({ signer: SECOND, hintedAs: 2 })],
    ["another layout's without hint", () => signed({ signer: SECOND })],
    ["one with an exponent field", () => signed({ signer: third, price: 21_694n, priceExponent: -2, hintedAs: 3 })],
    [
      "one at the edge of the windows",
      () => signed({ expiryMs: now() + 25n * HOUR_MS, publishTimeMs: now() + HOUR_MS }),
    ],
  ])("%s is taken by both, as 171 bytes", async (_, make) => {
    const update = make();
    const checked = checkUpdate({ feedId: SALES, update, rules });
    if (!checked.ok) throw new Error(checked.refusal.message);
    expect(size(checked.value.update)).toBe(171);
    const [parsed] = await oracle.parse(checked.value.update);
    const { price, publishTimeMs, expiryMs, day, signer, date } = checked.value;
    expect(parsed).toEqual({
      feedId: MARKET,
      signer,
      price: { price: price.value, publishTime: publishTimeMs / 1000n, expiry: expiryMs / 1000n, day },
    });
    expect(date).toBe("2026-03-02");
    expect(await oracle.wouldStore(checked.value.update)).toEqual([true]);
  });

  test.each<[string, () => Hex]>([
    ["InvalidUpdateLength", () => slice(signed({ hintedAs: 1 }), 0, 170)],
    ["InvalidUpdateLength", () => "0x"],
    ["ZeroPrice", () => signed({ price: 0n })],
    ["PriceTooLarge", () => signed({ price: 2n ** 60n })],
    ["InvalidDate", () => signed({ date: "2026-02-30" })],
    ["ExpiryPassed", () => signed({ expiryMs: now() - 1n })],
    ["ExpiryTooFarAhead", () => signed({ expiryMs: now() + 25n * HOUR_MS + 1n })],
    ["PublishTimeTooOld", () => signed({ publishTimeMs: now() - 48n * HOUR_MS - 1n, date: "2026-02-28" })],
    ["PublishTimeTooFarAhead", () => signed({ publishTimeMs: now() + HOUR_MS + 1n })],
    ["PublishedBeforeDate", () => signed({ date: "2026-03-03" })],
    ["InvalidSignature", () => signed({ hintedAs: 1, forge: (message) => flip(message, 40) })],
    ["InvalidSignature", () => signed({ forge: (_, signature) => flip(signature, 3) })],
    ["InvalidSignature", () => signed({ forge: (_, signature) => flip(signature, 40) })],
    ["UnexpectedConstantBytes", () => signed({ hintedAs: 1, rewrite: (message) => flip(message, 0) })],
    ["UnexpectedConstantBytes", () => signed({ rewrite: (message) => flip(message, 0) })],
    ["UnexpectedConstantBytes", () => signed({ signer: SECOND, hintedAs: 1 })],
    ["WrongHint", () => signed({ hintedAs: 1, xOfR: 5n })],
    ["PublishTimeOutsideSigner", () => signed({ signer: SECOND, hintedAs: 2, publishTimeMs: now() - HOUR_MS - 1000n })],
  ])("%s", async (code, make) => {
    const update = make();
    expect(codeOf(update)).toBe(code);
    expect((await oracle.refusalOf(update)).name).toBe(code);
  });

  test("a signer that is not usable, which the oracle calls unknown when it never was", async () => {
    const update = signed({ hintedAs: 9 });
    expect(codeOf(update)).toBe("SignerNotUsable");
    expect((await oracle.refusalOf(update)).name).toBe("UnknownSigner");
  });

  test("another feed's price is no price of this feed, and what no oracle has is refused by name", () => {
    expect(codeOf(signed({ feedId: RENTAL }))).toBe("WrongFeed");
    expect(codeOf(signed(), RENTAL)).toBe("WrongFeed");
    expect(codeOf(signed(), toFeedId(5n * 10n ** 9n, { rentalOffset: 10n ** 10n }))).toBe("InvalidFeedId");
    expect(codeOf("0xzz")).toBe("MalformedItem");
  });

  test("a retired signer's span ends", async () => {
    const other = await chain.deployOracle({ signers: [testSigner("first")] });
    const retirement = chain.clock.now();
    await other.owner.retireSigner(1, retirement);
    const others = await getUpdateRules(client, { oracle: other.address, blockTag: "latest" });
    expect(others.signers).toMatchObject([{ number: 1, validUntilMs: retirement * 1000n }]);
    const update = other.signed({ publishTimeMs: retirement * 1000n });
    expect(codeOf(update, SALES, others)).toBe("PublishTimeOutsideSigner");
    expect(await other.refusalOf(other.signed({ publishTimeMs: retirement * 1000n, hintedAs: 1 }))).toMatchObject({
      name: "PublishTimeOutsideSigner",
    });
    expect(codeOf(other.signed({ publishTimeMs: retirement * 1000n - 1n }), SALES, others)).toBe("taken");
  });

  test("the pending block's time counts unless told otherwise", async () => {
    const pending = await getUpdateRules(client, { oracle: oracle.address });
    const latest = await getUpdateRules(client, { oracle: oracle.address, blockTag: "latest" });
    expect(latest.nowMs).toBe(chain.clock.nowMs());
    expect(pending.nowMs).toBeGreaterThanOrEqual(latest.nowMs);
  });
});

function flip(bytes: Uint8Array, index: number): void {
  bytes[index] = (bytes[index] ?? 0) ^ 1;
}

describe("from a gateway", () => {
  let oracle: TestOracle;
  let rules: UpdateRules;
  const source = () => gatewaySource({ url: gateway.url, retryDelayMs: 1 });
  const get = (...feedIds: bigint[]) =>
    getUpdates(client, { oracle: oracle.address, feedIds: feedIds.map((id) => toFeedId(id)), source: source() });
  const getAll = (...feedIds: bigint[]) =>
    getUpdates(client, {
      oracle: oracle.address,
      feedIds: feedIds.map((id) => toFeedId(id)),
      source: source(),
      allowFailure: true,
    });
  const failWith = (change: (answer: GatewayAnswer) => unknown) => {
    gateway.fault = (response, answer) => sendJson(response, change(answer) ?? answer);
  };
  /** Changes the first item of each answer. */
  const failItem = (change: Record<string, unknown>) =>
    failWith((answer) => ({
      ...answer,
      updates: answer.updates.map((item, index) => (index === 0 ? { ...item, ...change } : item)),
    }));

  beforeAll(async () => {
    oracle = await chain.deployOracle();
    rules = await getUpdateRules(client, { oracle: oracle.address });
  });
  beforeEach(() => {
    gateway.offer(SALES, oracle.signed({ hintedAs: 1 }), rules);
    gateway.offer(RENTAL, oracle.signed({ feedId: RENTAL, price: 150_000_000n }), rules);
  });

  test("updates come checked, in the order of the feeds, and the oracle stores them", async () => {
    const updates = await get(RENTAL, SALES, RENTAL);
    expect(gateway.asked).toEqual([[RENTAL.toString(), SALES.toString()]]);
    expect(updates).toMatchObject([
      { feedId: RENTAL, marketId: MARKET, kind: "rental", price: { value: 150_000_000n, decimals: 8 }, signer: 1 },
      { feedId: SALES, marketId: MARKET, kind: "sales", price: { value: 21_694_000_000n, decimals: 8 }, signer: 1 },
    ]);
    expect(await oracle.wouldStore(...updates.map(({ update }) => update))).toEqual([true, true]);
  });

  test("its answer is what the schema says, and reads back", async () => {
    const updates = await get(SALES);
    const answer = toGatewayAnswer(updates);
    expect(gatewayAnswerSchema.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
    expect(answer.updates[0]).toMatchObject({
      feedId: "5826765",
      date: "2026-03-02",
      price: "216.94",
      publishTime: new Date(Number(chain.clock.nowMs()) - 60_000).toISOString(),
      signer: 1,
    });
  });

  test("nothing is asked for no feeds, and many feeds are asked in parts", async () => {
    expect(await get()).toEqual([]);
    expect(gateway.asked).toEqual([]);
    const feedIds = Array.from({ length: 250 }, (_, index) => BigInt(index + 1));
    const { updates, failures } = await getAll(...feedIds);
    expect(updates).toEqual([]);
    expect(failures).toHaveLength(250);
    expect(gateway.asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  test("a base address with a path and a slash", async () => {
    expect(
      await failureOf(
        getUpdates(client, {
          oracle: oracle.address,
          feedIds: [SALES],
          source: gatewaySource({ url: `${gateway.url}/x/`, retries: 0 }),
        }),
        GatewayError,
      ),
    ).toMatchObject({ code: "GATEWAY_FAILED", status: 404 });
    const slash = gatewaySource({ url: `${gateway.url}/` });
    expect(await getUpdates(client, { oracle: oracle.address, feedIds: [SALES], source: slash })).toHaveLength(1);
  });

  test("one bad feed does not hide the others", async () => {
    failItem({ update: oracle.signed({ hintedAs: 1, forge: (_, signature) => flip(signature, 40) }) });
    const { updates, failures } = await getAll(SALES, RENTAL, 77n);
    expect(updates.map(({ feedId }) => feedId)).toEqual([RENTAL]);
    expect(failures.map(({ feedId, error }) => [feedId, error.code])).toEqual([
      [SALES, "UPDATE_REFUSED"],
      [77n, "UPDATE_MISSING"],
    ]);
    expect(await failureOf(get(SALES, RENTAL), UpdateRefusedError)).toMatchObject({
      feedId: SALES,
      refusal: { code: "InvalidSignature" },
    });
    expect(await failureOf(get(77n), UpdateMissingError)).toMatchObject({ feedId: 77n });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["another price beside it", { price: "216.95" }, "MessageMismatch"],
    ["another date beside it", { date: "2026-03-01" }, "MessageMismatch"],
    ["another publish time beside it", { publishTime: "2026-03-02T12:00:00.000Z" }, "MessageMismatch"],
    ["another expiry beside it", { expiry: "2026-03-03T12:00:00.000Z" }, "MessageMismatch"],
    ["another signer beside it", { signer: 2 }, "MessageMismatch"],
    ["an update that is cut", { update: `0x${"00".repeat(170)}` }, "InvalidUpdateLength"],
    ["no update", { update: undefined }, "MalformedItem"],
    ["an update that is no hex", { update: "0xzz" }, "MalformedItem"],
    ["a price that is no decimal text", { price: 216.94 }, "MalformedItem"],
  ])("an item with %s is refused by name", async (_, change, code) => {
    failItem(change);
    expect(await failureOf(get(SALES), UpdateRefusedError)).toMatchObject({ feedId: SALES, refusal: { code } });
  });

  test("a price of before is refused with the advice to wait", async () => {
    failItem({ update: oracle.signed({ hintedAs: 1, expiryMs: chain.clock.nowMs() - 1n }) });
    const { refusal, hint } = await failureOf(get(SALES), UpdateRefusedError);
    expect([refusal.code, hint]).toEqual(["ExpiryPassed", expect.stringContaining("ask again later")]);
  });

  test("the newest of two good ones counts, and what nobody asked for is passed over", async () => {
    const newer = oracle.signed({ hintedAs: 1, publishTimeMs: chain.clock.nowMs() - 1000n });
    const checked = checkUpdate({ feedId: SALES, update: newer, rules });
    if (!checked.ok) throw new Error(checked.refusal.message);
    failWith((answer) => ({
      updates: [...toGatewayAnswer([checked.value]).updates, ...answer.updates, { feedId: "9" }, 7, null],
      more: true,
    }));
    expect((await get(SALES))[0]?.update).toBe(newer);
  });

  test.each<[string, (response: ServerResponse) => void, object, number]>([
    ["500", (response) => response.writeHead(500).end("no"), { code: "GATEWAY_FAILED", status: 500 }, 3],
    ["429", (response) => response.writeHead(429).end(), { code: "GATEWAY_FAILED", status: 429 }, 3],
    ["400", (response) => response.writeHead(400).end(), { code: "GATEWAY_FAILED", status: 400 }, 1],
    ["broken JSON", (response) => response.end('{"updates":['), { code: "GATEWAY_UNEXPECTED_ANSWER" }, 1],
    ["another document", (response) => sendJson(response, []), { code: "GATEWAY_UNEXPECTED_ANSWER" }, 1],
    ["a broken connection", (response) => response.destroy(), { code: "GATEWAY_UNREACHABLE" }, 3],
    [
      "a body without end",
      (response) => response.end("x".repeat(2 ** 20 + 1)),
      { code: "GATEWAY_UNEXPECTED_ANSWER" },
      1,
    ],
  ])("%s is a typed error", async (_, fault, expected, requests) => {
    gateway.fault = fault;
    expect(await failureOf(get(SALES), GatewayError)).toMatchObject(expected);
    expect(gateway.asked).toHaveLength(requests);
  });

  test("a fault that passes is not seen", async () => {
    gateway.fault = (response) => {
      gateway.fault = undefined;
      response.writeHead(503).end();
    };
    expect(await get(SALES)).toHaveLength(1);
  });

  test("a gateway that is down, too slow, or no gateway", async () => {
    const down = await startGateway();
    await down.close();
    const from = (options: { url: string; timeoutMs?: number }) =>
      getUpdates(client, {
        oracle: oracle.address,
        feedIds: [SALES],
        source: gatewaySource({ retries: 0, ...options }),
      });
    expect(await failureOf(from({ url: down.url }), GatewayError)).toMatchObject({ code: "GATEWAY_UNREACHABLE" });
    gateway.fault = () => {};
    expect(await failureOf(from({ url: gateway.url, timeoutMs: 50 }), GatewayError)).toMatchObject({
      code: "GATEWAY_TIMEOUT",
    });
    for (const url of ["gateway.example.com", "ftp://gateway.example.com", ""]) {
      expect(() => gatewaySource({ url })).toThrow(GatewayError);
    }
  });

  test("a caller who gives up is told nothing else", async () => {
    const controller = new AbortController();
    gateway.fault = () => controller.abort(new Error("enough"));
    const call = getUpdates(client, {
      oracle: oracle.address,
      feedIds: [SALES],
      source: source(),
      signal: controller.signal,
    });
    await expect(call).rejects.toThrow("enough");
    expect(gateway.asked).toHaveLength(1);
  });

  test("a feed that this oracle cannot have", async () => {
    const foreign = toFeedId(5n * 10n ** 9n, { rentalOffset: 10n ** 10n });
    const call = getUpdates(client, { oracle: oracle.address, feedIds: [foreign], source: source() });
    await failureOf(call, InvalidIdError);
    expect(gateway.asked).toEqual([]);
  });

  test("types: failures only where they are allowed", () => {
    expectTypeOf(get).returns.resolves.toEqualTypeOf<readonly CheckedUpdate[]>();
    expectTypeOf(getAll).returns.resolves.toEqualTypeOf<{
      readonly updates: readonly CheckedUpdate[];
      readonly failures: readonly UpdateFailure[];
    }>();
  });
});

describe("from the price service", () => {
  let service: PriceService;
  let oracle: TestOracle;
  const seed = new Uint8Array(32).fill(9);
  beforeAll(async () => {
    const prices = priceTable(
      "sales 5826765 2026-03-02 216.94",
      "rental 5826765 2026-03-02 1.5",
      "sales 101 2026-03-02 99.000000001",
    );
    service = await startPriceService({ prices, secretKey: seed, nowMs: () => chain.clock.nowMs() });
    const { publicKey, sign } = createMessageSigner(seed);
    oracle = await chain.deployOracle({
      signers: [{ layout: DEFAULT_LAYOUT, publicKey: decodePublicKey(publicKey), sign }],
    });
  });
  afterAll(() => service.close());
  beforeEach(() => service.setFaults([]));

  const from = (apiKey = service.apiKey) => serviceSource({ apiUrl: service.url, apiKey, retries: 0 });
  const getAll = (...feedIds: bigint[]) =>
    getUpdates(client, {
      oracle: oracle.address,
      feedIds: feedIds.map((id) => toFeedId(id)),
      source: from(),
      allowFailure: true,
    });

  test("updates of both kinds carry the oracle's signer number, and are stored", async () => {
    const { updates, failures } = await getAll(RENTAL, SALES, 101n);
    expect(failures).toEqual([]);
    expect(updates).toMatchObject([
      { feedId: RENTAL, price: { value: 150_000_000n } },
      { feedId: SALES, price: { value: 21_694_000_000n } },
      { feedId: 101n, signer: 1 },
    ]);
    const { stored } = await oracle.update(...updates.map(({ update }) => update));
    expect(stored).toEqual([true, true, true]);
  });

  test("a message that did not come is rebuilt", async () => {
    service.setFaults([{ kind: "no-message", feedId: SALES }]);
    const { updates } = await getAll(SALES);
    expect(await oracle.parse(...updates.map(({ update }) => update))).toMatchObject([{ feedId: SALES, signer: 1 }]);
  });

  test("bad prices are refused beside good ones; a market that it does not have is missing", async () => {
    service.setFaults([
      { kind: "bad-signature", feedId: SALES },
      { kind: "short-message", feedId: 101n },
    ]);
    const { updates, failures } = await getAll(SALES, 101n, RENTAL, 55n);
    expect(updates.map(({ feedId }) => feedId)).toEqual([RENTAL]);
    expect(
      failures.map(({ feedId, error }) => [
        feedId,
        error instanceof UpdateRefusedError ? error.refusal.code : error.code,
      ]),
    ).toEqual([
      [SALES, "InvalidSignature"],
      [101n, "InvalidMessageLength"],
      [55n, "UPDATE_MISSING"],
    ]);
  });

  test.each([
    ["mismatch", "MessageMismatch"],
    ["unknown-signer", "UnknownSigner"],
    ["wrong-kind", "WrongFeed"],
    ["expired", "ExpiryPassed"],
  ] as const)("%s is refused as %s", async (kind, code) => {
    service.setFaults([{ kind, feedId: SALES }]);
    const { failures } = await getAll(SALES);
    expect(failures).toMatchObject([{ feedId: SALES, error: { refusal: { code } } }]);
  });

  test("a wrong key is the service's error, without the key", async () => {
    const call = getUpdates(client, { oracle: oracle.address, feedIds: [SALES], source: from("wrong_key_123") });
    const error = await failureOf(call, ServiceError);
    expect(error).toMatchObject({ code: "API_UNAUTHORIZED", status: 401 });
    expect(JSON.stringify([error.message, error.hint, from("wrong_key_123")])).not.toContain("wrong_key_123");
  });
});

test("an idle chain's update that has expired by now is refused", async () => {
  const oracle = await chain.deployOracle();
  const rules = await getUpdateRules(client, { oracle: oracle.address });
  gateway.offer(SALES, oracle.signed({ hintedAs: 1 }), rules);
  await chain.clock.advance(DAY + HOUR);
  const source = gatewaySource({ url: gateway.url });
  const error = await failureOf(
    getUpdates(client, { oracle: oracle.address, feedIds: [SALES], source }),
    UpdateRefusedError,
  );
  expect(error.refusal.code).toBe("ExpiryPassed");
});
