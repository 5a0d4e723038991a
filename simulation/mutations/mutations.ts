import type { Mutation } from "./mutation.ts";

/**
 * Defects that relayers have had, or that are one slip away. Each is a replacement in the source as it stands; when the
 * source changes, the replacement has to be written anew, and says so.
 */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: "nonce-written-after-the-send",
    description:
      "a transaction leaves before it is in the journal: a crash in between forgets it, and it is paid twice",
    changes: [
      {
        file: "relayer/deliver/openAttempt.ts",
        from: "  const updates = send.map(",
        to: "  await access.broadcast(transaction.rawTransaction);\n  const updates = send.map(",
      },
    ],
  },
  {
    name: "receipt-without-depth-counts-as-final",
    description: "a transaction is done as soon as it is mined: a reorganisation that takes it back is never noticed",
    changes: [
      {
        file: "relayer/deliver/settleAttempts.ts",
        from: "if (!attempt.mined || attempt.mined.blockNumber > finalBlock) return attempt;",
        to: "if (!attempt.mined) return attempt;",
      },
    ],
  },
  {
    name: "reorganisation-not-noticed",
    description: "a mined transaction is believed to stay where it was, whatever the chain says",
    changes: [
      {
        file: "relayer/deliver/settleAttempts.ts",
        from: "if (await isCanonical(access, mined.blockNumber, mined.blockHash))",
        to: "if ((await isCanonical(access, mined.blockNumber, mined.blockHash)) || true)",
      },
    ],
  },
  {
    name: "budget-ignored",
    description: "the day's budget is no bound",
    changes: [
      {
        file: "relayer/deliver/dailyBudget.ts",
        from: "const { dailyBudgetWei } = settings;",
        to: "const dailyBudgetWei = settings.dailyBudgetWei && undefined;",
      },
    ],
  },
  {
    name: "fee-cap-ignored",
    description: "whatever the market asks for is offered",
    changes: [
      {
        file: "relayer/chain/fees.ts",
        from: "  const { baseFeePerGas, maxPriorityFeePerGas, cap } = market;",
        to: "  const { baseFeePerGas, maxPriorityFeePerGas } = market;\n  const cap: bigint | undefined = undefined;",
      },
    ],
  },
  {
    name: "bump-above-the-cap",
    description: "a replacement offers more than the cap",
    changes: [
      {
        file: "relayer/chain/fees.ts",
        from: "  const leastMaxFee = raised(previous.maxFeePerGas);",
        to: "  cap = undefined;\n  const leastMaxFee = raised(previous.maxFeePerGas);",
      },
    ],
  },
  {
    name: "replan-without-looking-at-open-attempts",
    description: "what is under way is planned and sent again",
    changes: [
      {
        file: "relayer/deliver/planDeliveries.ts",
        from: "const ours: OurPrices = { open, deliveries };",
        to: "const ours: OurPrices = { open: new Map(open.size > 0 ? [] : []), deliveries };",
      },
      {
        file: "relayer/journal/attempts.ts",
        from: "is_held: 1n,",
        to: "is_held: 0n,",
      },
    ],
  },
  {
    name: "alert-dropped",
    description: "alerts are taken for told that were never posted",
    changes: [
      {
        file: "relayer/watch/webhook.ts",
        from: 'const outcome = await sendNotification({ url, method: "POST", body }, patience);',
        to: "const outcome = { taken: Boolean(body), reason: String(patience), answer: String(sendNotification.name) };",
      },
    ],
  },
  {
    name: "previous-edition-treated-as-new",
    description: "yesterday's prices pass for the edition that is due: nobody asks again",
    changes: [
      {
        file: "relayer/edition/editionClock.ts",
        from: "return publishTimeMs >= dueMs - (firstSeenMs < dueMs ? EARLY_MS : HALF_A_DAY_MS);",
        to: "return publishTimeMs >= dueMs - (firstSeenMs < dueMs ? EARLY_MS : HALF_A_DAY_MS) - 30n * 86_400_000n;",
      },
    ],
  },
  {
    name: "recover-skipped",
    description: "attempts of before are not looked at: what was lost stays lost",
    changes: [
      {
        file: "relayer/deliver/settleAttempts.ts",
        from: "if (open.length === 0) return { attempts, conditions };",
        to: "if (open.length >= 0) return { attempts, conditions };",
      },
    ],
  },
  {
    name: "asks-once-a-day",
    description: "an edition that is late, or a service that is down at the time, is not asked for again",
    changes: [
      {
        file: "relayer/edition/askAgain.ts",
        from: "if (isEverythingThere(report)) return undefined;",
        to: "if (isEverythingThere(report) || attempt >= 0) return undefined;",
      },
    ],
  },
];

/** @throws RangeError when there is none of the name. */
export function mutationNamed(name: string): Mutation {
  const mutation = MUTATIONS.find((each) => each.name === name);
  if (!mutation)
    throw new RangeError(`there is no mutation "${name}"; there are ${MUTATIONS.map((each) => each.name).join(", ")}`);
  return mutation;
}
