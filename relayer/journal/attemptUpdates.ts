import type { Transaction } from "kysely";
import { inChunks } from "./inChunks.ts";
import type { DeliveryState, UpdateOutcome } from "./journal.ts";
import { JournalStepError } from "./journalErrors.ts";
import type { JournalTables } from "./tables.ts";

/** What becomes of a delivery by what the contract did. */
const STATE_AFTER: Readonly<Record<UpdateOutcome["outcome"], DeliveryState>> = {
  stored: "mined",
  skipped: "current",
  quarantined: "waiting",
  refused: "refused",
};

/** Why, where the reason is not the contract's own; what was stored keeps the reason why it was planned. */
const REASON_AFTER: Readonly<Record<UpdateOutcome["outcome"], string | undefined>> = {
  stored: undefined,
  skipped: "the oracle had one as new already",
  quarantined: "outside the feed's band; waits in quarantine",
  refused: undefined,
};

/** Writes down what the contract did with each update of an attempt. */
export async function markOutcomes(
  transaction: Transaction<JournalTables>,
  attemptId: bigint,
  outcomes: readonly UpdateOutcome[],
  minedAtMs: bigint,
): Promise<void> {
  const updates = await transaction
    .selectFrom("attempt_updates")
    .select(["position", "price_id"])
    .where("attempt_id", "=", attemptId)
    .orderBy("position")
    .execute();
  if (updates.length !== outcomes.length) {
    throw new JournalStepError(
      `attempt ${attemptId} has ${updates.length} updates, and ${outcomes.length} outcomes were given`,
    );
  }
  const judged = outcomes.map((outcome, index) => ({ outcome, update: updates[index] }));
  const alike = Map.groupBy(judged, ({ outcome }) => JSON.stringify([outcome.outcome, reasonOf(outcome)]));
  for (const group of alike.values()) {
    const [first] = group;
    if (!first) continue;
    const { outcome } = first.outcome;
    const reason = reasonOf(first.outcome);
    for (const chunk of inChunks(group.flatMap(({ update }) => update ?? []))) {
      await transaction
        .updateTable("attempt_updates")
        .set({ outcome, reason: outcome === "refused" ? (reason ?? null) : null })
        .where("attempt_id", "=", attemptId)
        .where(
          "position",
          "in",
          chunk.map(({ position }) => position),
        )
        .execute();
      await transaction
        .updateTable("deliveries")
        .set({
          state: STATE_AFTER[outcome],
          ...(reason !== undefined && { reason }),
          mined_at_ms: minedAtMs,
          updated_at_ms: minedAtMs,
        })
        .where("attempt_id", "=", attemptId)
        .where(
          "price_id",
          "in",
          chunk.map(({ price_id }) => price_id),
        )
        .execute();
    }
  }
}

function reasonOf(outcome: UpdateOutcome): string | undefined {
  return outcome.outcome === "refused" ? outcome.reason : REASON_AFTER[outcome.outcome];
}

/** Lets go of an attempt's prices: their deliveries are planned again, and another attempt may take them up. */
export async function letGo(
  transaction: Transaction<JournalTables>,
  attemptId: bigint,
  reason: string,
  atMs: bigint,
): Promise<void> {
  await transaction.updateTable("attempt_updates").set({ is_held: 0n }).where("attempt_id", "=", attemptId).execute();
  await transaction
    .updateTable("deliveries")
    .set({
      state: "planned",
      reason,
      attempt_id: null,
      planned_at_ms: atMs,
      sent_at_ms: null,
      mined_at_ms: null,
      final_at_ms: null,
      updated_at_ms: atMs,
    })
    .where("attempt_id", "=", attemptId)
    .execute();
}

/**
 * Undoes what a block did to an attempt's updates: no outcome, and held again, except for those that another attempt has
 * taken up in between, which settles them.
 */
export async function takeBack(
  transaction: Transaction<JournalTables>,
  attemptId: bigint,
  atMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("attempt_updates")
    .set({ outcome: null, reason: null })
    .where("attempt_id", "=", attemptId)
    .execute();
  await transaction
    .updateTable("attempt_updates")
    .set({ is_held: 1n })
    .where("attempt_id", "=", attemptId)
    .where("is_held", "=", 0n)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attempt_updates as other")
            .select("other.attempt_id")
            .whereRef("other.target_id", "=", "attempt_updates.target_id")
            .whereRef("other.price_id", "=", "attempt_updates.price_id")
            .where("other.is_held", "=", 1n),
        ),
      ),
    )
    .execute();
  const held = await transaction
    .selectFrom("attempt_updates")
    .select(["target_id", "price_id"])
    .where("attempt_id", "=", attemptId)
    .where("is_held", "=", 1n)
    .execute();
  const [first] = held;
  if (!first) return;
  for (const chunk of inChunks(held)) {
    await transaction
      .updateTable("deliveries")
      .set({
        state: "planned",
        reason: "the block with its transaction was reorganised away",
        attempt_id: attemptId,
        planned_at_ms: atMs,
        mined_at_ms: null,
        final_at_ms: null,
        updated_at_ms: atMs,
      })
      .where("target_id", "=", first.target_id)
      .where(
        "price_id",
        "in",
        chunk.map(({ price_id }) => price_id),
      )
      .execute();
  }
}
