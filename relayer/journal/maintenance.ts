import type { Transaction } from "kysely";
import { startOfDayMs } from "../message/calendarDate.ts";
import type { Journal } from "./journal.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import type { JournalSession } from "./journalSession.ts";
import type { JournalTables } from "./tables.ts";
import { lockTargetNumbered } from "./targets.ts";

/** The part of the journal that keeps it from growing for ever. */
export function createMaintenance(
  session: JournalSession,
  { bytesOnDisk }: JournalDatabase,
): Pick<Journal, "prune" | "forgetChain" | "size"> {
  const { read, write } = session;
  return {
    prune: (beforeDay) =>
      write(async (transaction) => {
        const targets = await transaction.selectFrom("targets").select("id").orderBy("id").execute();
        for (const { id } of targets) await lockTargetNumbered(session, transaction, id);
        await pruneDeliveries(transaction, beforeDay);
        await pruneAttempts(transaction, beforeDay);
        await transaction.deleteFrom("refusals").where("last_received_ms", "<", startOfDayMs(beforeDay)).execute();
        return { prices: await prunePrices(transaction, beforeDay) };
      }),

    forgetChain: (chainId) =>
      write(async (transaction) => {
        const targets = await transaction
          .selectFrom("targets")
          .select("id")
          .where("chain_id", "=", BigInt(chainId))
          .orderBy("id")
          .execute();
        for (const { id } of targets) {
          await lockTargetNumbered(session, transaction, id);
          await transaction.deleteFrom("deliveries").where("target_id", "=", id).execute();
          await transaction.deleteFrom("attempts").where("target_id", "=", id).execute();
        }
      }),

    async size() {
      const held = await read((transaction) =>
        transaction
          .selectFrom("prices")
          .select((price) => [price.fn.countAll<bigint>().as("count"), price.fn.min("day").as("oldest")])
          .executeTakeFirstOrThrow(),
      );
      // Without a row there is no oldest, which the type of min() does not say.
      const oldest = held.oldest as bigint | null;
      return {
        bytes: await bytesOnDisk(),
        prices: Number(held.count),
        oldestDay: oldest === null ? undefined : Number(oldest),
      };
    },
  };
}

async function pruneDeliveries(transaction: Transaction<JournalTables>, beforeDay: number): Promise<void> {
  await transaction
    .deleteFrom("deliveries")
    .where("day", "<", BigInt(beforeDay))
    .where(({ not, exists, selectFrom, and, eb }) =>
      and([
        not(
          exists(
            selectFrom("attempts")
              .select("attempts.id")
              .whereRef("attempts.id", "=", "deliveries.attempt_id")
              .where("attempts.state", "in", ["sent", "mined"]),
          ),
        ),
        not(
          and([
            eb("deliveries.state", "in", ["planned", "waiting"]),
            exists(
              selectFrom("prices")
                .select("prices.id")
                .whereRef("prices.id", "=", "deliveries.price_id")
                .where("prices.expiry_ms", ">=", startOfDayMs(beforeDay)),
            ),
          ]),
        ),
      ]),
    )
    .execute();
}

/** Attempts that are settled for good, of whose updates none is of that date or later. */
async function pruneAttempts(transaction: Transaction<JournalTables>, beforeDay: number): Promise<void> {
  await transaction
    .deleteFrom("attempts")
    .where("state", "in", ["final", "displaced"])
    .where("opened_at_ms", "<", startOfDayMs(beforeDay))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attempt_updates")
            .select("attempt_updates.attempt_id")
            .whereRef("attempt_updates.attempt_id", "=", "attempts.id")
            .where("attempt_updates.day", ">=", BigInt(beforeDay)),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries")
            .select("deliveries.attempt_id")
            .whereRef("deliveries.attempt_id", "=", "attempts.id"),
        ),
      ),
    )
    .execute();
}

async function prunePrices(transaction: Transaction<JournalTables>, beforeDay: number): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom("prices")
    .where("day", "<", BigInt(beforeDay))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries").select("deliveries.price_id").whereRef("deliveries.price_id", "=", "prices.id"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attempt_updates")
            .select("attempt_updates.price_id")
            .whereRef("attempt_updates.price_id", "=", "prices.id"),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
