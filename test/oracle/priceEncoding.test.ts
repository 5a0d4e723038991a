import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { testSigner } from "./signedUpdate.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const LIMIT = 2n ** 60n;
const LARGEST_MANTISSA = 2n ** 256n - 1n;

/** The price field first, at its widest; the ids where the domain was. */
function layoutWith(price: { decimals: number } | { exponentWidth: 1 | 2 | 4; byteOrder?: "little" | "big" }) {
  const field = { offset: 0, width: 32, byteOrder: "big" } as const;
  const common = { ...DEFAULT_LAYOUT, constants: [] };
  if ("decimals" in price) {
    return { ...common, price: { ...field, decimals: price.decimals }, padding: [{ offset: 40, length: 8 }] };
  }
  const { exponentWidth: width, byteOrder = "little" } = price;
  return {
    ...common,
    price: { ...field, exponent: { offset: 40, width, byteOrder } },
    padding: [{ offset: 40 + width, length: 8 - width }],
  } satisfies MessageLayout;
}

async function deployWith(layout: MessageLayout) {
  const signer = testSigner("prices", layout);
  const oracle = await chain.deployOracle({ signers: [signer] });
  return { oracle, signer };
}

/** The price that is stored, or the name of the refusal. */
async function outcomeOf({ oracle, signer }: Awaited<ReturnType<typeof deployWith>>, price: bigint, exponent?: number) {
  const update = oracle.signed({ signer, price, ...(exponent === undefined ? {} : { priceExponent: exponent }) });
  return (await oracle.parse(update).catch(() => undefined))?.[0]?.price.price ?? (await oracle.refusalOf(update)).name;
}

describe("a price", () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await chain.deployOracle();
  });

  it("of 0 is refused, with what the message says", async () => {
    const expected = { index: 0, name: "ZeroPrice", args: [0n, -8n] };
    expect(await oracle.refusalOf(oracle.signed({ price: 0n }))).toEqual(expected);
    expect(await oracle.refusalOf(oracle.signed({ price: 0n }), "parsePrices")).toEqual(expected);
  });

  it("is stored up to 2^60 − 1, and refused from 2^60 on", async () => {
    for (const [price, feedId] of [
      [1n, 1n],
      [LIMIT - 1n, 2n],
    ] as const) {
      expect(await oracle.update(oracle.signed({ price, feedId }))).toMatchObject({
        stored: [true],
        events: [{ args: { price } }],
      });
      expect(await oracle.contract.read.latestPrice([feedId])).toMatchObject({ price });
    }
    for (const price of [LIMIT, LIMIT + 1n, 2n ** 64n - 1n]) {
      const expected = { index: 0, name: "PriceTooLarge", args: [price, -8n] };
      expect(await oracle.refusalOf(oracle.signed({ price }))).toEqual(expected);
    }
  });
});

describe("fixed decimals", () => {
  it("from 0 to 18 become 8, truncated towards zero", async () => {
    for (let decimals = 0; decimals <= 18; decimals += 1) {
      const deployed = await deployWith(layoutWith({ decimals }));
      const scaled = (mantissa: bigint) => (mantissa * 10n ** 8n) / 10n ** BigInt(decimals);
      /** The smallest mantissa whose price is at least `price`. */
      const smallestFor = (price: bigint) => (price * 10n ** BigInt(decimals) + 10n ** 8n - 1n) / 10n ** 8n;
      const one = smallestFor(1n);
      const limit = smallestFor(LIMIT);
      expect(await outcomeOf(deployed, one)).toBe(scaled(one));
      expect(await outcomeOf(deployed, one - 1n)).toBe("ZeroPrice");
      expect(await outcomeOf(deployed, limit - 1n)).toBe(scaled(limit - 1n));
      expect(await outcomeOf(deployed, limit)).toBe("PriceTooLarge");
      expect(await outcomeOf(deployed, LARGEST_MANTISSA)).toBe("PriceTooLarge");
      // 216.949999… loses its last digits, whatever they are.
      const long = smallestFor(21_694_999_999n) + (decimals > 8 ? 10n ** BigInt(decimals - 8) - 1n : 0n);
      expect(await outcomeOf(deployed, long)).toBe(scaled(long));
    }
  });
});

describe("an exponent in the message", () => {
  it("is read as signed, in 1, 2 and 4 bytes of both orders", async () => {
    for (const exponentWidth of [1, 2, 4] as const) {
      for (const byteOrder of ["little", "big"] as const) {
        const deployed = await deployWith(layoutWith({ exponentWidth, byteOrder }));
        expect(await outcomeOf(deployed, 21_694n, -2)).toBe(21_694_000_000n);
        expect(await outcomeOf(deployed, 3n, 0)).toBe(300_000_000n);
        expect(await outcomeOf(deployed, 3n, 2)).toBe(30_000_000_000n);
        expect(await outcomeOf(deployed, 123_456_789_012n, -9)).toBe(12_345_678_901n);
        expect(await outcomeOf(deployed, 1n, -8)).toBe(1n);
        expect(await outcomeOf(deployed, 9n, -9)).toBe("ZeroPrice");
        expect(await outcomeOf(deployed, 10n, -9)).toBe(1n);
        expect(await outcomeOf(deployed, 1n, 10)).toBe(10n ** 18n);
        expect(await outcomeOf(deployed, 2n, 10)).toBe("PriceTooLarge");
        expect(await outcomeOf(deployed, 1n, 11)).toBe("PriceTooLarge");
      }
    }
  });

  it("is refused, never computed, at its extremes", async () => {
    for (const exponentWidth of [1, 2, 4] as const) {
      const deployed = await deployWith(layoutWith({ exponentWidth }));
      const lowest = -(2 ** (8 * exponentWidth - 1));
      const highest = -lowest - 1;
      for (const mantissa of [1n, LIMIT, LARGEST_MANTISSA]) {
        expect(await outcomeOf(deployed, mantissa, lowest)).toBe("ZeroPrice");
        expect(await outcomeOf(deployed, mantissa, highest)).toBe("PriceTooLarge");
      }
      for (const exponent of [lowest, highest, -85, -8, 0, 10]) {
        expect(await outcomeOf(deployed, 0n, exponent)).toBe("ZeroPrice");
      }
      const update = deployed.oracle.signed({ signer: deployed.signer, price: 5n, priceExponent: lowest });
      expect(await deployed.oracle.refusalOf(update)).toMatchObject({ args: [5n, BigInt(lowest)] });
    }
  });

  it("divides the largest mantissa exactly where something is left of it", async () => {
    const deployed = await deployWith(layoutWith({ exponentWidth: 1 }));
    // 2^256 − 1 has 78 digits: 10^-85 leaves one of them, 10^-86 none.
    for (let exponent = -86; exponent <= -60; exponent += 1) {
      const price = LARGEST_MANTISSA / 10n ** BigInt(-exponent - 8);
      const expected = price === 0n ? "ZeroPrice" : price >= LIMIT ? "PriceTooLarge" : price;
      expect(await outcomeOf(deployed, LARGEST_MANTISSA, exponent), `exponent ${exponent}`).toBe(expected);
    }
  });
});
