import type { Selectable, Transaction } from "kysely";
import { inChunks } from "./inChunks.ts";
import type { Delivery, Target } from "./journal.ts";
import type { DeliveryTable, JournalTables } from "./tables.ts";

export type DeliveryRow = Selectable<DeliveryTable>;

export function toDelivery(row: DeliveryRow, target: Target): Delivery {
  return {
    target,
    feedId: row.feed_id,
    day: Number(row.day),
    priceId: row.price_id,
    state: row.state,
    reason: row.reason ?? undefined,
    attemptId: row.attempt_id ?? undefined,
    plannedAtMs: row.planned_at_ms ?? undefined,
    sentAtMs: row.sent_at_ms ?? undefined,
    minedAtMs: row.mined_at_ms ?? undefined,
    finalAtMs: row.final_at_ms ?? undefined,
    updatedAtMs: row.updated_at_ms,
  };
}

/** A feed's edition: what a delivery of a target is found by. */
export type EditionOfFeed = { readonly feedId: bigint; readonly day: number };

export function editionKey({ feedId, day }: EditionOfFeed): string {
  return `${feedId} ${day}`;
}

/** The deliveries of some editions, by {@link editionKey}. */
export async function loadDeliveries(
  transaction: Transaction<JournalTables>,
  targetId: bigint,
  editions: readonly EditionOfFeed[],
): Promise<ReadonlyMap<string, DeliveryRow>> {
  const found = new Map<string, DeliveryRow>();
  for (const [day, group] of Map.groupBy(editions, (edition) => edition.day)) {
    for (const chunk of inChunks(group)) {
      const rows = await transaction
        .selectFrom("deliveries")
        .selectAll()
        .where("target_id", "=", targetId)
        .where("day", "=", BigInt(day))
        .where(
          "feed_id",
          "in",
          chunk.map(({ feedId }) => feedId),
        )
        .execute();
      for (const row of rows) found.set(editionKey({ feedId: row.feed_id, day }), row);
    }
  }
  return found;
}

/** Writes deliveries as they are now, in the place of what was there. */
export async function putDeliveries(
  transaction: Transaction<JournalTables>,
  rows: readonly DeliveryRow[],
): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await transaction
      .insertInto("deliveries")
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(["target_id", "feed_id", "day"]).doUpdateSet((row) => ({
          price_id: row.ref("excluded.price_id"),
          state: row.ref("excluded.state"),
          reason: row.ref("excluded.reason"),
          attempt_id: row.ref("excluded.attempt_id"),
          planned_at_ms: row.ref("excluded.planned_at_ms"),
          sent_at_ms: row.ref("excluded.sent_at_ms"),
          mined_at_ms: row.ref("excluded.mined_at_ms"),
          final_at_ms: row.ref("excluded.final_at_ms"),
          updated_at_ms: row.ref("excluded.updated_at_ms"),
        })),
      )
      .execute();
  }
}
