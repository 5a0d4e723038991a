import { sql, type Transaction } from "kysely";
import { getAddress } from "viem";
import { attemptsById, toTransactionRow } from "./attemptRows.ts";
import { createAttemptSteps, lockAttempt } from "./attemptSteps.ts";
import { editionKey, loadDeliveries, putDeliveries } from "./deliveryRows.ts";
import { inChunks } from "./inChunks.ts";
import type { Attempt, Journal, NewAttempt } from "./journal.ts";
import { JournalStepError } from "./journalErrors.ts";
import type { JournalSession } from "./journalSession.ts";
import { createSpending } from "./spending.ts";
import type { JournalTables } from "./tables.ts";
import { lockTarget } from "./targets.ts";

type AttemptMethods = Pick<
  Journal,
  | "openAttempt"
  | "addReplacement"
  | "recordMined"
  | "recordFinal"
  | "recordReorganised"
  | "recordDisplaced"
  | "openAttempts"
  | "attemptsOf"
  | "highestNonce"
  | "spending"
>;

/** The part of the journal that knows every transaction that was signed. */
export function createAttempts(session: JournalSession): AttemptMethods {
  const { read, write } = session;
  return {
    ...createAttemptSteps(session),
    ...createSpending(session),

    openAttempt: (attempt) =>
      write(async (transaction) => {
        const targetId = await lockTarget(session, transaction, attempt.target);
        const id = await insertAttempt(transaction, targetId, attempt);
        await markSent(transaction, targetId, id, attempt);
        const opened = (await attemptsById(transaction, [id])).get(id);
        if (!opened) throw new RangeError(`attempt ${id} was just written and is not there`);
        return opened;
      }),

    addReplacement: (attemptId, replacement) =>
      write(async (transaction) => {
        const attempt = await lockAttempt(session, transaction, attemptId);
        const earlier = await transaction
          .selectFrom("attempt_transactions")
          .select(["hash", "position"])
          .where("attempt_id", "=", attemptId)
          .orderBy("position")
          .execute();
        if (earlier.some(({ hash }) => hash === replacement.hash)) return;
        if (attempt.state !== "sent") {
          throw new JournalStepError(`attempt ${attemptId} is ${attempt.state}: there is nothing to replace`);
        }
        const position = (earlier.at(-1)?.position ?? -1n) + 1n;
        await transaction
          .insertInto("attempt_transactions")
          .values(toTransactionRow(attemptId, position, replacement))
          .execute();
      }),

    openAttempts: (chainId, sender) =>
      read(async (transaction) => {
        const rows = await transaction
          .selectFrom("attempts")
          .select("id")
          .where("chain_id", "=", BigInt(chainId))
          .where("sender", "=", getAddress(sender))
          .where("state", "in", ["sent", "mined"])
          .orderBy("nonce")
          .execute();
        return loadInOrder(
          transaction,
          rows.map(({ id }) => id),
        );
      }),

    async attemptsOf(priceIds) {
      if (priceIds.length === 0) return [];
      return read(async (transaction) => {
        const ids = new Set<bigint>();
        for (const chunk of inChunks(priceIds)) {
          const rows = await transaction
            .selectFrom("attempt_updates")
            .select("attempt_id")
            .distinct()
            .where("price_id", "in", chunk)
            .execute();
          for (const { attempt_id } of rows) ids.add(attempt_id);
        }
        return loadInOrder(
          transaction,
          [...ids].toSorted((a, b) => (a < b ? -1 : 1)),
        );
      });
    },

    highestNonce: (chainId, sender) =>
      read(async (transaction) => {
        const row = await transaction
          .selectFrom("attempts")
          .select((attempt) => attempt.fn.max("nonce").as("highest"))
          .where("chain_id", "=", BigInt(chainId))
          .where("sender", "=", getAddress(sender))
          // In these words, so that the index of the same condition answers.
          .where("state", "<>", sql.lit("displaced"))
          .executeTakeFirst();
        // Without a row there is no highest, which the type of max() does not say.
        const highest = row?.highest as bigint | null | undefined;
        return highest === null || highest === undefined ? undefined : Number(highest);
      }),
  };
}

async function loadInOrder(transaction: Transaction<JournalTables>, ids: readonly bigint[]): Promise<Attempt[]> {
  const found = await attemptsById(transaction, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Writes an attempt with its first transaction; a nonce or a price that is taken makes the database refuse it. */
async function insertAttempt(
  transaction: Transaction<JournalTables>,
  targetId: bigint,
  { target, sender, nonce, gasLimit, updates, transaction: first }: NewAttempt,
): Promise<bigint> {
  const { id } = await transaction
    .insertInto("attempts")
    .values({
      target_id: targetId,
      chain_id: BigInt(target.chainId),
      sender: getAddress(sender),
      nonce: BigInt(nonce),
      state: "sent",
      gas_limit: gasLimit,
      opened_at_ms: first.signedAtMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("attempt_transactions")
    .values(toTransactionRow(id, 0n, first))
    .execute();
  const rows = updates.map(({ feedId, day, priceId }, position) => ({
    attempt_id: id,
    position: BigInt(position),
    target_id: targetId,
    feed_id: feedId,
    day: BigInt(day),
    price_id: priceId,
    is_held: 1n,
  }));
  for (const chunk of inChunks(rows)) await transaction.insertInto("attempt_updates").values(chunk).execute();
  return id;
}

/** The deliveries of an attempt that was just opened; one that nobody planned is there from now on. */
async function markSent(
  transaction: Transaction<JournalTables>,
  targetId: bigint,
  attemptId: bigint,
  { updates, transaction: { signedAtMs } }: NewAttempt,
): Promise<void> {
  // Of two prices of one date in one call, the later one is what is meant.
  const meant = [...new Map(updates.map((update) => [editionKey(update), update])).values()];
  const before = await loadDeliveries(transaction, targetId, meant);
  await putDeliveries(
    transaction,
    meant.map((update) => {
      const planned = before.get(editionKey(update));
      const isPlanned = planned?.price_id === update.priceId;
      return {
        target_id: targetId,
        feed_id: update.feedId,
        day: BigInt(update.day),
        price_id: update.priceId,
        state: "sent",
        reason: isPlanned ? planned.reason : null,
        attempt_id: attemptId,
        planned_at_ms: isPlanned ? planned.planned_at_ms : null,
        sent_at_ms: signedAtMs,
        mined_at_ms: null,
        final_at_ms: null,
        updated_at_ms: signedAtMs,
      };
    }),
  );
}
