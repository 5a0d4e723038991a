import type { Transaction } from "kysely";
import type { SignedPrice } from "../message/signedPrice.ts";
import { inChunks } from "./inChunks.ts";
import type { ArchivedPrice, Journal } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";
import { toArchivedPrice, toPriceRow } from "./priceRows.ts";
import type { JournalTables } from "./tables.ts";

type ReceivedMethods = Pick<
  Journal,
  "recordReceived" | "unexpiredPrices" | "pricesById" | "pricesOn" | "newestEdition" | "editionDaysSince"
>;

/** The part of the journal that archives prices. */
export function createReceivedPrices({ read, write }: JournalSession): ReceivedMethods {
  return {
    async recordReceived(prices, receivedAtMs) {
      if (prices.length === 0) return;
      await write(async (transaction) => {
        const keyIds = await numberKeys(transaction, prices);
        // In one order everywhere, so that two processes that archive the same cannot wait for each other.
        const sorted = prices.toSorted(byIdentity);
        for (const chunk of inChunks(sorted)) {
          await transaction
            .insertInto("prices")
            .values(chunk.map((price) => toPriceRow(price, keyIds.get(price.publicKey.hex) ?? 0n, receivedAtMs)))
            .onConflict((conflict) => conflict.columns(["feed_id", "publish_time_ms", "price"]).doNothing())
            .execute();
        }
        await openEditions(transaction, prices, receivedAtMs);
      });
    },

    unexpiredPrices: (nowMs) =>
      read(async (transaction) => {
        const rows = await selectPrices(transaction).where("prices.expiry_ms", ">", nowMs).execute();
        // Sorted here: for the order alone, SQLite would go through all prices there are.
        return rows
          .map(toArchivedPrice)
          .toSorted(
            (a, b) => compare(a.feedId, b.feedId) || compare(a.publishTimeMs, b.publishTimeMs) || compare(a.id, b.id),
          );
      }),

    async pricesById(ids) {
      if (ids.length === 0) return [];
      return read(async (transaction) => {
        const found = await loadPrices(transaction, ids);
        return ids.flatMap((id) => found.get(id) ?? []);
      });
    },

    pricesOn: (day) =>
      read(async (transaction) =>
        (
          await selectPrices(transaction)
            .where("prices.day", "=", BigInt(day))
            .orderBy("prices.publish_time_ms")
            .orderBy("prices.id")
            .execute()
        ).map(toArchivedPrice),
      ),

    editionDaysSince: (kind, fromDay) =>
      read(async (transaction) => {
        const rows = await transaction
          .selectFrom("editions")
          .select("day")
          .where("kind", "=", kind)
          .where("day", ">=", BigInt(fromDay))
          .orderBy("day")
          .execute();
        return rows.map(({ day }) => Number(day));
      }),

    newestEdition: (kind) =>
      read(async (transaction) => {
        const row = await transaction
          .selectFrom("editions")
          .selectAll()
          .where("kind", "=", kind)
          .orderBy("day", "desc")
          .limit(1)
          .executeTakeFirst();
        return (
          row && {
            kind: row.kind,
            day: Number(row.day),
            firstSeenMs: row.first_seen_ms,
            publishTimeMs: row.publish_time_ms,
          }
        );
      }),
  };
}

/** Prices by their number. */
export async function loadPrices(
  transaction: Transaction<JournalTables>,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ArchivedPrice>> {
  const found = new Map<bigint, ArchivedPrice>();
  for (const chunk of inChunks([...new Set(ids)])) {
    const rows = await selectPrices(transaction).where("prices.id", "in", chunk).execute();
    for (const row of rows) found.set(row.id, toArchivedPrice(row));
  }
  return found;
}

function selectPrices(transaction: Transaction<JournalTables>) {
  return transaction
    .selectFrom("prices")
    .innerJoin("public_keys", "public_keys.id", "prices.public_key_id")
    .selectAll("prices")
    .select("public_keys.public_key");
}

async function numberKeys(
  transaction: Transaction<JournalTables>,
  prices: readonly SignedPrice[],
): Promise<ReadonlyMap<string, bigint>> {
  const keys = [...new Set(prices.map(({ publicKey }) => publicKey.hex))].toSorted();
  const find = () => transaction.selectFrom("public_keys").selectAll().where("public_key", "in", keys).execute();
  let found = await find();
  if (found.length < keys.length) {
    await transaction
      .insertInto("public_keys")
      .values(keys.map((public_key) => ({ public_key })))
      .onConflict((conflict) => conflict.column("public_key").doNothing())
      .execute();
    found = await find();
  }
  return new Map(found.map(({ id, public_key }) => [public_key, id]));
}

/** An edition is first seen with its first price, and published as early as the earliest of them. */
async function openEditions(
  transaction: Transaction<JournalTables>,
  prices: readonly SignedPrice[],
  receivedAtMs: bigint,
): Promise<void> {
  const editions = Map.groupBy(prices, ({ kind, message }) => `${kind} ${String(message.day).padStart(9, "0")}`);
  const rows = [...editions.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group;
      if (!first) return [];
      const [publishTimeMs = 0n] = group.map(({ message }) => message.publishTimeMs).toSorted(compare);
      return {
        kind: first.kind,
        day: BigInt(first.message.day),
        first_seen_ms: receivedAtMs,
        publish_time_ms: publishTimeMs,
      };
    });
  await transaction
    .insertInto("editions")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "day"])
        .doUpdateSet((row) => ({ publish_time_ms: row.ref("excluded.publish_time_ms") }))
        .whereRef("excluded.publish_time_ms", "<", "editions.publish_time_ms"),
    )
    .execute();
}

function byIdentity(a: SignedPrice, b: SignedPrice): number {
  return (
    compare(a.feedId, b.feedId) ||
    compare(a.message.publishTimeMs, b.message.publishTimeMs) ||
    compare(a.message.price, b.message.price)
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
