import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LONG, startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { MARKET, RENTAL_OFFSET } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
});

const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);

/** Valid ones at even places, each invalid one with why it is. */
function mixedBatch(): { updates: Hex[]; refused: { index: number; name: string; args: unknown[] }[] } {
  return {
    updates: [
      oracle.signed({ feedId: 1n }),
      "0x",
      oracle.signed({ feedId: 2n, hintedAs: 1 }),
      oracle.signed({ feedId: RENTAL_OFFSET }),
      oracle.signed({ feedId: 3n }),
      oracle.signed({ feedId: 4n, forge }),
      oracle.signed({ feedId: 5n, hintedAs: 1 }),
      oracle.signed({ feedId: 6n, hintedAs: 1, xOfR: 1n }),
      oracle.signed({ feedId: 7n }),
      oracle.signed({ feedId: 8n, hintedAs: 2 }),
    ],
    refused: [
      { index: 1, name: "InvalidUpdateLength", args: [0n] },
      { index: 3, name: "InvalidFeedId", args: [RENTAL_OFFSET] },
      { index: 5, name: "InvalidSignature", args: [1] },
      { index: 7, name: "WrongHint", args: [1, 1n] },
      { index: 9, name: "UnknownSigner", args: [2] },
    ],
  };
}

describe("updatePrices", () => {
  it("reverts as a whole with the index and the reason of the first invalid update", async () => {
    const { updates, refused } = mixedBatch();
    for (const [position, refusal] of refused.entries()) {
      const valid = updates.filter((_, index) => index % 2 === 0);
      const batch = valid.with(position, updates[refusal.index] ?? "0x");
      expect(await oracle.refusalOf(batch)).toEqual({ ...refusal, index: position });
    }
    const [first] = refused;
    expect(await oracle.refusalOf(updates)).toEqual(first);
    await expect(oracle.update(...updates)).rejects.toThrow("InvalidUpdate");
    expect(await oracle.contract.read.priceUnsafe([1n])).toMatchObject({ price: 0n });
  });

  it("takes an empty batch", async () => {
    expect(await oracle.update()).toMatchObject({ stored: [], events: [] });
    expect(await oracle.tryUpdate()).toMatchObject({ stored: [], events: [] });
    expect(await oracle.parse()).toEqual([]);
  });
});

describe("tryUpdatePrices", () => {
  it("passes over invalid updates with index and reason, and stores the others", async () => {
    const { updates, refused } = mixedBatch();
    const result = await oracle.tryUpdate(...updates);
    expect(result.stored).toEqual(updates.map((_, index) => index % 2 === 0));
    expect(result.refused).toEqual(refused);
    expect(result.events.map(({ eventName }) => eventName)).toEqual(
      updates.map((_, index) => (index % 2 === 0 ? "PriceUpdated" : "UpdateRefused")),
    );
    for (const feedId of [1n, 2n, 3n, 5n, 7n]) expect(await oracle.contract.read.freshness([feedId])).toBe(0);
    for (const feedId of [4n, 6n, 8n]) expect(await oracle.contract.read.freshness([feedId])).toBe(4);
  });

  it("never reverts, whatever the bytes are, and stores only what is signed", async () => {
    const good = hexToBytes(oracle.signed({ hintedAs: 1 }));
    const lengths = fc.oneof(fc.constantFrom(138, 171), fc.integer({ min: 0, max: 300 }));
    const anyBytes = lengths.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    const flips = fc.array(fc.tuple(fc.nat(170), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 });
    const bent = fc.tuple(flips, fc.constantFrom(138, 171)).map(([changes, length]) => {
      const bytes = Uint8Array.from(good);
      for (const [position, mask] of changes) bytes[position] = (bytes[position] ?? 0) ^ mask;
      return bytes.slice(0, length);
    });
    const batches = fc.array(fc.oneof(anyBytes, bent), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const updates = batch.map((bytes) => bytesToHex(bytes));
        const { stored, refused } = await oracle.tryUpdate(...updates);
        const isWhole = (update: Hex) => bytesToHex(good).startsWith(update) && update.length >= 2 + 2 * 138;
        stored.forEach((wasStored, index) => {
          // Two changes may undo each other; nothing else of these bytes carries a signature.
          if (wasStored) expect(isWhole(updates[index] ?? "0x")).toBe(true);
        });
        // Each is stored, refused with a reason, or (once the real one is in) not newer.
        const indices = refused.map(({ index }) => index);
        expect(new Set(indices).size).toBe(indices.length);
        for (const index of indices) expect(stored[index]).toBe(false);
        const { price } = await oracle.contract.read.priceUnsafe([MARKET]);
        if (price === 0n) expect(indices.length).toBe(batch.length);
      }),
      { numRuns: LONG ? 3_000 : 60 },
    );
  });

  it("accounts for every byte of a valid update: changing any one of them refuses it", async () => {
    const good = hexToBytes(oracle.signed({ hintedAs: 1 }));
    for (let position = 0; position < good.length; position += 1) {
      const bytes = good.with(position, (good[position] ?? 0) ^ (1 << (position % 8)));
      const update = bytesToHex(bytes);
      const refusal = await oracle.refusalOf(update).catch(String);
      expect(refusal, `byte ${position}`).toMatchObject({ index: 0 });
    }
  });
});
