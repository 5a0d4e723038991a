import { sql } from "kysely";
import type { JournalMigration } from "./migration.ts";

/** The first version of the journal. */
export const journalMigration0001: JournalMigration = {
  name: "0001_journal",
  async up(db, { integer, bytes, decimal }) {
    const isSqlite = integer === "integer";
    /** SQLite checks the types of columns only where it is told to. */
    const table = (name: string) => {
      const builder = db.schema.createTable(name);
      return isSqlite ? builder.modifyEnd(sql`strict`) : builder;
    };
    /** With a number that counts up and is never given twice, not even after the newest row is gone. */
    const numbered = (name: string) =>
      table(name).addColumn("id", integer, (column) =>
        isSqlite ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
      );

    await numbered("public_keys")
      .addColumn("public_key", "text", (column) => column.notNull().unique())
      .execute();

    await numbered("prices")
      .addColumn("feed_id", integer, (column) => column.notNull())
      .addColumn("day", integer, (column) => column.notNull())
      .addColumn("price", integer, (column) => column.notNull())
      .addColumn("publish_time_ms", integer, (column) => column.notNull())
      .addColumn("expiry_ms", integer, (column) => column.notNull())
      .addColumn("public_key_id", integer, (column) => column.notNull().references("public_keys.id"))
      .addColumn("message_bytes", bytes, (column) => column.notNull())
      .addColumn("signature", bytes, (column) => column.notNull())
      .addColumn("x_of_r", bytes, (column) => column.notNull())
      .addColumn("received_at_ms", integer, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("prices_identity")
      .unique()
      .on("prices")
      .columns(["feed_id", "publish_time_ms", "price"])
      .execute();
    await db.schema.createIndex("prices_expiry").on("prices").column("expiry_ms").execute();
    await db.schema.createIndex("prices_day").on("prices").column("day").execute();

    await table("editions")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("day", integer, (column) => column.notNull())
      .addColumn("first_seen_ms", integer, (column) => column.notNull())
      .addColumn("publish_time_ms", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("editions_key", ["kind", "day"])
      .execute();

    await numbered("refusals")
      .addColumn("identity", bytes, (column) => column.notNull().unique())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("market_id", integer)
      .addColumn("feed_id", integer)
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("message_bytes", bytes)
      .addColumn("signature", bytes)
      .addColumn("first_received_ms", integer, (column) => column.notNull())
      .addColumn("last_received_ms", integer, (column) => column.notNull())
      .addColumn("times", integer, (column) => column.notNull())
      .execute();
    await db.schema.createIndex("refusals_last_received").on("refusals").column("last_received_ms").execute();

    await numbered("targets")
      .addColumn("chain_id", integer, (column) => column.notNull())
      .addColumn("oracle", "text", (column) => column.notNull())
      .addUniqueConstraint("targets_place", ["chain_id", "oracle"])
      .execute();

    await numbered("attempts")
      .addColumn("target_id", integer, (column) => column.notNull().references("targets.id"))
      .addColumn("chain_id", integer, (column) => column.notNull())
      .addColumn("sender", "text", (column) => column.notNull())
      .addColumn("nonce", integer, (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("gas_limit", integer, (column) => column.notNull())
      .addColumn("opened_at_ms", integer, (column) => column.notNull())
      .addColumn("mined_hash", "text")
      .addColumn("block_number", integer)
      .addColumn("block_hash", "text")
      .addColumn("succeeded", integer)
      .addColumn("gas_used", integer)
      .addColumn("effective_gas_price", "text")
      .addColumn("mined_at_ms", integer)
      .execute();
    // Of two processes that sign with one nonce, the second is refused here.
    await db.schema
      .createIndex("attempts_nonce")
      .unique()
      .on("attempts")
      .columns(["chain_id", "sender", "nonce"])
      .where(sql.ref("state"), "<>", "displaced")
      .execute();
    await db.schema.createIndex("attempts_state").on("attempts").columns(["chain_id", "sender", "state"]).execute();
    await db.schema
      .createIndex("attempts_mined_at")
      .on("attempts")
      .columns(["chain_id", "sender", "mined_at_ms"])
      .execute();

    await table("attempt_transactions")
      .addColumn("attempt_id", integer, (column) => column.notNull().references("attempts.id").onDelete("cascade"))
      .addColumn("position", integer, (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("raw_transaction", bytes, (column) => column.notNull())
      .addColumn("carries_updates", integer, (column) => column.notNull())
      .addColumn("max_fee_per_gas", "text", (column) => column.notNull())
      .addColumn("max_priority_fee_per_gas", "text", (column) => column.notNull())
      .addColumn("host", "text", (column) => column.notNull())
      .addColumn("signed_at_ms", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("attempt_transactions_key", ["attempt_id", "position"])
      .execute();

    await table("attempt_updates")
      .addColumn("attempt_id", integer, (column) => column.notNull().references("attempts.id").onDelete("cascade"))
      .addColumn("position", integer, (column) => column.notNull())
      .addColumn("target_id", integer, (column) => column.notNull().references("targets.id"))
      .addColumn("feed_id", integer, (column) => column.notNull())
      .addColumn("day", integer, (column) => column.notNull())
      .addColumn("price_id", integer, (column) => column.notNull().references("prices.id"))
      .addColumn("is_held", integer, (column) => column.notNull())
      .addColumn("outcome", "text")
      .addColumn("reason", "text")
      .addPrimaryKeyConstraint("attempt_updates_key", ["attempt_id", "position"])
      .execute();
    // Of two processes that send the same price to the same oracle, the second is refused here.
    await db.schema
      .createIndex("attempt_updates_held")
      .unique()
      .on("attempt_updates")
      .columns(["target_id", "price_id"])
      .where(sql.ref("is_held"), "=", 1)
      .execute();
    await db.schema.createIndex("attempt_updates_price").on("attempt_updates").column("price_id").execute();

    await table("deliveries")
      .addColumn("target_id", integer, (column) => column.notNull().references("targets.id"))
      .addColumn("feed_id", integer, (column) => column.notNull())
      .addColumn("day", integer, (column) => column.notNull())
      .addColumn("price_id", integer, (column) => column.notNull().references("prices.id"))
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("reason", "text")
      .addColumn("attempt_id", integer, (column) => column.references("attempts.id"))
      .addColumn("planned_at_ms", integer)
      .addColumn("sent_at_ms", integer)
      .addColumn("mined_at_ms", integer)
      .addColumn("final_at_ms", integer)
      .addColumn("updated_at_ms", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("deliveries_key", ["target_id", "feed_id", "day"])
      .execute();
    await db.schema.createIndex("deliveries_state").on("deliveries").columns(["state", "target_id"]).execute();
    await db.schema.createIndex("deliveries_target_day").on("deliveries").columns(["target_id", "day"]).execute();
    await db.schema.createIndex("deliveries_day").on("deliveries").column("day").execute();
    await db.schema.createIndex("deliveries_price").on("deliveries").columns(["price_id", "target_id"]).execute();
    await db.schema.createIndex("deliveries_attempt").on("deliveries").column("attempt_id").execute();

    await table("alerts")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("severity", "text", (column) => column.notNull())
      .addColumn("message", "text", (column) => column.notNull())
      .addColumn("since_ms", integer, (column) => column.notNull())
      .addColumn("told_at_ms", integer)
      .execute();

    await table("credits")
      .addColumn("month", "text", (column) => column.primaryKey())
      .addColumn("used", decimal, (column) => column.notNull())
      .execute();
  },
};
