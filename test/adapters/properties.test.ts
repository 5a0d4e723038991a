import fc from "fast-check";
import { createPublicClient, custom, numberToHex, type PublicClient } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LONG, startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SECOND_MS } from "../oracle/signedUpdate.ts";
import { ADAPTERS_UNDER_TEST } from "./adaptersUnderTest.ts";
import type { AdapterUnderTest, DeployedAdapter, Fault, Reading } from "./adapterUnderTest.ts";
import { beforeFault, dateAt, faultsOf, MAX_AGE, startNextDay } from "./faults.ts";
import { outcomeOf, refusalOf } from "./refusal.ts";

const RUNS = LONG ? 2_000 : 64;
const TIMEOUT = LONG ? 1_800_000 : 60_000;
/** Between the gas limits that are tried, most of which end a read early. */
const GAS_STEP = LONG ? 20n : 400n;
const LARGEST_PRICE = 2n ** 60n - 1n;
const LONGEST_MAX_AGE = 31n * DAY;

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(() => startNextDay(chain));

/** The value that a face has to answer for a price. */
function due(subject: AdapterUnderTest, price: bigint): bigint {
  return subject.valueDue?.(price) ?? price;
}

/** A price as the service published it; its time in milliseconds. */
type Published = { readonly price: bigint; readonly publishTimeMs: bigint; readonly date?: string };

/** The face answers just this price, in its own words. */
async function expectServed(subject: AdapterUnderTest, adapter: DeployedAdapter, published: Published) {
  expectReadingOf(published, subject, await adapter.read(chain.publicClient));
}

function expectReadingOf(published: Published, subject: AdapterUnderTest, reading: Reading) {
  const now = chain.clock.now();
  const { price, publishTimeMs } = published;
  const publishTime = publishTimeMs / SECOND_MS;
  expect(reading.value).toBe(due(subject, price));
  if (reading.decimals !== undefined) expect(reading.value * 10n ** 8n).toBe(price * 10n ** BigInt(reading.decimals));
  if (reading.publishTime !== undefined) expect(reading.publishTime).toBe(publishTime);
  if (reading.updatedAt !== undefined) expect(reading.updatedAt).toBe(notAfter(now, publishTime));
  if (reading.day !== undefined) expect(dateAt(BigInt(reading.day) * DAY)).toBe(published.date ?? dateAt(publishTime));
}

/** The face refuses to answer, with the error that is due to a fault. */
async function expectRefused(
  subject: AdapterUnderTest,
  adapter: DeployedAdapter,
  fault: Fault,
  oracleError: { name: string; args: readonly unknown[] },
) {
  const expected = subject.refusal?.(fault, oracleError, adapter) ?? oracleError;
  expect(await refusalOf(adapter.read(chain.publicClient), adapter.abi)).toEqual(expected);
}

const FEEDS = [
  { kind: "sales", feedId: MARKET, otherFeedId: MARKET + RENTAL_OFFSET },
  { kind: "rental", feedId: MARKET + RENTAL_OFFSET, otherFeedId: MARKET },
];

describe.each(ADAPTERS_UNDER_TEST)("$name", (subject) => {
  describe.each(FEEDS)("of a $kind feed", ({ feedId, otherFeedId }) => {
    const deploy = (oracle: TestOracle, maxAge = MAX_AGE) => subject.deploy(chain, oracle, { feedId, maxAge });

    it.each(faultsOf(subject.boundedBy))("serves up to a fault, refuses, and serves again: %s", async (fault) => {
      const { oracle, served, strike, cure } = await beforeFault(fault, chain, feedId, subject.boundedBy);
      const adapter = await deploy(oracle);
      if (served !== undefined) expect((await adapter.read(chain.publicClient)).value).toBe(due(subject, served));
      await expectRefused(subject, adapter, fault, await strike());
      const cured = await cure();
      expect((await adapter.read(chain.publicClient)).value).toBe(due(subject, cured));
    });

    it.each([1n, LARGEST_PRICE])("serves a price of %i", async (price) => {
      const oracle = await chain.deployOracle();
      const publishTimeMs = chain.clock.nowMs() - 1n;
      await oracle.update(oracle.signed({ feedId, price, publishTimeMs }));
      await expectServed(subject, await deploy(oracle), { price, publishTimeMs });
    });

    it("never answers with the price of the market's other feed", async () => {
      const oracle = await chain.deployOracle();
      const adapter = await deploy(oracle);
      await oracle.update(oracle.signed({ feedId: otherFeedId, price: 3n }));
      await expectRefused(subject, adapter, "neverSet", { name: "NoPrice", args: [feedId] });
      const publishTimeMs = chain.clock.nowMs() - HOUR_MS;
      await oracle.update(oracle.signed({ feedId, price: 7n, publishTimeMs }));
      await expectServed(subject, adapter, { price: 7n, publishTimeMs });
    });

    it("serves a revised price, of the same date", async () => {
      const oracle = await chain.deployOracle();
      const adapter = await deploy(oracle);
      const publishTimeMs = chain.clock.nowMs() - HOUR_MS;
      await oracle.update(oracle.signed({ feedId, price: 100n, publishTimeMs }));
      await expectServed(subject, adapter, { price: 100n, publishTimeMs });
      const revised = { price: 99n, publishTimeMs: publishTimeMs + SECOND_MS };
      await oracle.update(oracle.signed({ feedId, ...revised }));
      await expectServed(subject, adapter, revised);
    });

    it("goes on serving the latest date's price when an earlier date's is revised", async () => {
      const oracle = await chain.deployOracle();
      const adapter = await deploy(oracle);
      const publishTimeMs = chain.clock.nowMs() - HOUR_MS;
      const yesterday = dateAt(chain.clock.now() - DAY);
      await oracle.update(oracle.signed({ feedId, price: 100n, publishTimeMs }));
      const correction = oracle.signed({
        feedId,
        price: 90n,
        date: yesterday,
        expiryMs: chain.clock.nowMs() + HOUR_MS,
      });
      expect((await oracle.update(correction)).stored).toEqual([true]);
      await expectServed(subject, adapter, { price: 100n, publishTimeMs });
    });

    it("takes a price published an hour ahead of the block as of age 0", async () => {
      const oracle = await chain.deployOracle();
      const publishTime = chain.clock.now() + HOUR;
      const published = { price: 100n, publishTimeMs: publishTime * SECOND_MS };
      await oracle.update(oracle.signed({ feedId, ...published }));
      const adapter = await deploy(oracle, 1n);
      for (const later of [0n, HOUR - 1n, HOUR, HOUR + 1n]) {
        await chain.clock.set(publishTime - HOUR + later);
        await expectServed(subject, adapter, published);
      }
      await chain.clock.set(publishTime + 2n);
      if (subject.boundedBy !== "age") return expectServed(subject, adapter, published);
      await expectRefused(subject, adapter, "tooOld", { name: "PriceTooOld", args: [feedId, 2n, 1n] });
    });

    if (subject.boundedBy === "none") {
      it("serves the price before another that waits outside the band, however old", async () => {
        const { oracle, served, strike, cure } = await beforeFault("quarantined", chain, feedId, subject.boundedBy);
        const adapter = await deploy(oracle);
        await strike();
        expect((await adapter.read(chain.publicClient)).value).toBe(due(subject, served ?? 0n));
        const cured = await cure();
        expect((await adapter.read(chain.publicClient)).value).toBe(due(subject, cured));
      });
    }

    if (subject.boundedBy !== "expiry") {
      it("ignores expiry", async () => {
        const oracle = await chain.deployOracle();
        const published = { price: 100n, publishTimeMs: chain.clock.nowMs() };
        await oracle.update(oracle.signed({ feedId, ...published, expiryMs: chain.clock.nowMs() + SECOND_MS }));
        const adapter = await deploy(oracle, LONGEST_MAX_AGE);
        for (const later of [1n, DAY, LONGEST_MAX_AGE]) {
          await chain.clock.set(published.publishTimeMs / SECOND_MS + later);
          await expectServed(subject, adapter, published);
        }
      });
    }
  });

  it(
    "answers exactly the price, however large, old and bounded, or refuses it for its age",
    async () => {
      const oracle = await chain.deployOracle();
      const [now, nowMs] = [chain.clock.now(), chain.clock.nowMs()];
      let market = 0n;
      const scenario = fc.record({
        isRental: fc.boolean(),
        price: fc.oneof(fc.bigInt(1n, LARGEST_PRICE), fc.bigInt(1n, 1_000n)),
        ageMs: fc.oneof(fc.bigInt(-HOUR_MS, 46n * HOUR_MS), fc.bigInt(-2n, 2n), fc.bigInt(0n, 46n * HOUR).map(inMs)),
        // Near the age, where an error would show, or anywhere.
        boundOf: fc.oneof(
          fc.bigInt(-1n, 1n).map((distance) => (age: bigint) => age + distance),
          fc.bigInt(1n, LONGEST_MAX_AGE).map((bound) => () => bound),
        ),
        expiresInMs: fc.bigInt(1n, 11n * HOUR_MS),
      });
      const property = fc.asyncProperty(scenario, async ({ isRental, price, ageMs, boundOf, expiresInMs }) => {
        // A feed of its own, in which no run meets what another has left.
        market += 1n;
        const feedId = isRental ? market + RENTAL_OFFSET : market;
        const published = { price, publishTimeMs: nowMs - ageMs, date: dateAt((nowMs - ageMs) / SECOND_MS) };
        const update = oracle.signed({ feedId, ...published, expiryMs: nowMs + expiresInMs, hintedAs: 1 });
        await oracle.update(update);
        const age = ageMs <= 0n ? 0n : (ageMs + SECOND_MS - 1n) / SECOND_MS;
        const maxAge = clamp(boundOf(age), 1n, LONGEST_MAX_AGE);
        const adapter = await subject.deploy(chain, oracle, { feedId, maxAge });
        if (subject.boundedBy !== "age" || age <= maxAge) return expectServed(subject, adapter, published);
        await expectRefused(subject, adapter, "tooOld", { name: "PriceTooOld", args: [feedId, age, maxAge] });
      });
      await fc.assert(property, { numRuns: RUNS });
      expect(chain.clock.now()).toBe(now);
    },
    TIMEOUT,
  );

  it(
    "with too little gas fails without a reason, and never answers wrong",
    async () => {
      const published = { price: 21_694_000_000n, publishTimeMs: chain.clock.nowMs() };
      const oracle = await chain.deployOracle();
      await oracle.update(oracle.signed({ feedId: MARKET, ...published }));
      const served = await subject.deploy(chain, oracle, { feedId: MARKET, maxAge: MAX_AGE });
      const neverSet = await subject.deploy(chain, oracle, { feedId: MARKET + 1n, maxAge: MAX_AGE });
      const oracleError = { name: "NoPrice", args: [MARKET + 1n] };
      const expected = subject.refusal?.("neverSet", oracleError, neverSet) ?? oracleError;

      const seen = new Set<string>();
      // From what a call costs that does nothing, to more than enough.
      for (let gas = 21_000n; gas < 90_000n; gas += GAS_STEP) {
        const client = clientWithGas(chain, gas);
        const answer = await outcomeOf(served.read(client), served.abi);
        if ("answer" in answer) expectReadingOf(published, subject, answer.answer);
        else expect(answer.refusal).toBeUndefined();
        const refused = await outcomeOf(neverSet.read(client), neverSet.abi);
        expect(refused).not.toHaveProperty("answer");
        if ("refusal" in refused && refused.refusal) expect(refused.refusal).toEqual(expected);
        seen
          .add("answer" in answer ? "answer" : "failure")
          .add("refusal" in refused && refused.refusal ? "refusal" : "failure");
      }
      expect([...seen].sort()).toEqual(["answer", "failure", "refusal"]);
    },
    TIMEOUT,
  );

  it("takes no ether", async () => {
    const oracle = await chain.deployOracle();
    const { address: to } = await subject.deploy(chain, oracle, { feedId: MARKET, maxAge: MAX_AGE });
    const { account } = chain.accounts.stranger;
    await expect(chain.publicClient.call({ account, to, value: 1n })).rejects.toThrow(/revert/);
  });
});

/** A client whose calls have so much gas. */
function clientWithGas({ connection, publicClient }: TestChain, gas: bigint): PublicClient {
  const request = async ({ method, params }: { method: string; params: readonly object[] }) => {
    const [call, ...rest] = params;
    const limited = method === "eth_call" ? [{ ...call, gas: numberToHex(gas) }, ...rest] : params;
    return connection.provider.request({ method, params: [...limited] });
  };
  return createPublicClient({ chain: publicClient.chain, transport: custom({ request }, { retryCount: 0 }) });
}

function inMs(seconds: bigint): bigint {
  return seconds * SECOND_MS;
}

function notAfter(latest: bigint, time: bigint): bigint {
  if (time > latest) return latest;
  return time;
}

function clamp(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least;
  return notAfter(most, value);
}
