import fc from "fast-check";
import { numberToHex } from "viem";
import { expect } from "vitest";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import type {
  ArchivedPrice,
  DeliveryState,
  Journal,
  PlannedDelivery,
  UpdateOutcome,
} from "../../relayer/journal/journal.ts";
import type { JournalDatabase } from "../../relayer/journal/journalDatabase.ts";
import { openJournalIn } from "../../relayer/journal/openJournal.ts";
import { createSqlJournal } from "../../relayer/journal/sqlJournal.ts";
import { FailingStatements } from "./failingStatements.ts";
import { checkedPrice, DAY, NOON_MS, OTHER_TARGET, SENDER, TARGET, transactionOf } from "./journalFixture.ts";
import { JournalModel } from "./journalModel.ts";

const TARGETS = [TARGET, OTHER_TARGET, { ...TARGET, oracle: OTHER_TARGET.oracle }] as const;
const STATES: readonly DeliveryState[] = [
  "planned",
  "sent",
  "mined",
  "final",
  "current",
  "waiting",
  "refused",
  "missed",
];

/** How an operation meets a crash: not at all, before it began, in one of its statements, or before it was heard of. */
const crash = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ at: "never" as const }) },
  { weight: 1, arbitrary: fc.constant({ at: "before" as const }) },
  { weight: 3, arbitrary: fc.record({ at: fc.constant("within" as const), statement: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.constant({ at: "after" as const }) },
);

const target = fc.nat(TARGETS.length - 1);
const price = fc.nat(7);
const attempt = fc.nat(9);
const outcome = fc.constantFrom("stored", "skipped", "quarantined", "refused");
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("plan" as const),
      target,
      prices: fc.uniqueArray(price, { minLength: 1, maxLength: 4 }),
      state: fc.constantFrom("planned", "planned", "current", "waiting", "refused", "missed"),
      reason: fc.constantFrom("one", "two"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("open" as const),
      target,
      prices: fc.uniqueArray(price, { maxLength: 3 }),
      nonce: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      attempt,
      number: fc.nat(3),
      carriesUpdates: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("mined" as const),
      attempt,
      transaction: fc.nat(2),
      block: fc.nat(1),
      succeeded: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      outcomes: fc.array(outcome, { minLength: 3, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("final" as const), attempt }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reorganised" as const), attempt }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("displaced" as const), attempt }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/**
 * Random sequences of operations, with crashes, on a journal and on the model of it: whatever happens, both answer every
 * question alike, and what the one refuses the other refuses.
 */
export async function expectAgreement(openDatabase: () => Promise<JournalDatabase>, runs: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(fc.record({ operation, crash }), { minLength: 1, maxLength: 25 }),
    async (steps) => {
      const database = await openDatabase();
      const journal = await openJournalIn(database);
      try {
        const failing = new FailingStatements();
        // The same database, through which a statement can be made to fail.
        const crashing = createSqlJournal({ ...database, db: database.db.withPlugin(failing) });
        await expectAgreementAfter(steps, journal, crashing, failing);
      } finally {
        await journal.close();
      }
    },
  );
  await fc.assert(property, { numRuns: runs });
}

async function expectAgreementAfter(
  steps: readonly {
    readonly operation: Operation;
    readonly crash: typeof crash extends fc.Arbitrary<infer T> ? T : never;
  }[],
  journal: Journal,
  crashing: Journal,
  failing: FailingStatements,
): Promise<void> {
  const model = new JournalModel();
  const prices = await archiveSome(journal);
  let atMs = NOON_MS;
  for (const { operation, crash } of steps) {
    atMs += 1_000n;
    const { onModel, onJournal } = prepare(operation, model, prices, atMs);
    if (crash.at === "before") continue;
    if (crash.at === "within") {
      const before = await everything(journal);
      const result = await failing.during(crash.statement, () => attemptTo(() => onJournal(crashing)));
      if (failing.hasFailed) {
        // It did not happen, as a whole.
        expect(await everything(journal)).toEqual(before);
        continue;
      }
      // It was over before the statement that was to fail.
      expect(result).toBe(await attemptTo(onModel));
    } else {
      expect(await attemptTo(() => onJournal(journal))).toBe(await attemptTo(onModel));
    }
    // Whoever has not heard that it happened does it again.
    if (crash.at === "after") await attemptTo(() => onJournal(journal));
    expect(await everything(journal)).toEqual(everythingOf(model));
  }
}

/** What an operation is, on the model and on the journal, whose number for the next attempt is learnt from the latter. */
function prepare(operation: Operation, model: JournalModel, prices: readonly ArchivedPrice[], atMs: bigint) {
  const chosen = "prices" in operation ? operation.prices.flatMap((index) => prices[index] ?? []) : [];
  const known =
    "attempt" in operation ? model.attempts.at(operation.attempt % Math.max(model.attempts.length, 1)) : undefined;
  const id = known?.id ?? 999n;
  switch (operation.kind) {
    case "plan": {
      const on = TARGETS[operation.target] ?? TARGET;
      const plans = chosen.map(
        ({ id: priceId, feedId, day }): PlannedDelivery => ({
          feedId,
          day,
          priceId,
          state: operation.state,
          reason: operation.reason,
        }),
      );
      // Of two prices of one edition the later one counts.
      const meant = [...new Map(plans.map((plan) => [`${plan.feedId} ${plan.day}`, plan])).values()];
      return {
        onModel: () => {
          for (const plan of meant) model.recordPlan(on, plan, atMs);
        },
        onJournal: (journal: Journal) => journal.recordPlan(on, plans, atMs),
      };
    }
    case "open": {
      const opened = {
        target: TARGETS[operation.target] ?? TARGET,
        sender: SENDER,
        nonce: operation.nonce,
        gasLimit: 1_000n,
        updates: chosen.map(({ id: priceId, feedId, day }) => ({ priceId, feedId, day })),
        transaction: transactionOf(Number(atMs - NOON_MS), { signedAtMs: atMs }),
      } as const;
      let openedId = 0n;
      return {
        onModel: () => model.openAttempt(opened, chosen, openedId),
        onJournal: async (journal: Journal) => {
          openedId = (await journal.openAttempt(opened)).id;
        },
      };
    }
    case "replace": {
      const transaction = transactionOf(5_000_000 + 10 * Number(id) + operation.number, {
        carriesUpdates: operation.carriesUpdates,
        maxFeePerGas: BigInt(operation.number + 1) * 2_000_000_000n,
      });
      return {
        onModel: () => model.addReplacement(id, transaction),
        onJournal: (journal: Journal) => journal.addReplacement(id, transaction),
      };
    }
    case "mined": {
      const transaction = known?.transactions[operation.transaction] ?? known?.transactions[0];
      const brings = transaction?.carriesUpdates === true && operation.succeeded;
      const outcomes: UpdateOutcome[] = (brings ? (known?.updates ?? []) : []).map((_, index) => {
        const what = operation.outcomes[index] ?? "stored";
        return what === "refused" ? { outcome: what, reason: "ExpiryPassed" } : { outcome: what };
      });
      const mined = {
        hash: transaction?.hash ?? "0x",
        blockNumber: BigInt(operation.block),
        blockHash: numberToHex(operation.block, { size: 32 }),
        succeeded: operation.succeeded,
        gasUsed: 900n,
        effectiveGasPrice: 1_000_000_007n,
        minedAtMs: atMs,
      };
      return {
        onModel: () => model.recordMined(id, mined, outcomes),
        onJournal: (journal: Journal) => journal.recordMined(id, mined, outcomes),
      };
    }
    case "final":
      return {
        onModel: () => model.recordFinal(id, atMs),
        onJournal: (journal: Journal) => journal.recordFinal(id, atMs),
      };
    case "reorganised":
      return {
        onModel: () => model.recordReorganised(id, atMs),
        onJournal: (journal: Journal) => journal.recordReorganised(id, atMs),
      };
    case "displaced":
      return {
        onModel: () => model.recordDisplaced(id, atMs),
        onJournal: (journal: Journal) => journal.recordDisplaced(id, atMs),
      };
  }
}

/** Eight prices: of two feeds on two dates, with a revision of each. */
async function archiveSome(journal: Journal): Promise<ArchivedPrice[]> {
  const received = [1n, 2n].flatMap((feedId) =>
    [DAY - 1, DAY].flatMap((day) => [1n, 2n].map((value) => checkedPrice({ feedId, day, price: value }))),
  );
  await journal.recordReceived(received, NOON_MS);
  return [...(await journal.pricesOn(DAY - 1)), ...(await journal.pricesOn(DAY))];
}

/** `done`, or the code of the error of ours that says why not. */
async function attemptTo(work: () => unknown): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    if (error instanceof HomePriceError)
      return `${error.code} ${error.code === "ATTEMPT_CONFLICT" ? error.message : ""}`;
    throw error;
  }
}

/** What a journal answers to every question about deliveries and attempts. */
async function everything(journal: Journal) {
  const deliveries = [];
  for (const target of TARGETS) deliveries.push(...(await journal.deliveriesIn(target, STATES)));
  const open = [...(await journal.openAttempts(1, SENDER)), ...(await journal.openAttempts(10, SENDER))];
  return {
    // The reasons that the journal gives by itself are no part of what it promises.
    deliveries: deliveries.map(({ reason: _, ...delivery }) => delivery),
    open: open.map(({ id, state, nonce, updates, transactions, mined }) => ({
      id,
      state,
      nonce,
      mined,
      updates: updates.map(({ priceId, outcome }) => ({ priceId, outcome })),
      hashes: transactions.map(({ hash }) => hash),
    })),
    highestNonces: [await journal.highestNonce(1, SENDER), await journal.highestNonce(10, SENDER)],
    spending: [await journal.spending(1, SENDER, NOON_MS + 4_000n), await journal.spending(10, SENDER, 0n)],
  };
}

/** The same from the model. */
function everythingOf(model: JournalModel): Awaited<ReturnType<typeof everything>> {
  const deliveries = TARGETS.flatMap((target) =>
    [...model.deliveries.values()]
      .filter((delivery) => delivery.target === target)
      .toSorted((a, b) => Number(a.feedId - b.feedId) || a.day - b.day),
  );
  const of = (chainId: number) => model.attempts.filter((each) => each.target.chainId === chainId);
  const open = [1, 10].flatMap((chainId) =>
    of(chainId)
      .filter(({ state }) => state === "sent" || state === "mined")
      .toSorted((a, b) => a.nonce - b.nonce),
  );
  const highestNonce = (chainId: number) => {
    const nonces = of(chainId).filter(({ state }) => state !== "displaced");
    return nonces.length === 0 ? undefined : Math.max(...nonces.map(({ nonce }) => nonce));
  };
  const spending = (chainId: number, sinceMs: bigint) => {
    const mined = of(chainId).flatMap((each) => (each.mined && each.mined.minedAtMs >= sinceMs ? [each.mined] : []));
    const times = mined.map(({ minedAtMs }) => minedAtMs).toSorted((a, b) => Number(a - b));
    const most = of(chainId)
      .filter(({ state }) => state === "sent")
      .map(({ gasLimit, transactions }) => {
        const fees = transactions.map(({ maxFeePerGas }) => maxFeePerGas).toSorted((a, b) => Number(b - a));
        return gasLimit * (fees[0] ?? 0n);
      });
    return {
      spentWei: sum(mined.map(({ gasUsed, effectiveGasPrice }) => gasUsed * effectiveGasPrice)),
      reservedWei: sum(most),
      firstSpentAtMs: times[0],
    };
  };
  return {
    deliveries: deliveries.map(({ reason: _, ...delivery }) => delivery),
    open: open.map(({ id, state, nonce, updates, transactions, mined }) => {
      const carried = transactions.find(({ hash }) => hash === mined?.hash)?.carriesUpdates ?? true;
      return {
        id,
        state,
        nonce,
        mined,
        updates: carried ? updates.map(({ price: { id: priceId }, outcome }) => ({ priceId, outcome })) : [],
        hashes: transactions.map(({ hash }) => hash),
      };
    }),
    highestNonces: [highestNonce(1), highestNonce(10)],
    spending: [spending(1, NOON_MS + 4_000n), spending(10, 0n)],
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
