import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { CreditAccount } from "../../simulator/creditAccount.ts";
import { creditCost } from "../../simulator/creditCosts.ts";
import type { PlanChoice } from "../../simulator/plan.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const BROOKLYN = 5822447;
const DENVER = 5306725;
const DAY_MS = 24 * 3_600_000;

let running: ServiceUnderTest | undefined;
afterEach(async () => {
  await running?.service.close();
  running = undefined;
});

async function start(plan: PlanChoice): Promise<ServiceUnderTest> {
  running = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, plan });
  return running;
}

async function remainingAfterOne(client: ServiceUnderTest): Promise<number> {
  return (await client.served("sales", [USA])).account.est_remaining_credits;
}

describe("credits", () => {
  it("are one for each price and counted down", async () => {
    const client = await start({ credits: 10 });
    const { account } = await client.served("rental", [USA, BROOKLYN, 123]);
    expect(account).toEqual({ est_credits_used: 2, est_remaining_credits: 8 });
    expect(await remainingAfterOne(client)).toBe(7);
  });

  it("refuse a request that would exceed them before it runs, at no cost", async () => {
    const client = await start({ credits: 2 });
    const response = await client.latest("rental", [USA, BROOKLYN, DENVER]);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ error: "Credit limit exceeded: 3 credits needed, 2 credits remaining" });
    expect((await client.served("rental", [USA, BROOKLYN])).account.est_remaining_credits).toBe(0);
    expect((await client.latest("rental", [USA])).status).toBe(429);
  });

  it("are not needed for what costs nothing: searches, and requests that find or do nothing", async () => {
    const client = await start({ credits: 0 });
    const search = await client.get("/v1/search/markets?query=denver");
    expect(search.status).toBe(200);
    expect(await search.json()).toMatchObject({ account: { est_credits_used: 0, est_remaining_credits: 0 } });
    expect((await client.latest("sales", [123])).status).toBe(404);
    expect((await client.latest("sales", [])).status).toBe(422);
  });

  it.each([
    ["free", 1_000, 30, 1_000],
    ["paid", 1_000_000, 30, 2_000_000 - 1],
    ["annual", 12_000_000, 365, 24_000_000 - 1],
  ] as const)("of the %s plan are %i, and after %i days %i", async (name, credits, days, next) => {
    const client = await start({ name });
    expect(await remainingAfterOne(client)).toBe(credits - 1);
    client.clock.ms += days * DAY_MS - 1;
    expect(await remainingAfterOne(client)).toBe(credits - 2);
    client.clock.ms += 1;
    // The free plan begins each cycle with the same; on the others what is left comes on top.
    expect(await remainingAfterOne(client)).toBe(name === "free" ? next - 1 : next - 2);
  });

  it("may be other numbers than the plan's", async () => {
    const client = await start({ name: "free", credits: 100, cycleDays: 1, rollsOver: true });
    await remainingAfterOne(client);
    client.clock.ms += 3 * DAY_MS;
    expect(await remainingAfterOne(client)).toBe(398);
  });

  it("can be changed while the service runs", async () => {
    const client = await start({ name: "paid" });
    client.service.setCredits(1);
    expect(client.service.state().credits.remaining).toBe(1);
    expect(await remainingAfterOne(client)).toBe(0);
    expect((await client.latest("sales", [USA])).status).toBe(429);
    client.service.setPlan({ name: "free" });
    expect(await remainingAfterOne(client)).toBe(999);
  });
});

describe("what an answer costs", () => {
  it("is a credit for each row with a date and for each property", () => {
    expect([0, 1, 1_000].map((count) => creditCost("dated-row", count))).toEqual([0, 1, 1_000]);
    expect([0, 1, 50_000].map((count) => creditCost("property", count))).toEqual([0, 1, 50_000]);
    expect(creditCost("nothing", 1_000)).toBe(0);
  });
});

describe("an account", () => {
  it("always has what was granted less what was spent, and never less than nothing", () => {
    const step = fc.record({ days: fc.integer({ min: -40, max: 100 }), credits: fc.integer({ min: 0, max: 30 }) });
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 50 }), (rollsOver, steps) => {
        const account = new CreditAccount({ credits: 20, cycleDays: 30, rollsOver }, 0n);
        let day = 0;
        let cycle = 0;
        let expected = 20;
        for (const { days, credits } of steps) {
          day += days;
          // The latest time seen counts: a clock that is put back neither grants nor takes.
          const cycles = Math.max(0, Math.floor(day / 30) - cycle);
          cycle += cycles;
          if (cycles > 0) expected = rollsOver ? expected + 20 * cycles : 20;
          const nowMs = BigInt(day * DAY_MS);
          expect(account.canSpend(credits, nowMs)).toBe(credits <= expected);
          if (credits > expected) {
            expect(() => account.spend(credits, nowMs)).toThrow(RangeError);
          } else {
            expected -= credits;
            expect(account.spend(credits, nowMs)).toBe(expected);
          }
          expect(account.remaining(nowMs)).toBe(expected);
          expect(account.cycleEndMs(nowMs)).toBe(BigInt((cycle + 1) * 30 * DAY_MS));
        }
      }),
      { seed: 20_240_605, numRuns: 300 },
    );
  });
});
