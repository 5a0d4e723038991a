import { sql, type Transaction } from "kysely";
import { getAddress } from "viem";
import { attemptsById } from "./attemptRows.ts";
import { editionKey, loadDeliveries, putDeliveries, toDelivery } from "./deliveryRows.ts";
import { inChunks } from "./inChunks.ts";
import type { Delivery, HistoryEntry, HistoryQuery, Journal, Target } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";
import { plannedRow } from "./planRows.ts";
import { loadPrices } from "./receivedPrices.ts";
import type { JournalTables } from "./tables.ts";
import { findTarget, lockTarget, targetOf } from "./targets.ts";

type DeliveryMethods = Pick<
  Journal,
  "recordPlan" | "deliveriesIn" | "deliveriesSince" | "newestDeliveries" | "history"
>;

/** The part of the journal that says where each feed's edition stands. */
export function createDeliveries(session: JournalSession): DeliveryMethods {
  const { read, write } = session;

  /**
   * Reads deliveries of a target, of which there may be none, by feed and date. They are sorted here: for the order alone,
   * SQLite would go through all deliveries of the target.
   */
  const ofTarget = (
    target: Target,
    find: (transaction: Transaction<JournalTables>, targetId: bigint) => Promise<Parameters<typeof toDelivery>[0][]>,
  ): Promise<Delivery[]> =>
    read(async (transaction) => {
      const targetId = await findTarget(transaction, target);
      if (targetId === undefined) return [];
      const canonical = { chainId: target.chainId, oracle: getAddress(target.oracle) };
      return (await find(transaction, targetId)).map((row) => toDelivery(row, canonical)).toSorted(byFeedAndDay);
    });

  return {
    async recordPlan(target, planned, atMs) {
      if (planned.length === 0) return;
      // Of two words on one edition the later one counts.
      const plans = [...new Map(planned.map((plan) => [editionKey(plan), plan])).values()];
      await write(async (transaction) => {
        const targetId = await lockTarget(session, transaction, target);
        for (const chunk of inChunks(plans)) {
          const before = await loadDeliveries(transaction, targetId, chunk);
          const held = await heldPrices(
            transaction,
            targetId,
            chunk.map(({ priceId }) => priceId),
          );
          const rows = chunk.flatMap(
            (plan) => plannedRow(targetId, plan, before.get(editionKey(plan)), held.has(plan.priceId), atMs) ?? [],
          );
          await putDeliveries(transaction, rows);
        }
      });
    },

    async deliveriesIn(target, states) {
      if (states.length === 0) return [];
      return ofTarget(target, (transaction, targetId) =>
        transaction
          .selectFrom("deliveries")
          .selectAll()
          .where("target_id", "=", targetId)
          .where("state", "in", states)
          .execute(),
      );
    },

    deliveriesSince: (target, fromDay) =>
      ofTarget(target, (transaction, targetId) =>
        transaction
          .selectFrom("deliveries")
          .selectAll()
          .where("target_id", "=", targetId)
          .where("day", ">=", BigInt(fromDay))
          .execute(),
      ),

    newestDeliveries: (target) =>
      ofTarget(target, (transaction, targetId) =>
        transaction
          .selectFrom("deliveries")
          .innerJoin(
            (query) =>
              query
                .selectFrom("deliveries")
                .select(({ fn }) => ["feed_id", fn.max("day").as("day")])
                .where("target_id", "=", targetId)
                .groupBy("feed_id")
                .as("newest"),
            (join) =>
              join.onRef("newest.feed_id", "=", "deliveries.feed_id").onRef("newest.day", "=", "deliveries.day"),
          )
          .selectAll("deliveries")
          .where("deliveries.target_id", "=", targetId)
          .execute(),
      ),

    history: (query) => read((transaction) => selectHistory(transaction, query)),
  };
}

function byFeedAndDay(a: Delivery, b: Delivery): number {
  if (a.feedId === b.feedId) return a.day - b.day;
  return a.feedId < b.feedId ? -1 : 1;
}

/** Which of these prices are held by an attempt of the target. */
async function heldPrices(
  transaction: Transaction<JournalTables>,
  targetId: bigint,
  priceIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const rows = await transaction
    .selectFrom("attempt_updates")
    .select("price_id")
    .where("target_id", "=", targetId)
    .where("is_held", "=", sql.lit(1n))
    .where("price_id", "in", priceIds)
    .execute();
  return new Set(rows.map(({ price_id }) => price_id));
}

async function selectHistory(
  transaction: Transaction<JournalTables>,
  { chainId, feedId, fromFeedId, toFeedId, fromDay, toDay, states, limit }: HistoryQuery,
): Promise<HistoryEntry[]> {
  let query = transaction
    .selectFrom("deliveries")
    .innerJoin("targets", "targets.id", "deliveries.target_id")
    .selectAll("deliveries")
    .select(["targets.chain_id", "targets.oracle"]);
  if (chainId !== undefined) query = query.where("targets.chain_id", "=", BigInt(chainId));
  if (feedId !== undefined) query = query.where("deliveries.feed_id", "=", feedId);
  if (fromFeedId !== undefined) query = query.where("deliveries.feed_id", ">=", fromFeedId);
  if (toFeedId !== undefined) query = query.where("deliveries.feed_id", "<=", toFeedId);
  if (fromDay !== undefined) query = query.where("deliveries.day", ">=", BigInt(fromDay));
  if (toDay !== undefined) query = query.where("deliveries.day", "<=", BigInt(toDay));
  if (states !== undefined) query = query.where("deliveries.state", "in", [...states]);
  const rows = await query
    .orderBy("deliveries.day", "desc")
    .orderBy("deliveries.feed_id")
    .orderBy("targets.chain_id")
    .orderBy("targets.id")
    .limit(BigInt(limit))
    .execute();
  const prices = await loadPrices(
    transaction,
    rows.map(({ price_id }) => price_id),
  );
  const attempts = await attemptsById(
    transaction,
    rows.flatMap(({ attempt_id }) => attempt_id ?? []),
  );
  return rows.map((row) => {
    const price = prices.get(row.price_id);
    if (!price) throw new RangeError(`price ${row.price_id} is not in the journal`);
    const attempt = row.attempt_id === null ? undefined : attempts.get(row.attempt_id);
    return { delivery: toDelivery(row, targetOf(row)), price, attempt };
  });
}
