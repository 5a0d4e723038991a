import { formatGwei, parseTransaction } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { type MarketFees, readAgreedFees, replacementFees } from "../chain/fees.ts";
import { readPrices } from "../chain/readPrices.ts";
import { describeRpcError } from "../chain/rpcError.ts";
import type { ArchivedPrice, Attempt, AttemptTransaction } from "../journal/journal.ts";
import type { Condition } from "../watch/condition.ts";
import type { ChainContext } from "./chainContext.ts";
import { budgetSpent, readDailyBudget } from "./dailyBudget.ts";
import { feesAboveCap } from "./feesAboveCap.ts";
import { type AttemptContent, NOTHING, signAttempt } from "./signAttempt.ts";

/** Replacements after which a transaction that is still not mined is a person's concern. */
const TOLERATED_REPLACEMENTS = 3;

/**
 * Replaces each attempt whose newest transaction has waited too long by one with the same nonce and higher fees, within
 * the cap and the budget. Where none of an attempt's prices is of use any more, what replaces it only uses up the nonce.
 *
 * @returns The attempts as they are now.
 */
export async function replaceStuck(
  context: ChainContext,
  connection: ChainConnection,
  attempts: readonly Attempt[],
): Promise<{ readonly attempts: readonly Attempt[]; readonly conditions: readonly Condition[] }> {
  const { settings, nowMs, access } = context;
  const stuck = attempts.filter(
    ({ state, transactions }) =>
      state === "sent" && (transactions.at(-1)?.signedAtMs ?? 0n) + BigInt(settings.stuckAfterMs) <= nowMs(),
  );
  if (stuck.length === 0) return { attempts, conditions: [] };
  // The endpoint may be the reason why it is not mined: what replaces it goes through another one first.
  access.report(connection, "a transaction that it took was not mined");
  const conditions: Condition[] = [];
  const market = await readAgreedFees(access, settings.maxFeePerGas);
  const replaced = new Map<bigint, Attempt>();
  for (const attempt of stuck) {
    const outcome = await replaceOne(context, connection, attempt, market);
    conditions.push(...outcome.conditions);
    replaced.set(attempt.id, outcome.attempt);
    // What comes behind it in the order of nonces waits for this one: to pay more for it would be in vain.
    if (outcome.conditions.length > 0) break;
  }
  return { attempts: attempts.map((attempt) => replaced.get(attempt.id) ?? attempt), conditions };
}

async function replaceOne(
  context: ChainContext,
  connection: ChainConnection,
  attempt: Attempt,
  market: MarketFees,
): Promise<{ readonly attempt: Attempt; readonly conditions: readonly Condition[] }> {
  const { journal, access, settings, log } = context;
  const previous = attempt.transactions.at(-1);
  if (!previous) return { attempt, conditions: [] };
  const choice = replacementFees(previous, market, settings.maxFeePerGas);
  if ("aboveCap" in choice) {
    const isMarketAbove = market.baseFeePerGas > previous.maxFeePerGas;
    return {
      attempt,
      conditions: [
        stuckTransaction(attempt, "the fee cap allows no higher replacement"),
        ...(isMarketAbove ? [feesAboveCap(choice.aboveCap)] : []),
      ],
    };
  }
  const content = await contentOf(context, connection, attempt, previous);
  const budget = await readDailyBudget(context);
  const extraWei = content.gasLimit * choice.fees.maxFeePerGas - attempt.gasLimit * highestFee(attempt);
  if (budget.leftWei !== undefined && extraWei > budget.leftWei) {
    return {
      attempt,
      conditions: [stuckTransaction(attempt, "the budget allows no replacement"), budgetSpent(context, budget)],
    };
  }
  const transaction = await signAttempt(context, connection, attempt.nonce, content, choice.fees);
  await journal.addReplacement(attempt.id, transaction);
  const { taken, refused } = await access.broadcast(transaction.rawTransaction);
  log.warn(
    {
      transaction: transaction.hash,
      nonce: attempt.nonce,
      maxFeePerGasGwei: formatGwei(transaction.maxFeePerGas),
      taken,
    },
    transaction.carriesUpdates
      ? "replaced a transaction by one with higher fees"
      : "called a transaction off: its prices are of no use any more",
  );
  for (const { host, error } of refused) log.debug({ host }, describeRpcError(error));
  const transactions = [...attempt.transactions, transaction];
  const conditions =
    transactions.length > TOLERATED_REPLACEMENTS
      ? [stuckTransaction(attempt, `${transactions.length - 1} replacements have not helped`)]
      : [];
  return { attempt: { ...attempt, transactions }, conditions };
}

/** The same call, as long as one of its prices would still change something; nothing otherwise. */
async function contentOf(
  { journal, oracle, nowMs }: ChainContext,
  connection: ChainConnection,
  { updates, gasLimit }: Attempt,
  { carriesUpdates, rawTransaction }: AttemptTransaction,
): Promise<AttemptContent> {
  if (!carriesUpdates) return NOTHING;
  const prices = await journal.pricesById(updates.map(({ priceId }) => priceId));
  const stored = await readPrices(
    connection,
    oracle,
    prices.map(({ feedId }) => feedId),
  );
  const isUseful = ({ feedId, day, publishTimeMs, expiryMs }: ArchivedPrice) => {
    const onChain = stored.get(feedId);
    if (expiryMs <= nowMs()) return false;
    return !onChain || onChain.day < day || (onChain.day === day && onChain.publishTime < publishTimeMs / 1000n);
  };
  return prices.some(isUseful) ? { data: parseTransaction(rawTransaction).data ?? "0x", gasLimit } : NOTHING;
}

/** Each replacement offers more than the one before. */
function highestFee({ transactions }: Attempt): bigint {
  return transactions.at(-1)?.maxFeePerGas ?? 0n;
}

function stuckTransaction({ nonce, transactions }: Attempt, why: string): Condition {
  return {
    kind: "transaction-stuck",
    subject: `nonce ${nonce}`,
    severity: "critical",
    message: `transaction ${transactions.at(-1)?.hash} (nonce ${nonce}) is not mined: ${why}`,
    hint: "Look at the chain's fees and at the RPC endpoints; raise maxFeePerGasGwei if the fees are there to stay.",
  };
}
