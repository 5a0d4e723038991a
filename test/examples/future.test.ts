import fc from "fast-check";
import { getAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { LONG, startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SIGNER, testSigner } from "../oracle/signedUpdate.ts";
import { deployFuture, STAGE, TERMS, type TestFuture } from "./priceFuture.ts";

const numRuns = LONG ? 10_000 : 64;
const endToEndRuns = LONG ? 500 : 16;
const TIMEOUT = 3_600_000;
const PRICE_UNIT = 10n ** 8n;
const PRICE = 20_300_000_000n;

let chain: TestChain;
let oracle: TestOracle;
let agreed: TestFuture;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  await chain.clock.set((chain.clock.now() / DAY + 1n) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle();
  agreed = await deployFuture(chain, oracle);
});

/** Both pay in, and the day comes. */
async function run() {
  await agreed.long.fund();
  await agreed.short.fund();
  await agreed.goTo(agreed.day);
}

const settledAt = async (date: number, price: bigint, isRevised = false) => {
  expect(await agreed.stage()).toBe(STAGE.Settled);
  expect(await agreed.future.getEvents.Settled()).toMatchObject([{ args: { day: date, price, isRevised } }]);
};

describe("a future", () => {
  it("pays the difference, once the price is final, to the second", async () => {
    await run();
    await oracle.update(oracle.signed({ price: PRICE }));
    const finalFrom = agreed.finalFrom(agreed.day);
    await chain.clock.set(finalFrom - 1n);
    const notFinal = { name: "DayNotFinal", args: [MARKET, agreed.day, finalFrom] };
    expect(await agreed.failure(agreed.settle())).toEqual(notFinal);
    await chain.clock.set(finalFrom);
    await agreed.settle();
    await settledAt(agreed.day, PRICE);
    // 3 USD at 100 tokens each.
    expect(await agreed.payouts()).toEqual([1_300_000_000n, 1_700_000_000n]);
    await agreed.long.takePayout();
    await agreed.short.takePayout();
    expect([await agreed.long.balance(), await agreed.short.balance()]).toEqual([1_300_000_000n, 1_700_000_000n]);
    expect(await agreed.token.read.balanceOf([agreed.future.address])).toBe(0n);
  });

  it.each([
    [19_999_999_999n, 999_999_999n, 2_000_000_001n],
    [19_999_999_000n, 999_999_000n, 2_000_001_000n],
    [19_000_000_001n, 1n, 2_999_999_999n],
    [19_000_000_000n, 0n, 3_000_000_000n],
    [1n, 0n, 3_000_000_000n],
    [22_000_000_000n, 3_000_000_000n, 0n],
    [2n ** 60n - 1n, 3_000_000_000n, 0n],
    [20_000_000_000n, 1_000_000_000n, 2_000_000_000n],
  ])("at %s pays %s and %s, bounded by the margins", async (price, longPayout, shortPayout) => {
    await run();
    await oracle.update(oracle.signed({ price }));
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    expect(await agreed.payouts()).toEqual([longPayout, shortPayout]);
  });

  it("settles while the oracle is paused", async () => {
    await run();
    await oracle.update(oracle.signed({ price: PRICE }));
    await oracle.guardian.pause();
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    await settledAt(agreed.day, PRICE);
  });

  it("settles by a revision within 72 hours, and not by a later price", async () => {
    await run();
    await oracle.update(oracle.signed({ price: PRICE }));
    await chain.clock.advance(2n * HOUR);
    await oracle.update(oracle.signed({ price: 19_500_000_000n }));
    await agreed.goTo(agreed.day + 1);
    await oracle.update(oracle.signed({ price: 25_000_000_000n }));
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    await settledAt(agreed.day, 19_500_000_000n, true);
  });

  it("settles once", async () => {
    await run();
    await oracle.update(oracle.signed({ price: PRICE }));
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    const settled = { name: "WrongStage", args: [STAGE.Settled] };
    expect(await agreed.failure(agreed.settle())).toEqual(settled);
    expect(await agreed.failure(agreed.cancel())).toEqual(settled);
    expect(await agreed.failure(agreed.long.fund())).toEqual(settled);
    await agreed.long.takePayout();
    const taken = { name: "NothingToTake", args: [getAddress(agreed.long.address)] };
    expect(await agreed.failure(agreed.long.takePayout())).toEqual(taken);
    expect(await agreed.failure(agreed.stranger.takePayout())).toMatchObject({ name: "NothingToTake" });
  });
});

describe("a day without a price", () => {
  it("is replaced by the first date after it that has one, when both are final", async () => {
    await run();
    await agreed.goTo(agreed.day + 1);
    await oracle.update(oracle.signed({ price: PRICE }));
    await chain.clock.set(agreed.finalFrom(agreed.day));
    const finalFrom = agreed.finalFrom(agreed.day + 1);
    const notFinal = { name: "DayNotFinal", args: [MARKET, agreed.day + 1, finalFrom] };
    expect(await agreed.failure(agreed.settle())).toEqual(notFinal);
    await chain.clock.set(finalFrom);
    await agreed.settle();
    await settledAt(agreed.day + 1, PRICE);
  });

  it("is filled by whoever brings its price before it is final", async () => {
    await run();
    const late = oracle.signed({ price: PRICE, expiryMs: chain.clock.nowMs() + 24n * HOUR_MS });
    await chain.clock.advance(20n * HOUR);
    await oracle.update(late);
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    await settledAt(agreed.day, PRICE);
  });

  it("gives both their margins back when no date after it has one either", async () => {
    await run();
    await agreed.goTo(agreed.day + TERMS.fallbackDays + 1);
    await oracle.update(oracle.signed({ price: PRICE }));
    await chain.clock.set(agreed.finalFrom(agreed.day + TERMS.fallbackDays) - 1n);
    expect(await agreed.failure(agreed.settle())).toMatchObject({ name: "DayNotFinal" });
    await chain.clock.advance(1n);
    await agreed.settle();
    expect(await agreed.stage()).toBe(STAGE.Refunded);
    expect(await agreed.payouts()).toEqual([TERMS.longMargin, TERMS.shortMargin]);
    await agreed.long.takePayout();
    await agreed.short.takePayout();
    expect(await agreed.token.read.balanceOf([agreed.future.address])).toBe(0n);
  });

  it("is not settled by a price that waits in quarantine when it becomes final", async () => {
    oracle = await chain.deployOracle({ defaultBand: 100n, quarantineDelay: 48n * HOUR });
    agreed = await deployFuture(chain, oracle);
    await oracle.update(oracle.signed({ price: 20_000_000_000n }));
    await run();
    await chain.clock.advance(12n * HOUR);
    await oracle.update(oracle.signed({ price: 40_000_000_000n, date: dateOfDay(agreed.day) }));
    await agreed.goTo(agreed.day + 4);
    await oracle.update(oracle.signed({ price: 40_000_000_000n }));
    await chain.clock.set(agreed.finalFrom(agreed.day + 2));
    await agreed.settle();
    expect(await agreed.stage()).toBe(STAGE.Refunded);
  });
});

describe("a price whose signer is revoked", () => {
  const second = testSigner("second");
  beforeEach(async () => {
    oracle = await chain.deployOracle({ signers: [SIGNER, second] });
    agreed = await deployFuture(chain, oracle);
    await run();
    await oracle.update(oracle.signed({ price: PRICE }));
  });

  it("is none: the next date settles", async () => {
    await agreed.goTo(agreed.day + 1);
    await oracle.owner.revokeSigner(1, agreed.day);
    await oracle.update(oracle.signed({ price: 19_500_000_000n, signer: second }));
    await chain.clock.set(agreed.finalFrom(agreed.day + 1));
    await agreed.settle();
    await settledAt(agreed.day + 1, 19_500_000_000n);
  });

  it("settles when it is void only for later dates", async () => {
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await oracle.owner.revokeSigner(1, agreed.day + 1);
    await agreed.settle();
    await settledAt(agreed.day, PRICE);
  });

  it("is none even when it was final before, until it has settled", async () => {
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await oracle.owner.revokeSigner(1, agreed.day);
    expect(await agreed.failure(agreed.settle())).toMatchObject({ name: "DayNotFinal" });
    await chain.clock.set(agreed.finalFrom(agreed.day + TERMS.fallbackDays));
    await agreed.settle();
    expect(await agreed.stage()).toBe(STAGE.Refunded);
  });

  it("has settled for good when it is revoked afterwards", async () => {
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    await oracle.owner.revokeSigner(1, 0);
    await agreed.short.takePayout();
    expect(await agreed.short.balance()).toBe(1_700_000_000n);
  });
});

describe("margins", () => {
  it("are paid in once, by the parties, before the day begins", async () => {
    const nobody = { name: "NotParty", args: [getAddress(agreed.stranger.address)] };
    expect(await agreed.failure(agreed.stranger.fund())).toEqual(nobody);
    await agreed.long.fund();
    const again = { name: "AlreadyFunded", args: [getAddress(agreed.long.address)] };
    expect(await agreed.failure(agreed.long.fund())).toEqual(again);
    expect(await agreed.failure(agreed.settle())).toEqual({ name: "WrongStage", args: [STAGE.Funding] });
    await chain.clock.set(agreed.terms.fundUntil);
    const late = { name: "FundingTime", args: [agreed.terms.fundUntil, false] };
    expect(await agreed.failure(agreed.short.fund())).toEqual(late);
  });

  it("go back when the other party does not pay in", async () => {
    await agreed.short.fund();
    await chain.clock.set(agreed.terms.fundUntil - 1n);
    const early = { name: "FundingTime", args: [agreed.terms.fundUntil, true] };
    expect(await agreed.failure(agreed.cancel())).toEqual(early);
    await chain.clock.advance(1n);
    await agreed.cancel();
    expect(await agreed.payouts()).toEqual([0n, TERMS.shortMargin]);
    await agreed.short.takePayout();
    expect(await agreed.short.balance()).toBe(TERMS.shortMargin);
    expect(await agreed.failure(agreed.cancel())).toEqual({ name: "WrongStage", args: [STAGE.Refunded] });
  });

  it("are not taken of a token that keeps a part", async () => {
    agreed = await deployFuture(chain, oracle, { tokenFee: 1n });
    const { name, args } = await agreed.failure(agreed.long.fund());
    expect([name, args.slice(1)]).toEqual(["TransferTaxed", [TERMS.longMargin, TERMS.longMargin - 1n]]);
  });
});

describe("terms", () => {
  const deploy = async (change: object) => {
    await chain.clock.hold();
    return await chain.viem.deployContract("HomePriceFuture", [oracle.address, { ...agreed.terms, ...change }]);
  };
  const zero = "0x0000000000000000000000000000000000000000";

  it.each([
    ["no feed", { feedId: RENTAL_OFFSET }, "UnknownFeed"],
    ["nobody for the long side", { long: zero }, "InvalidParties"],
    ["nobody for the short side", { short: zero }, "InvalidParties"],
    ["no agreed price", { agreedPrice: 0n }, "ZeroTerm"],
    ["no amount", { amountPerUsd: 0n }, "ZeroTerm"],
    ["no margin", { longMargin: 0n }, "ZeroTerm"],
    ["no margin of the other", { shortMargin: 0n }, "ZeroTerm"],
    ["31 dates after the day", { fallbackDays: 31 }, "TooManyFallbackDays"],
    ["no time to pay in", { fundUntil: 1n }, "InvalidFundingTime"],
  ])("are refused with %s", async (_, change, name) => {
    expect(await agreed.failure(deploy(change))).toMatchObject({ name });
  });

  it("are refused with one party, or with margins paid in when the price can be known", async () => {
    const { terms } = agreed;
    expect(await agreed.failure(deploy({ long: terms.short }))).toMatchObject({ name: "InvalidParties" });
    const late = { name: "InvalidFundingTime", args: [terms.fundUntil + 1n, terms.fundUntil] };
    expect(await agreed.failure(deploy({ fundUntil: terms.fundUntil + 1n }))).toEqual(late);
  });

  it("may be about rents, and are shown", async () => {
    agreed = await deployFuture(chain, oracle, { feedId: MARKET + RENTAL_OFFSET });
    expect(await agreed.future.read.agreement()).toMatchObject({ feedId: MARKET + RENTAL_OFFSET, day: agreed.day });
    await run();
    await oracle.update(oracle.signed({ price: PRICE }), oracle.signed({ feedId: MARKET + RENTAL_OFFSET, price: 1n }));
    await chain.clock.set(agreed.finalFrom(agreed.day));
    await agreed.settle();
    await settledAt(agreed.day, 1n);
  });
});

const anyPrice = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 60n - 1n }),
  fc.bigInt({ min: 15_000_000_000n, max: 25_000_000_000n }),
);
const anyAmount = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
  fc.bigInt({ min: 1n, max: 10n ** 10n }),
  fc.constantFrom(1n, 2n ** 128n - 1n),
);

/** What the sides get, computed without a bound on any number. */
function expectedSplit(agreedPrice: bigint, price: bigint, amountPerUsd: bigint, long: bigint, short: bigint) {
  const rose = price > agreedPrice;
  const difference = rose ? price - agreedPrice : agreedPrice - price;
  const gain = (difference * amountPerUsd) / PRICE_UNIT;
  const most = rose ? short : long;
  const paid = gain > most ? most : gain;
  return rose ? [long + paid, short - paid] : [long - paid, short + paid];
}

describe("payouts", () => {
  it(
    "are the difference bounded by the margins, and together what has been paid in",
    async () => {
      await chain.clock.hold();
      const payoff = await chain.viem.deployContract("PayoffHarness");
      await fc.assert(
        fc.asyncProperty(anyPrice, anyPrice, anyAmount, anyAmount, anyAmount, async (...terms) => {
          const payouts = await payoff.read.split(terms);
          expect(payouts).toEqual(expectedSplit(...terms));
          expect(payouts[0] + payouts[1]).toBe(terms[3] + terms[4]);
        }),
        { numRuns },
      );
    },
    TIMEOUT,
  );

  it(
    "leave nothing behind and take nothing more, whatever becomes of the day",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            agreedPrice: anyPrice,
            amountPerUsd: anyAmount,
            longMargin: anyAmount,
            shortMargin: anyAmount,
            fallbackDays: fc.nat({ max: 3 }),
          }),
          fc.array(fc.option(anyPrice, { nil: undefined }), { minLength: 4, maxLength: 4 }),
          fc.constantFrom("both", "long", "short", "none"),
          async (terms, prices, payers) => {
            oracle = await chain.deployOracle();
            agreed = await deployFuture(chain, oracle, terms);
            const { long, short, future, token } = agreed;
            if (payers === "both" || payers === "long") await long.fund();
            if (payers === "both" || payers === "short") await short.fund();
            const deposits = await token.read.balanceOf([future.address]);
            for (const [index, price] of prices.entries()) {
              await agreed.goTo(agreed.day + index);
              if (price !== undefined) await oracle.update(oracle.signed({ price }));
            }
            await chain.clock.set(agreed.finalFrom(agreed.day + 3) + DAY);
            if (payers === "both") await agreed.settle();
            else await agreed.cancel();

            const price = prices.slice(0, terms.fallbackDays + 1).find((found) => found !== undefined);
            const margins = [terms.longMargin, terms.shortMargin] as const;
            const refunds = margins.map((margin, side) => {
              return payers === "both" || payers === (["long", "short"] as const)[side] ? margin : 0n;
            });
            const expected =
              payers === "both" && price !== undefined
                ? expectedSplit(terms.agreedPrice, price, terms.amountPerUsd, ...margins)
                : refunds;
            const payouts = await agreed.payouts();
            expect(payouts).toEqual(expected);
            expect((payouts[0] ?? 0n) + (payouts[1] ?? 0n)).toBe(deposits);
            for (const [side, party] of [long, short].entries()) if (payouts[side] !== 0n) await party.takePayout();
            expect(await token.read.balanceOf([future.address])).toBe(0n);
          },
        ),
        { numRuns: endToEndRuns },
      ),
    TIMEOUT,
  );
});
