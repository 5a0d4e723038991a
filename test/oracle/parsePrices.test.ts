import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay, startOfDayMs } from "../../relayer/message/calendarDate.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import {
  DAY_MS,
  dayOf,
  HOUR_MS,
  MARKET,
  RENTAL_OFFSET,
  SECOND_MS,
  SIGNER,
  testSigner,
  type UpdateOptions,
} from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
});

describe("parsePrices", () => {
  it("returns each price in the order of the updates, times in seconds rounded down", async () => {
    const nowMs = chain.clock.nowMs();
    const day = dayOf(chain.clock.now());
    const [publishTimeMs, expiryMs] = [nowMs - 1n, nowMs + 999n];
    const parsed = await oracle.parse(
      oracle.signed({ publishTimeMs, expiryMs, price: 7n }),
      oracle.signed({ feedId: MARKET + RENTAL_OFFSET, hintedAs: 1 }),
      oracle.signed({ publishTimeMs, expiryMs, price: 7n }),
    );
    expect(parsed).toMatchObject([
      {},
      { feedId: MARKET + RENTAL_OFFSET, signer: 1, price: { price: 21_694_000_000n } },
      {},
    ]);
    expect(parsed[0]).toEqual({
      feedId: MARKET,
      signer: 1,
      price: { price: 7n, publishTime: nowMs / SECOND_MS - 1n, expiry: nowMs / SECOND_MS, day },
    });
    expect(parsed[2]).toEqual(parsed[0]);
  });

  it("does not look at now: prices long expired and of years ahead are read", async () => {
    for (const day of [0, 10_957, 36_524, 2_932_896]) {
      const startMs = startOfDayMs(day);
      const fields = { date: dateOfDay(day), publishTimeMs: startMs, expiryMs: startMs + 3n * DAY_MS };
      const price = { publishTime: startMs / SECOND_MS, expiry: (startMs + 3n * DAY_MS) / SECOND_MS, day };
      expect(await oracle.parse(oracle.signed(fields))).toMatchObject([{ price }]);
      expect(await oracle.parse(oracle.signed({ ...fields, hintedAs: 1 }))).toMatchObject([{ price }]);
    }
  });

  it("reads the date of each, whatever the one before it was", async () => {
    const of = (day: number, options: UpdateOptions = {}) => {
      const startMs = startOfDayMs(day);
      return oracle.signed({
        ...{ date: dateOfDay(day), publishTimeMs: startMs, expiryMs: startMs + 1n, hintedAs: 1 },
        ...options,
      });
    };
    const days = [0, 0, 20_000, 20_000, 19_999, 20_000, 0];
    expect(await oracle.parse(...days.map((day) => of(day)))).toMatchObject(days.map((day) => ({ price: { day } })));
    // Ten bytes of zero are what no date begins with; day 0 is what they would be if nobody looked.
    const none = of(0, { rewrite: (message) => message.fill(0, 64, 74) });
    const refusal = { name: "InvalidDate", args: [`0x${"00".repeat(10)}`] };
    for (const before of [[], [of(0)], [of(20_000)]]) {
      expect(await oracle.refusalOf([...before, none], "parsePrices")).toEqual({ ...refusal, index: before.length });
    }
  });

  it("does not look at what is stored, and stores nothing", async () => {
    await oracle.update(oracle.signed({ price: 1n }));
    const before = await oracle.contract.read.priceUnsafe([MARKET]);
    const older = oracle.signed({ price: 2n, publishTimeMs: chain.clock.nowMs() - 12n * HOUR_MS });
    expect(await oracle.parse(older)).toMatchObject([{ price: { price: 2n } }]);
    expect(await oracle.contract.read.priceUnsafe([MARKET])).toEqual(before);
  });

  it("makes every other check, the signature's included", async () => {
    const nowMs = chain.clock.nowMs();
    const day = dayOf(chain.clock.now());
    const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);
    const good = oracle.signed();
    const bad = [
      ["InvalidUpdateLength", `${good}00`],
      ["UnknownSigner", oracle.signed({ hintedAs: 3 })],
      ["InvalidFeedId", oracle.signed({ feedId: 0n })],
      ["UnexpectedConstantBytes", oracle.signed({ rewrite: (message) => message.fill(0, 5, 6) })],
      ["ZeroPrice", oracle.signed({ price: 0n })],
      ["PriceTooLarge", oracle.signed({ price: 2n ** 60n })],
      ["InvalidDate", oracle.signed({ date: "2026-02-29" })],
      ["PublishedBeforeDate", oracle.signed({ publishTimeMs: startOfDayMs(day) - 1n })],
      ["ExpiryNotAfterDate", oracle.signed({ expiryMs: startOfDayMs(day) })],
      ["ExpiryTooFarFromDate", oracle.signed({ expiryMs: startOfDayMs(day) + 3n * DAY_MS + 1n })],
      ["InvalidSignature", oracle.signed({ forge })],
      ["InvalidSignature", oracle.signed({ forge, hintedAs: 1 })],
      ["InvalidSignature", oracle.signed({ signer: testSigner("stranger") })],
      ["WrongHint", oracle.signed({ hintedAs: 1, xOfR: nowMs })],
    ] as const;
    for (const [name, update] of bad) {
      expect(await oracle.refusalOf([good, update as `0x${string}`], "parsePrices")).toMatchObject({ index: 1, name });
    }
  });

  it("knows the span of a signer's publish times, and whether it is usable", async () => {
    const validFrom = chain.clock.now();
    oracle = await chain.deployOracle({ signers: [{ signer: SIGNER, validFrom }] });
    const early = oracle.signed({ publishTimeMs: validFrom * SECOND_MS - 1n });
    expect(await oracle.refusalOf(early, "parsePrices")).toEqual({
      index: 0,
      name: "PublishTimeOutsideSigner",
      args: [1, validFrom * SECOND_MS - 1n, validFrom * SECOND_MS, 0n],
    });
    const good = oracle.signed({ publishTimeMs: validFrom * SECOND_MS });
    expect(await oracle.parse(good)).toHaveLength(1);
    await oracle.owner.revokeSigner(1);
    expect(await oracle.refusalOf(good, "parsePrices")).toMatchObject({ name: "NoUsableSigner" });
  });

  it("goes on while everything is paused", async () => {
    await oracle.guardian.pause();
    await oracle.guardian.pauseFeed(MARKET);
    expect(await oracle.parse(oracle.signed())).toHaveLength(1);
  });
});
