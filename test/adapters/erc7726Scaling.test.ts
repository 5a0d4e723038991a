import * as fc from "fast-check";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG, startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY } from "../oracle/signedUpdate.ts";
import { refusalOf } from "./refusal.ts";

const MOST_DECIMALS = 30;
const LARGEST = 2n ** 256n - 1n;

let chain: TestChain;
let oracle: TestOracle;
const tokens = new Map<string, Promise<Address>>();
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

/** One token for each role and number of decimals: a chain need not hold hundreds. */
function tokenOf(role: "base" | "quote", decimals: number): Promise<Address> {
  const key = `${role} ${decimals}`;
  const known = tokens.get(key) ?? deployToken(decimals);
  tokens.set(key, known);
  return known;
}

async function deployToken(decimals: number): Promise<Address> {
  await chain.clock.hold();
  return (await chain.viem.deployContract("TokenOfDecimals", [decimals])).address;
}

/**
 * Euler's rule for a feed of unit prices: the price of a whole base token is scaled by 10^(quote decimals) over
 * 10^(feed decimals + base decimals), the fraction is turned round for the inverse, and what is left over is dropped. Our
 * feed is one of 26 decimals: 8 of the price a unit, and 18 of the units a token.
 */
function eulersQuote(
  inAmount: bigint,
  { price, units, baseDecimals, quoteDecimals }: Scaling,
  isInverse: boolean,
): bigint {
  const unitPrice = price * units;
  const priceScale = 10n ** BigInt(quoteDecimals);
  const feedScale = 10n ** BigInt(8 + 18 + baseDecimals);
  return isInverse
    ? (inAmount * feedScale) / (priceScale * unitPrice)
    : (inAmount * priceScale * unitPrice) / feedScale;
}
type Scaling = {
  readonly price: bigint;
  readonly units: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
};

/** Numbers of every length up to so many bits. */
const ofBits = (bits: number) =>
  fc
    .integer({ min: 1, max: bits })
    .chain((length) => fc.bigInt({ min: 1n << BigInt(length - 1), max: (1n << BigInt(length)) - 1n }));
const scalings: fc.Arbitrary<Scaling> = fc.record({
  price: ofBits(60),
  units: ofBits(128),
  baseDecimals: fc.integer({ min: 0, max: MOST_DECIMALS }),
  quoteDecimals: fc.integer({ min: 0, max: MOST_DECIMALS }),
});
const amounts = fc.array(fc.oneof(ofBits(256), ofBits(128), fc.constantFrom(0n, 1n, LARGEST)), {
  minLength: 4,
  maxLength: 4,
});

describe("quotes", () => {
  let feedId = 0n;

  /** Deploys an adapter of a feed of its own, and brings the price. */
  async function deployScaled({ price, units, baseDecimals, quoteDecimals }: Scaling) {
    feedId += 1n;
    const base = await tokenOf("base", baseDecimals);
    const quote = await tokenOf("quote", quoteDecimals);
    await oracle.update(oracle.signed({ feedId, price }));
    await chain.clock.hold();
    const adapter = await chain.viem.deployContract("QuoteAdapter", [
      { oracle: oracle.address, feedId, maxAge: DAY, base, quote, unitsPerToken: units },
    ]);
    return { adapter, base, quote };
  }

  async function compare(scaling: Scaling, inAmounts: readonly bigint[]): Promise<void> {
    const { adapter, base, quote } = await deployScaled(scaling);
    for (const inAmount of inAmounts) {
      for (const isInverse of [false, true]) {
        const call = adapter.read.getQuote([inAmount, ...(isInverse ? [quote, base] : [base, quote])] as never);
        const expected = eulersQuote(inAmount, scaling, isInverse);
        if (expected > LARGEST) {
          expect(await refusalOf(call, adapter.abi)).toEqual({ name: "Panic", args: [0x11n] });
        } else {
          expect(await call).toBe(expected);
        }
      }
    }
  }

  it("follow Euler's rule for all decimals, amounts and prices", async () => {
    await fc.assert(fc.asyncProperty(scalings, amounts, compare), { numRuns: LONG ? 10_000 : 256 });
  }, 1_200_000);

  it("follow it at the corners", async () => {
    for (const price of [1n, 2n ** 60n - 1n]) {
      for (const units of [1n, 2n ** 128n - 1n]) {
        for (const baseDecimals of [0, MOST_DECIMALS]) {
          for (const quoteDecimals of [0, MOST_DECIMALS]) {
            await compare({ price, units, baseDecimals, quoteDecimals }, [0n, 1n, 10n ** 18n, LARGEST]);
          }
        }
      }
    }
  });

  it("there and back are never more than at the start", async () => {
    const moderate = fc.record({
      ...{ price: ofBits(60), units: ofBits(80) },
      baseDecimals: fc.integer({ min: 0, max: 18 }),
      quoteDecimals: fc.integer({ min: 0, max: 18 }),
    });
    await fc.assert(
      fc.asyncProperty(moderate, ofBits(100), async (scaling, inAmount) => {
        const { adapter, base, quote } = await deployScaled(scaling);
        const there = await adapter.read.getQuote([inAmount, base, quote]);
        expect(await adapter.read.getQuote([there, quote, base])).toBeLessThanOrEqual(inAmount);
      }),
      { numRuns: LONG ? 2_000 : 64 },
    );
  }, 1_200_000);
});
