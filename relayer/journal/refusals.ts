import { createHash } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import { toHex } from "./hexBytes.ts";
import { inChunks } from "./inChunks.ts";
import type { Journal, RefusalRecord, RefusedItem } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";
import { plainBytes } from "./priceRows.ts";
import type { JournalTables } from "./tables.ts";

const DAY_MS = 86_400_000n;

/** The part of the journal that remembers what was refused. */
export function createRefusals({ read, write }: JournalSession): Pick<Journal, "recordRefusals" | "refusalsOn"> {
  return {
    async recordRefusals(items, receivedAtMs) {
      if (items.length === 0) return;
      // Of what comes twice in one answer the later one stays, and it counts once: it is one answer.
      const rows = new Map(items.map((item) => toRow(item, receivedAtMs)).map((row) => [toHex(row.identity), row]));
      const sorted = [...rows.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      await write(async (transaction) => {
        for (const chunk of inChunks(sorted)) {
          await transaction
            .insertInto("refusals")
            .values(chunk)
            .onConflict((conflict) =>
              conflict
                .column("identity")
                .doUpdateSet((row) => ({
                  reason: row.ref("excluded.reason"),
                  last_received_ms: row.ref("excluded.last_received_ms"),
                  times: row("refusals.times", "+", 1n),
                }))
                // The same answer recorded again, by a process that did not know that it had.
                .whereRef("refusals.last_received_ms", "<", "excluded.last_received_ms"),
            )
            .execute();
        }
      });
    },

    refusalsOn: (fromMs, toMs) =>
      read(async (transaction) =>
        (
          await transaction
            .selectFrom("refusals")
            .selectAll()
            .where("last_received_ms", ">=", fromMs)
            .where("first_received_ms", "<", toMs)
            .orderBy("first_received_ms")
            .orderBy("id")
            .execute()
        ).map(toRecord),
      ),
  };
}

function toRow(item: RefusedItem, receivedAtMs: bigint): Insertable<JournalTables["refusals"]> {
  const { kind, marketId, feedId, code, reason, messageBytes, signature } = item;
  const texts = [kind, marketId ?? "", feedId ?? "", code, receivedAtMs / DAY_MS].join("\n");
  const identity = createHash("sha256")
    .update(texts)
    .update(`\n${messageBytes?.length ?? -1}\n`)
    .update(messageBytes ?? "")
    .update(signature ?? "")
    .digest();
  return {
    identity,
    kind,
    market_id: marketId ?? null,
    feed_id: feedId ?? null,
    code,
    reason,
    message_bytes: messageBytes ? Buffer.from(messageBytes) : null,
    signature: signature ? Buffer.from(signature) : null,
    first_received_ms: receivedAtMs,
    last_received_ms: receivedAtMs,
    times: 1n,
  };
}

function toRecord(row: Selectable<JournalTables["refusals"]>): RefusalRecord {
  return {
    kind: row.kind,
    marketId: row.market_id ?? undefined,
    feedId: row.feed_id ?? undefined,
    code: row.code,
    reason: row.reason,
    ...(row.message_bytes && { messageBytes: plainBytes(row.message_bytes) }),
    ...(row.signature && { signature: plainBytes(row.signature) }),
    firstReceivedMs: row.first_received_ms,
    lastReceivedMs: row.last_received_ms,
    times: Number(row.times),
  };
}
