import type { TransactionReceipt } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { readFinalBlock } from "../chain/finality.ts";
import { describeRpcError } from "../chain/rpcError.ts";
import { isCanonical, readFate } from "../chain/transactionFate.ts";
import { decodeOutcomes } from "../chain/updateOutcomes.ts";
import type { Attempt } from "../journal/journal.ts";
import type { Condition } from "../watch/condition.ts";
import type { ChainContext } from "./chainContext.ts";

/** What became of a sender's attempts. */
export type SettledAttempts = {
  /** Those that were open before, as they are now; displaced ones are left out. */
  readonly attempts: readonly Attempt[];
  readonly conditions: readonly Condition[];
};

/**
 * Looks up every attempt of the sender that is not final, lowest nonce first, and writes down what has become of it:
 * mined, final, taken back by a reorganisation, or displaced by a foreign transaction with its nonce. What no node knows
 * any more is handed over again, byte for byte: the same nonce cannot be paid for twice.
 *
 * This comes before anything new, and it is all that a start after a crash needs: a transaction is in the journal before
 * it leaves.
 */
export async function settleAttempts(context: ChainContext, connection: ChainConnection): Promise<SettledAttempts> {
  const { journal, access, signer } = context;
  const conditions: Condition[] = [];
  const attempts: Attempt[] = [];
  if (!signer) return { attempts, conditions };
  const open = await journal.openAttempts(access.chain.id, signer.address);
  if (open.length === 0) return { attempts, conditions };
  const finalBlock = await readFinalBlock(connection, context.settings.finality);
  for (const attempt of open) {
    const settled = await settleOne(context, attempt, finalBlock, conditions);
    if (settled) attempts.push(settled);
  }
  return { attempts, conditions };
}

async function settleOne(
  context: ChainContext,
  attempt: Attempt,
  finalBlock: bigint,
  conditions: Condition[],
): Promise<Attempt | undefined> {
  const { journal, access, nowMs } = context;
  const { mined } = attempt;
  if (mined) {
    if (await isCanonical(access, mined.blockNumber, mined.blockHash)) return finalize(context, attempt, finalBlock);
    await journal.recordReorganised(attempt.id, nowMs());
    conditions.push(reorganised(attempt));
    context.log.warn(
      { transaction: mined.hash, nonce: attempt.nonce },
      "the block of a transaction was reorganised away",
    );
  }
  const { mined: _, ...unmined } = attempt;
  return lookUp(context, { ...unmined, state: "sent" }, finalBlock, conditions);
}

async function lookUp(
  context: ChainContext,
  attempt: Attempt,
  finalBlock: bigint,
  conditions: Condition[],
): Promise<Attempt | undefined> {
  const { journal, access, nowMs, log } = context;
  const hashes = attempt.transactions.map(({ hash }) => hash);
  const fate = await readFate(access, hashes, attempt, finalBlock);
  switch (fate.state) {
    case "waiting":
      return attempt;
    case "unknown":
      await handOver(context, attempt);
      return attempt;
    case "displaced": {
      conditions.push(nonceUsedElsewhere(attempt));
      // As long as that could be reorganised away, ours could still be mined.
      if (!fate.isFinal) return attempt;
      await journal.recordDisplaced(attempt.id, nowMs());
      log.warn({ nonce: attempt.nonce }, "the nonce of a transaction was used by another one, which is not ours");
      return undefined;
    }
    case "mined": {
      const { receipt } = fate;
      const carried =
        attempt.transactions.find(({ hash }) => hash === receipt.transactionHash)?.carriesUpdates ?? false;
      const mined = {
        hash: receipt.transactionHash,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        succeeded: receipt.status === "success",
        gasUsed: receipt.gasUsed,
        effectiveGasPrice: receipt.effectiveGasPrice,
        minedAtMs: fate.blockTimeMs,
      };
      const outcomes = carried && mined.succeeded ? await outcomesOf(context, attempt, receipt) : [];
      await journal.recordMined(attempt.id, mined, outcomes);
      log.info({ transaction: mined.hash, gasUsed: mined.gasUsed.toString() }, "a transaction is mined");
      const updates = attempt.updates.map((update, index) => ({ ...update, outcome: outcomes[index] }));
      return finalize(context, { ...attempt, state: "mined", mined, updates }, finalBlock);
    }
  }
}

/** What the contract did with each update of a mined transaction. */
async function outcomesOf({ journal, oracle }: ChainContext, { updates }: Attempt, receipt: TransactionReceipt) {
  const prices = await journal.pricesById(updates.map(({ priceId }) => priceId));
  const publishTimes = new Map(prices.map(({ id, publishTimeMs }) => [id, publishTimeMs]));
  return decodeOutcomes(
    receipt,
    oracle,
    updates.map(({ feedId, priceId }) => ({ feedId, publishTimeMs: publishTimes.get(priceId) ?? 0n })),
  );
}

async function finalize({ journal, nowMs }: ChainContext, attempt: Attempt, finalBlock: bigint): Promise<Attempt> {
  if (!attempt.mined || attempt.mined.blockNumber > finalBlock) return attempt;
  await journal.recordFinal(attempt.id, nowMs());
  return { ...attempt, state: "final" };
}

/** Hands an attempt's newest transaction to every endpoint again. */
async function handOver({ access, log }: ChainContext, { transactions, nonce }: Attempt): Promise<void> {
  const newest = transactions.at(-1);
  if (!newest) return;
  const { taken, refused } = await access.broadcast(newest.rawTransaction);
  log.info({ transaction: newest.hash, nonce, taken }, "handed a transaction over again, which no endpoint knew");
  for (const { host, error } of refused) log.debug({ host }, describeRpcError(error));
}

function reorganised({ mined, nonce }: Attempt): Condition {
  return {
    kind: "reorganised",
    subject: mined?.hash ?? `nonce ${nonce}`,
    severity: "warning",
    message: `block ${mined?.blockNumber} with transaction ${mined?.hash} was reorganised away`,
    hint: "The transaction is handed over again by itself; raise finality if this happens after it counted as final.",
  };
}

function nonceUsedElsewhere({ nonce, sender }: Attempt): Condition {
  return {
    kind: "nonce-used-elsewhere",
    subject: sender,
    severity: "warning",
    message: `nonce ${nonce} of ${sender} was used by a transaction that is not ours`,
    hint: "Use the relayer's key for nothing else: two senders with one key delay each other.",
  };
}
