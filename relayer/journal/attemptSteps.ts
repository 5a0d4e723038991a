import type { Transaction } from "kysely";
import type { AttemptRow } from "./attemptRows.ts";
import { letGo, markOutcomes, takeBack } from "./attemptUpdates.ts";
import type { Journal, MinedAttempt, UpdateOutcome } from "./journal.ts";
import { JournalStepError } from "./journalErrors.ts";
import type { JournalSession } from "./journalSession.ts";
import type { JournalTables } from "./tables.ts";
import { lockTargetNumbered } from "./targets.ts";

type StepMethods = Pick<Journal, "recordMined" | "recordFinal" | "recordReorganised" | "recordDisplaced">;

const NOT_MINED = {
  mined_hash: null,
  block_number: null,
  block_hash: null,
  succeeded: null,
  gas_used: null,
  effective_gas_price: null,
  mined_at_ms: null,
} as const;

/** The steps that an attempt takes after it was sent. A step that was taken already changes nothing. */
export function createAttemptSteps(session: JournalSession): StepMethods {
  const { write } = session;
  return {
    recordMined: (attemptId, mined, outcomes) =>
      write(async (transaction) => {
        const attempt = await lockAttempt(session, transaction, attemptId);
        const isRecorded = attempt.mined_hash === mined.hash && attempt.block_hash === mined.blockHash;
        if (isRecorded && (attempt.state === "mined" || attempt.state === "final")) return;
        if (attempt.state === "mined") await undoMined(transaction, attempt, mined.minedAtMs);
        else if (attempt.state !== "sent") throw impossible(attempt, `mined in block ${mined.blockNumber}`);
        await writeMined(transaction, attempt, mined, outcomes);
      }),

    recordFinal: (attemptId, atMs) =>
      write(async (transaction) => {
        const attempt = await lockAttempt(session, transaction, attemptId);
        if (attempt.state === "final") return;
        if (attempt.state !== "mined") throw impossible(attempt, "final");
        await setState(transaction, attemptId, "final");
        // Nobody hands them over any more, and they are most of what an attempt takes on the disk.
        await transaction
          .updateTable("attempt_transactions")
          .set({ raw_transaction: Buffer.alloc(0) })
          .where("attempt_id", "=", attemptId)
          .execute();
        await transaction
          .updateTable("deliveries")
          .set({ state: "final", final_at_ms: atMs, updated_at_ms: atMs })
          .where("attempt_id", "=", attemptId)
          .where("state", "=", "mined")
          .execute();
      }),

    recordReorganised: (attemptId, atMs) =>
      write(async (transaction) => {
        const attempt = await lockAttempt(session, transaction, attemptId);
        if (attempt.state === "sent") return;
        if (attempt.state !== "mined") throw impossible(attempt, "reorganised away");
        await undoMined(transaction, attempt, atMs);
      }),

    recordDisplaced: (attemptId, atMs) =>
      write(async (transaction) => {
        const attempt = await lockAttempt(session, transaction, attemptId);
        if (attempt.state === "displaced") return;
        if (attempt.state !== "sent") throw impossible(attempt, "displaced");
        await setState(transaction, attemptId, "displaced");
        await letGo(transaction, attemptId, "the nonce of its transaction was used by another one, not ours", atMs);
      }),
  };
}

/** An attempt as it is, and stays until the transaction ends. */
export async function lockAttempt(
  session: JournalSession,
  transaction: Transaction<JournalTables>,
  id: bigint,
): Promise<AttemptRow> {
  const find = () => transaction.selectFrom("attempts").selectAll().where("id", "=", id).executeTakeFirst();
  const found = await find();
  if (found) await lockTargetNumbered(session, transaction, found.target_id);
  // Read again: somebody may have changed it while we waited.
  const attempt = found && (await find());
  if (!attempt) throw new JournalStepError(`attempt ${id} is not in the journal`);
  return attempt;
}

async function writeMined(
  transaction: Transaction<JournalTables>,
  { id }: AttemptRow,
  mined: MinedAttempt,
  outcomes: readonly UpdateOutcome[],
): Promise<void> {
  const carrier = await transaction
    .selectFrom("attempt_transactions")
    .select("carries_updates")
    .where("attempt_id", "=", id)
    .where("hash", "=", mined.hash)
    .executeTakeFirst();
  if (!carrier) throw new JournalStepError(`${mined.hash} is no transaction of attempt ${id}`);
  await transaction
    .updateTable("attempts")
    .set({
      state: "mined",
      mined_hash: mined.hash,
      block_number: mined.blockNumber,
      block_hash: mined.blockHash,
      succeeded: mined.succeeded ? 1n : 0n,
      gas_used: mined.gasUsed,
      effective_gas_price: mined.effectiveGasPrice.toString(),
      mined_at_ms: mined.minedAtMs,
    })
    .where("id", "=", id)
    .execute();
  const isCarried = carrier.carries_updates === 1n;
  if (isCarried && mined.succeeded) return markOutcomes(transaction, id, outcomes, mined.minedAtMs);
  if (outcomes.length > 0) {
    throw new JournalStepError(`${mined.hash} brought no updates, and ${outcomes.length} outcomes were given`);
  }
  const reason = isCarried ? "its transaction failed as a whole" : "its transaction was called off";
  await letGo(transaction, id, reason, mined.minedAtMs);
}

async function undoMined(transaction: Transaction<JournalTables>, { id }: AttemptRow, atMs: bigint): Promise<void> {
  await transaction
    .updateTable("attempts")
    .set({ state: "sent", ...NOT_MINED })
    .where("id", "=", id)
    .execute();
  await takeBack(transaction, id, atMs);
}

async function setState(
  transaction: Transaction<JournalTables>,
  id: bigint,
  state: "final" | "displaced",
): Promise<void> {
  await transaction.updateTable("attempts").set({ state }).where("id", "=", id).execute();
}

function impossible({ id, state, nonce }: AttemptRow, next: string): JournalStepError {
  return new JournalStepError(`attempt ${id} (nonce ${nonce}) is ${state} and cannot be ${next}`);
}
