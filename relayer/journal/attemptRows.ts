import type { Selectable, Transaction } from "kysely";
import type { Address, Hex } from "viem";
import { toBuffer, toHex } from "./hexBytes.ts";
import { inChunks } from "./inChunks.ts";
import type { Attempt, AttemptTransaction, AttemptUpdate, MinedAttempt, UpdateOutcome } from "./journal.ts";
import type { JournalTables } from "./tables.ts";
import { targetOf } from "./targets.ts";

export type AttemptRow = Selectable<JournalTables["attempts"]>;
type TransactionRow = Selectable<JournalTables["attempt_transactions"]>;
type UpdateRow = Selectable<JournalTables["attempt_updates"]>;

/** Attempts with all that belongs to them, by their number. */
export async function attemptsById(
  transaction: Transaction<JournalTables>,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Attempt>> {
  const attempts = new Map<bigint, Attempt>();
  for (const chunk of inChunks([...new Set(ids)])) {
    const rows = await transaction
      .selectFrom("attempts")
      .innerJoin("targets", "targets.id", "attempts.target_id")
      .selectAll("attempts")
      .select("targets.oracle")
      .where("attempts.id", "in", chunk)
      .execute();
    const transactions = Map.groupBy(
      await transaction
        .selectFrom("attempt_transactions")
        .selectAll()
        .where("attempt_id", "in", chunk)
        .orderBy("attempt_id")
        .orderBy("position")
        .execute(),
      ({ attempt_id }) => attempt_id,
    );
    const updates = Map.groupBy(
      await transaction
        .selectFrom("attempt_updates")
        .selectAll()
        .where("attempt_id", "in", chunk)
        .orderBy("attempt_id")
        .orderBy("position")
        .execute(),
      ({ attempt_id }) => attempt_id,
    );
    for (const row of rows) {
      attempts.set(row.id, toAttempt(row, transactions.get(row.id) ?? [], updates.get(row.id) ?? []));
    }
  }
  return attempts;
}

function toAttempt(
  row: AttemptRow & { oracle: string },
  transactions: readonly TransactionRow[],
  updates: readonly UpdateRow[],
): Attempt {
  const mined = minedOf(row);
  const carried = transactions.find(({ hash }) => hash === mined?.hash)?.carries_updates !== 0n;
  return {
    id: row.id,
    target: targetOf(row),
    sender: row.sender as Address,
    nonce: Number(row.nonce),
    state: row.state,
    gasLimit: row.gas_limit,
    openedAtMs: row.opened_at_ms,
    updates: carried ? updates.map(toUpdate) : [],
    transactions: transactions.map(toTransaction),
    ...(mined && { mined }),
  };
}

/** What is known of the block that an attempt is in; nothing, or all of it. */
function minedOf(row: AttemptRow): MinedAttempt | undefined {
  const { mined_hash, block_number, block_hash, succeeded, gas_used, effective_gas_price, mined_at_ms } = row;
  if (mined_hash === null || block_number === null || block_hash === null || succeeded === null) return undefined;
  if (gas_used === null || effective_gas_price === null || mined_at_ms === null) return undefined;
  return {
    hash: mined_hash as Hex,
    blockNumber: block_number,
    blockHash: block_hash as Hex,
    succeeded: succeeded === 1n,
    gasUsed: gas_used,
    effectiveGasPrice: BigInt(effective_gas_price),
    minedAtMs: mined_at_ms,
  };
}

function toUpdate({ feed_id, day, price_id, outcome, reason }: UpdateRow): AttemptUpdate {
  const update = { feedId: feed_id, day: Number(day), priceId: price_id };
  if (outcome === null) return update;
  const known: UpdateOutcome = outcome === "refused" ? { outcome, reason: reason ?? "" } : { outcome };
  return { ...update, outcome: known };
}

function toTransaction(row: TransactionRow): AttemptTransaction {
  return {
    hash: row.hash as Hex,
    rawTransaction: toHex(row.raw_transaction),
    carriesUpdates: row.carries_updates === 1n,
    maxFeePerGas: BigInt(row.max_fee_per_gas),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    host: row.host,
    signedAtMs: row.signed_at_ms,
  };
}

/** A signed transaction as it is kept. */
export function toTransactionRow(attemptId: bigint, position: bigint, transaction: AttemptTransaction): TransactionRow {
  return {
    attempt_id: attemptId,
    position,
    hash: transaction.hash,
    raw_transaction: toBuffer(transaction.rawTransaction),
    carries_updates: transaction.carriesUpdates ? 1n : 0n,
    max_fee_per_gas: transaction.maxFeePerGas.toString(),
    max_priority_fee_per_gas: transaction.maxPriorityFeePerGas.toString(),
    host: transaction.host,
    signed_at_ms: transaction.signedAtMs,
  };
}
