import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG, startChain, type TestChain } from "../oracle/oracleFixture.ts";
import { HOUR, HOUR_MS, SECOND_MS } from "../oracle/signedUpdate.ts";
import { deployMarket, FUNDS, LIMITS, type TestMarket } from "./lendingMarket.ts";

const numRuns = LONG ? 2_000 : 48;
/** How often each has to succeed for the runs to say something. */
const LEAST_DONE = 1;
const TIMEOUT = 3_600_000;
const WHOLE = 10_000n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

/** What somebody tries to do; it may be refused. Amounts are in parts of 1,000 of about as much as is possible. */
const action = fc.record({
  kind: fc.constantFrom("deposit", "withdraw", "withdraw", "borrow", "repay", "liquidate", "price"),
  who: fc.nat({ max: 1 }),
  whom: fc.nat({ max: 1 }),
  part: fc.oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.constant(1_000n)),
});
/** Somebody borrows nearly all they can, the price falls, and somebody liquidates. */
const crisis = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }), fc.bigInt({ min: 0n, max: 450n }), fc.bigInt({ min: 1n, max: 1_000n }))
  .map(([who, whom, fall, part]) => [
    { kind: "borrow" as const, who: whom, whom, part: 985n },
    { kind: "price" as const, who, whom, part: fall },
    { kind: "liquidate" as const, who, whom, part },
  ]);
const anyActions = fc
  .array(fc.oneof(crisis, fc.array(action, { minLength: 1, maxLength: 3 })), { minLength: 2, maxLength: 8 })
  .map((parts) => parts.flat());
const decimals = fc.constantFrom(0, 6, 8, 18, 27);

/** Errors that say no to a borrower or a liquidator; anything else is a fault of the market. */
const REFUSALS = new Set(["BorrowLimitExceeded", "NotEnoughCollateral", "NotLiquidatable"]);

type State = { collateral: bigint; debt: bigint };

/** Reads everything that may move. */
async function stateOf(lending: TestMarket, people: readonly TestMarket["borrower"][]) {
  const positions: State[] = [];
  for (const { address } of people) positions.push(await lending.position(address));
  return {
    positions,
    collateral: await lending.collateralToken.read.balanceOf([lending.market.address]),
    cash: await lending.debtToken.read.balanceOf([lending.market.address]),
  };
}

describe("whatever is tried, at prices that move by any amount", () => {
  const timesDone: Record<string, number> = {};
  it(
    "the market holds what it owes, gives out no more than is covered, and rounds against who calls",
    async () => {
      await fc.assert(
        fc.asyncProperty(decimals, decimals, anyActions, async (collateralDecimals, debtDecimals, actions) => {
          const oracle = await chain.deployOracle();
          const lending = await deployMarket(chain, oracle, { collateralDecimals, debtDecimals });
          const people = [lending.borrower, lending.liquidator];
          const { square, dollar } = lending;
          let price = 20_000_000_000n;
          await oracle.update(oracle.signed({ price, publishTimeMs: chain.clock.nowMs() - HOUR_MS }));
          for (const person of people) await person.deposit(1_000n * square);
          let age = HOUR - 1n;
          /** Collateral · usd / tokens is what it is worth. */
          const [tokens, usd] = [10n ** 8n * square, () => price * dollar];

          for (const { kind, who, whom, part } of actions) {
            const [person, other] = [people[who], people[whom]];
            if (!person || !other) throw new Error("nobody");
            const before = await stateOf(lending, people);
            const mine = before.positions[who] ?? { collateral: 0n, debt: 0n };
            const theirs = before.positions[whom] ?? { collateral: 0n, debt: 0n };
            let done = true;
            const attempt = async (call: Promise<unknown>) => {
              const outcome = await call.then(
                () => undefined,
                (error: unknown) => error,
              );
              if (outcome === undefined) return;
              const { name } = await lending.failure(Promise.reject(outcome));
              expect(REFUSALS).toContain(name);
              done = false;
            };

            if (kind === "price") {
              // From 40 % to 140 % of the one before.
              price = (price * (400n + part)) / 1_000n + 1n;
              age -= 60n;
              await oracle.update(oracle.signed({ price, publishTimeMs: chain.clock.nowMs() - age * SECOND_MS }));
            } else if (kind === "deposit") {
              await person.deposit(part * square);
            } else if (kind === "withdraw") {
              await attempt(person.withdraw((mine.collateral * part) / 999n));
            } else if (kind === "borrow") {
              const value = (mine.collateral * usd()) / tokens;
              const most = (value * BigInt(LIMITS.borrowing)) / WHOLE - mine.debt;
              await attempt(person.borrow(most < 0n ? 1n : (most * part) / 990n));
            } else if (kind === "repay") {
              await person.repay((mine.debt * part) / 700n, person.address);
            } else {
              const attempted = { repaid: 0n, seized: 0n };
              await attempt(
                person
                  .liquidate(other.address, (theirs.debt * part) / 900n)
                  .then((taken) => Object.assign(attempted, taken)),
              );
              if (done) {
                const limit = (theirs.collateral * usd() * BigInt(LIMITS.liquidating)) / (tokens * WHOLE);
                expect(theirs.debt).toBeGreaterThan(limit);
                // What is seized is worth at most what is paid and the bonus.
                const { repaid, seized } = attempted;
                const paid = repaid * tokens * (WHOLE + BigInt(LIMITS.bonus));
                expect(seized * usd() * WHOLE <= paid).toBe(true);
                expect(repaid <= theirs.debt && seized <= theirs.collateral).toBe(true);
                // By one unit more, it would be more, unless it is all there is.
                if (seized < theirs.collateral) expect((seized + 1n) * usd() * WHOLE > paid).toBe(true);
              }
            }

            if (done) timesDone[kind] = (timesDone[kind] ?? 0) + 1;
            const after = await stateOf(lending, people);
            const sum = (key: keyof State, { positions }: typeof after) =>
              positions.reduce((total, position) => total + position[key], 0n);
            expect(after.collateral).toBe(sum("collateral", after));
            expect(after.cash).toBe(FUNDS * dollar - sum("debt", after));
            if (!done) expect(after).toEqual(before);
            if (done && (kind === "borrow" || (kind === "withdraw" && mine.debt !== 0n))) {
              const { collateral, debt } = after.positions[who] ?? { collateral: 0n, debt: 1n };
              // In one step, it can only be larger than in the two of the contract.
              expect(debt * tokens * WHOLE <= collateral * usd() * BigInt(LIMITS.borrowing)).toBe(true);
            }
          }
        }),
        { numRuns },
      );
      for (const kind of ["deposit", "withdraw", "borrow", "repay", "liquidate"]) {
        expect(timesDone[kind] ?? 0, kind).toBeGreaterThanOrEqual(LEAST_DONE);
      }
    },
    TIMEOUT,
  );
});
