import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { LONG, startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { dayOf, HOUR_MS, OTHER_LAYOUT, SIGNER, testSigner, type UpdateOptions } from "./signedUpdate.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const RUNS = LONG ? 1_500 : 25;

const successor = testSigner("successor");
const reformed = testSigner("reformed", OTHER_LAYOUT);
const revoked = testSigner("revoked");

/** Oracles that differ in how much it takes to tell whose an update is. The signer that is to be revoked is the last. */
const SETTINGS = {
  "one signer": [SIGNER, revoked],
  "two signers of one format": [SIGNER, successor, revoked],
  "three signers of two formats": [SIGNER, successor, reformed, revoked],
} as const;

const FEEDS = [1n, 2n, 3n];

/** One update, with what may be wrong with it; few values, so that updates of a call get in each other's way. */
const anyUpdate = fc.record({
  feed: fc.constantFrom(0, 1, 2),
  signer: fc.nat(3),
  form: fc.constantFrom("plain", "hinted", "hinted", "hinted"),
  age: fc.constantFrom(1n, 2n, 3n),
  price: fc.constantFrom(5n, 6n),
  isYesterdays: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  fault: fc.oneof(
    { weight: 3, arbitrary: fc.constant("none" as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...(["signature", "hint", "signer", "unknown", "price", "feed", "constants", "expiry", "length"] as const),
      ),
    },
  ),
});
type AnyUpdate = typeof anyUpdate extends fc.Arbitrary<infer T> ? T : never;

describe.each(Object.entries(SETTINGS))("with %s", (_, signers) => {
  /** An oracle with a price of the first feed whose signer has been revoked since, and one of the second feed. */
  const deploy = async () => {
    const oracle = await chain.deployOracle({ signers });
    const publishTimeMs = chain.clock.nowMs();
    await oracle.update(
      oracle.signed({ feedId: 1n, signer: revoked, hintedAs: signers.length, publishTimeMs }),
      oracle.signed({ feedId: 2n, hintedAs: 1, publishTimeMs: publishTimeMs - 2n * HOUR_MS, price: 5n }),
    );
    await oracle.owner.revokeSigner(signers.length);
    return oracle;
  };

  const signed = (oracle: TestOracle, { feed, signer, form, age, price, isYesterdays, fault }: AnyUpdate) => {
    const number = (signer % (signers.length - 1)) + 1;
    const named = fault === "signer" ? (number % signers.length) + 1 : fault === "unknown" ? 9 : number;
    const options: UpdateOptions = {
      feedId: fault === "feed" ? 0n : (FEEDS[feed] ?? 1n),
      signer: signers[number - 1] ?? SIGNER,
      hintedAs: form === "hinted" ? named : undefined,
      publishTimeMs: chain.clock.nowMs() - age * HOUR_MS,
      price: fault === "price" ? 0n : price,
      ...(isYesterdays && { date: dateOfDay(dayOf(chain.clock.now()) - 1) }),
      ...(fault === "expiry" && { expiryMs: 1n }),
      ...(fault === "hint" && { xOfR: 1n }),
      ...(fault === "signature" && { forge: (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33) }),
      ...(fault === "constants" && { rewrite: (message: Uint8Array) => message.fill(1, 0, 1) }),
    };
    const update = oracle.signed(options);
    return fault === "length" ? (`${update}00` as const) : update;
  };

  const storedIn = async (oracle: TestOracle) => [
    await oracle.contract.read.pricesUnsafe([FEEDS]),
    await Promise.all(FEEDS.map((feedId) => oracle.contract.read.freshness([feedId]))),
  ];

  it("one call has the outcome of a call for each update", async () => {
    const outcomes = new Map<string, number>();
    const property = fc.asyncProperty(fc.array(anyUpdate, { minLength: 1, maxLength: 9 }), async (sequence) => {
      const [together, apart] = [await deploy(), await deploy()];
      const updates = sequence.map((update) => signed(together, update));

      // What updatePrices and parsePrices say of the whole, before anything is stored.
      const whole = {
        updatePrices: await outcomeOf(() => together.wouldStore(...updates), together, updates, "updatePrices"),
        parsePrices: await outcomeOf(() => together.parse(...updates), together, updates, "parsePrices"),
      };

      const parsed: unknown[] = [];
      const expected: { stored: boolean[]; events: unknown[]; refused: unknown[] } = {
        stored: [],
        events: [],
        refused: [],
      };
      for (const [index, update] of updates.entries()) {
        parsed.push(await outcomeOf(() => apart.parse(update), apart, [update], "parsePrices"));
        const { stored, events, refused } = await apart.tryUpdate(update);
        expected.stored.push(...stored);
        expected.refused.push(...refused.map((refusal) => ({ ...refusal, index })));
        expected.events.push(
          ...events.map(({ eventName, args }) => ({
            eventName,
            args: eventName === "UpdateRefused" ? { ...args, index: BigInt(index) } : args,
          })),
        );
      }
      const firstRefused = expected.refused[0];
      expect(whole.updatePrices).toEqual(firstRefused ?? expected.stored);
      const firstUnparsed = parsed.findIndex((outcome) => !Array.isArray(outcome));
      expect(whole.parsePrices).toEqual(
        firstUnparsed < 0 ? parsed.flat() : { ...(parsed[firstUnparsed] as object), index: firstUnparsed },
      );

      const { stored, events, refused } = await together.tryUpdate(...updates);
      expect({ stored, events, refused }).toEqual(expected);
      expect(await storedIn(together)).toEqual(await storedIn(apart));

      stored.forEach((wasStored, index) => {
        const refusal = refused.find((candidate) => candidate.index === index);
        const outcome = wasStored ? "stored" : (refusal?.name ?? "skipped");
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      });
    });
    await fc.assert(property, { numRuns: RUNS });
    // Sequences in which nothing of note happens would say little: these two, and several reasons to refuse.
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(["stored", "skipped"]));
    expect(outcomes.size).toBeGreaterThanOrEqual(5);
  }, 1_800_000);
});

/** What a call answers, or why it refuses which update. */
async function outcomeOf<T>(
  call: () => Promise<T>,
  oracle: TestOracle,
  updates: Parameters<TestOracle["refusalOf"]>[0],
  functionName: "updatePrices" | "parsePrices",
) {
  return call().catch(() => oracle.refusalOf(updates, functionName));
}
