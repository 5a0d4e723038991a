import type { Transaction } from "kysely";
import { type Address, getAddress } from "viem";
import type { Target } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";
import type { JournalTables } from "./tables.ts";

/** The number of a target; `undefined` when nothing was ever recorded for it. */
export async function findTarget(
  transaction: Transaction<JournalTables>,
  { chainId, oracle }: Target,
): Promise<bigint | undefined> {
  const row = await transaction
    .selectFrom("targets")
    .select("id")
    .where("chain_id", "=", BigInt(chainId))
    .where("oracle", "=", getAddress(oracle))
    .executeTakeFirst();
  return row?.id;
}

/** The number of a target, which nobody else changes anything of until the transaction ends. */
export async function lockTarget(
  { engine }: JournalSession,
  transaction: Transaction<JournalTables>,
  target: Target,
): Promise<bigint> {
  let id = await findTarget(transaction, target);
  if (id === undefined) {
    await transaction
      .insertInto("targets")
      .values({ chain_id: BigInt(target.chainId), oracle: getAddress(target.oracle) })
      .onConflict((conflict) => conflict.columns(["chain_id", "oracle"]).doNothing())
      .execute();
    id = await findTarget(transaction, target);
  }
  if (id === undefined) throw new RangeError("a target that was just recorded is not there");
  await lockTargetNumbered({ engine }, transaction, id);
  return id;
}

/**
 * Keeps others from changing anything of a target until the transaction ends, so that what it reads stays true until it
 * writes. In SQLite a transaction that writes is alone anyway.
 */
export async function lockTargetNumbered(
  { engine }: Pick<JournalSession, "engine">,
  transaction: Transaction<JournalTables>,
  id: bigint,
): Promise<void> {
  if (engine === "sqlite") return;
  await transaction.selectFrom("targets").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

/** The target that a row names. */
export function targetOf({ chain_id, oracle }: { chain_id: bigint; oracle: string }): Target {
  return { chainId: Number(chain_id), oracle: oracle as Address };
}
