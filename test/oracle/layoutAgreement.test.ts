import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packLayout } from "../../relayer/chain/packedLayout.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { checkLayout, type MessageLayout, type NumberField } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage, encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { checkDateConsistency } from "../../relayer/message/timeWindows.ts";
import { arbitraryLayout } from "./arbitraryLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { LONG, startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY_MS, HOUR_MS, RENTAL_OFFSET, signMessage, type TestSigner, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const LAYOUTS = LONG ? 1_000 : 40;
const MESSAGES_PER_LAYOUT = 6;
const UINT64_MAX = 2n ** 64n - 1n;

const feedIds = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, RENTAL_OFFSET - 1n) },
  { weight: 4, arbitrary: fc.bigInt(RENTAL_OFFSET + 1n, 2n * RENTAL_OFFSET - 1n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, RENTAL_OFFSET, 2n * RENTAL_OFFSET, 2n ** 63n) },
);
/** Mostly the first, which belong together; now and then the others. */
function mostly<T, U = T>(usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<U>[]): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 10, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
}

const values = fc.record({
  feedId: feedIds,
  /** At 8 decimals; written with the exponent that the layout has or that follows. */
  price: mostly(fc.bigInt(1n, 2n ** 40n), fc.bigInt(0n, 3n), fc.bigInt(2n ** 60n - 2n, 2n ** 60n + 2n)),
  priceTail: fc.bigInt(0n, 10n ** 20n),
  exponent: mostly(fc.integer({ min: -12, max: -4 }), fc.integer({ min: -128, max: 127 }), fc.integer()),
  day: mostly(fc.integer({ min: 18_262, max: 49_000 }), fc.integer({ min: 0, max: 2_932_896 })),
  publishAfterDateMs: mostly(fc.bigInt(0n, 30n * HOUR_MS), fc.bigInt(-1_000n, 1_000n)),
  expiryAfterDateMs: mostly(
    fc.bigInt(1_000n, 72n * HOUR_MS),
    fc.bigInt(-1_000n, 1_000n),
    fc.bigInt(72n * HOUR_MS - 1_000n, 72n * HOUR_MS + 1_000n),
  ),
  dateNoise: mostly(fc.constant(undefined), fc.record({ position: fc.nat(9), byte: fc.integer({ min: 0, max: 255 }) })),
  fieldNoise: mostly(fc.constant(undefined), fc.uint8Array({ minLength: 74, maxLength: 74 })),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

describe("any layout that can be", () => {
  it("means the same on-chain as off-chain", async () => {
    const outcomes = new Map<string, number>();
    const property = fc.asyncProperty(
      arbitraryLayout,
      fc.array(values, { minLength: MESSAGES_PER_LAYOUT, maxLength: MESSAGES_PER_LAYOUT }),
      async (layout, messages) => {
        checkLayout(layout);
        const signer = testSigner("agreement", layout);
        const oracle = await chain.deployOracle({ signers: [signer] });
        const { packed, constantsHash } = packLayout(layout);
        expect(await oracle.contract.read.signerInfo([1])).toMatchObject({ messageLayout: packed, constantsHash });
        for (const message of messages) {
          const bytes = messageOf(message, layout);
          const onChain = await parsedOnChain(oracle, signer, bytes);
          expect(onChain).toEqual(parsedOffChain(bytes, layout));
          const outcome = typeof onChain === "string" ? onChain : "accepted";
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      },
    );
    await fc.assert(property, { numRuns: LAYOUTS });
    // A property that only ever saw refusals would say little.
    expect(outcomes.get("accepted")).toBeGreaterThan((LAYOUTS * MESSAGES_PER_LAYOUT) / 10);
  }, 1_800_000);
});

/** The bytes of a message whose values are cut down to what the layout's fields can hold. */
function messageOf(value: Values, layout: MessageLayout): Uint8Array {
  const { price } = layout;
  const startMs = BigInt(value.day) * DAY_MS;
  const timeIn = (field: NumberField & { unit: "ms" | "s" }, timeMs: bigint) => {
    const unit = field.unit === "s" ? 1_000n : 1n;
    const positive = timeMs < 0n ? 0n : timeMs / unit;
    return fitting(positive, field) * unit;
  };
  const exponent = "exponent" in price ? fittingExponent(value.exponent, price.exponent.width) : -price.decimals;
  const message = encodePriceMessage(
    {
      feedId: fitting(value.feedId, layout.feedId),
      priceMantissa: fitting(mantissaOf(value, exponent), price),
      priceExponent: exponent,
      publishTimeMs: timeIn(layout.publishTime, startMs + value.publishAfterDateMs),
      expiryMs: timeIn(layout.expiry, startMs + value.expiryAfterDateMs),
      date: dateOfDay(value.day),
    },
    layout,
  );
  if (value.dateNoise) message[layout.date.offset + value.dateNoise.position] = value.dateNoise.byte;
  if (value.fieldNoise) {
    // What no encoder would write has to be read alike, too.
    for (const { offset, width } of [layout.feedId, price, layout.publishTime, layout.expiry]) {
      message.set(value.fieldNoise.subarray(offset, offset + width), offset);
    }
  }
  return message;
}

/** The number that stands for a price at an exponent, with a tail of digits where the exponent leaves room for one. */
function mantissaOf({ price, priceTail }: Values, exponent: number): bigint {
  const more = -8 - exponent;
  if (more <= 0) return price / 10n ** BigInt(Math.min(-more, 80));
  const unit = 10n ** BigInt(Math.min(more, 80));
  return price * unit + (priceTail % unit);
}

function fitting(value: bigint, { width }: { width: number }): bigint {
  return BigInt.asUintN(8 * width, value);
}

function fittingExponent(exponent: number, width: number): number {
  return Number(BigInt.asIntN(8 * width, BigInt(exponent)));
}

type Parsed = { feedId: bigint; price: bigint; publishTime: bigint; expiry: bigint; day: number };

/** What parsePrices answers, or the name of its refusal. */
async function parsedOnChain(oracle: TestOracle, signer: TestSigner, bytes: Uint8Array): Promise<Parsed | string> {
  const update = signMessage(bytes, { signer });
  try {
    const [parsed] = await oracle.parse(update);
    if (!parsed) throw new Error("nothing was parsed");
    return { feedId: parsed.feedId, ...parsed.price };
  } catch (error) {
    if ((await errorOf(Promise.reject(error))).name !== "InvalidUpdate") throw error;
    return (await oracle.refusalOf(update, "parsePrices")).name;
  }
}

/** The same by the relayer's own code. */
function parsedOffChain(bytes: Uint8Array, layout: MessageLayout): Parsed | string {
  const decoded = decodePriceMessage(bytes, layout);
  if (!decoded.ok) return decoded.refusal.code;
  const checked = checkPriceMessage(decoded.value);
  if (!checked.ok) return checked.refusal.code;
  const consistent = checkDateConsistency(checked.value);
  if (!consistent.ok) return consistent.refusal.code;
  const { feedId, price, publishTimeMs, expiryMs, day } = consistent.value;
  // The contract holds a time from 2^64 ms on as 2^64 − 1; nothing but parsePrices, which knows no now, lets it pass.
  const seconds = (timeMs: bigint) => (timeMs > UINT64_MAX ? UINT64_MAX : timeMs) / 1_000n;
  return { feedId, price, publishTime: seconds(publishTimeMs), expiry: seconds(expiryMs), day };
}
