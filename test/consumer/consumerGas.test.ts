import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { dayOf, HOUR_MS } from "../oracle/signedUpdate.ts";

/** Most that an update may add to what a call executes, when somebody else has brought the same price. */
const NEEDLESS_LIMIT = 4_000n;
/** The same where updates are always brought; a call's first one comes with what all of them share. */
const ALWAYS_BROUGHT_LIMIT = { first: 11_000n, further: 4_000n };

const COUNTS = [1, 2, 5] as const;
const FEEDS = [11n, 12n, 13n, 14n, 15n];

let chain: TestChain;
let harness: Awaited<ReturnType<typeof deployHarness>>;
beforeAll(async () => {
  chain = await startChain();
  harness = await deployHarness();
});
afterAll(() => chain.close());

async function deployHarness() {
  await chain.clock.hold();
  return await chain.viem.deployContract("ExecutionGasHarness");
}

async function deployConsumer(oracle: TestOracle) {
  await chain.clock.hold();
  return await chain.viem.deployContract("ConsumerHarness", [oracle.address]);
}

/** What a call executes, as the first thing in a transaction. */
async function executionGas(to: Hex, data: Hex): Promise<bigint> {
  const { result } = await harness.simulate.gasOf([to, data], { gas: 16_000_000n });
  return result;
}

describe.each([
  ["plain", undefined],
  ["hinted", 1],
])("updates in the %s form", (form, hintedAs) => {
  it.each(COUNTS)("cost little when they are needless, and what they cost when they are needed: %i", async (count) => {
    const oracle = await chain.deployOracle();
    const consumer = await deployConsumer(oracle);
    const feedIds = FEEDS.slice(0, count);
    const today = dayOf(chain.clock.now());
    const { abi, address } = consumer;
    const [feedId = 0n] = feedIds;
    const gasOf = (updates: readonly Hex[]) =>
      executionGas(
        address,
        count === 1
          ? encodeFunctionData({ abi, functionName: "pull", args: [updates, feedId, today] })
          : encodeFunctionData({ abi, functionName: "pullSeveral", args: [updates, feedIds, today] }),
      );
    const date = dateOfDay(today - 1);
    const expiryMs = chain.clock.nowMs() + HOUR_MS;
    const publishTimeMs = chain.clock.nowMs() - 24n * HOUR_MS;
    const ofYesterday = { date, expiryMs, publishTimeMs };
    await oracle.update(...feedIds.map((id) => oracle.signed({ feedId: id, ...ofYesterday })));
    const updates = feedIds.map((id) => oracle.signed({ feedId: id, hintedAs }));
    const bringing = await gasOf(updates);
    await oracle.update(...updates);
    const nothing = await gasOf([]);
    const each = ((await gasOf(updates)) - nothing) / BigInt(count);
    process.stdout.write(`${form}, ${count}: ${bringing} brought first; ${nothing} without, ${each} more each\n`);
    expect(each).toBeLessThanOrEqual(NEEDLESS_LIMIT);
    expect(bringing).toBeGreaterThan(nothing + 40_000n * BigInt(count));
  });

  it("cost more where they are always brought", async () => {
    const oracle = await chain.deployOracle();
    const { abi, address } = await deployConsumer(oracle);
    const updates = FEEDS.map((id) => oracle.signed({ feedId: id, hintedAs }));
    await oracle.update(...updates);
    const gasOf = (count: number) =>
      executionGas(
        address,
        encodeFunctionData({
          abi,
          functionName: "bring",
          args: [updates.slice(0, count), 11n, dayOf(chain.clock.now())],
        }),
      );
    const [none, one, two] = [await gasOf(0), await gasOf(1), await gasOf(2)];
    process.stdout.write(`${form}, always brought: ${one - none} for the first, ${two - one} for another feed's\n`);
    expect(one - none).toBeLessThanOrEqual(ALWAYS_BROUGHT_LIMIT.first);
    // The slot of a feed that nothing else reads is in this one.
    expect(two - one).toBeLessThanOrEqual(ALWAYS_BROUGHT_LIMIT.further + 500n);
  });
});
