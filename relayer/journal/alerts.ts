import type { Journal } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";

/** The part of the journal that remembers what people have been told. */
export function createAlerts({ read, write }: JournalSession): Pick<Journal, "alerts" | "putAlert" | "removeAlert"> {
  return {
    alerts: () =>
      read(async (transaction) => {
        const rows = await transaction.selectFrom("alerts").selectAll().orderBy("since_ms").orderBy("key").execute();
        return rows.map(({ key, kind, severity, message, since_ms, told_at_ms }) => ({
          key,
          kind,
          severity,
          message,
          sinceMs: since_ms,
          toldAtMs: told_at_ms ?? undefined,
        }));
      }),

    putAlert: ({ key, kind, severity, message, sinceMs, toldAtMs }) =>
      write(async (transaction) => {
        const values = { kind, severity, message, since_ms: sinceMs, told_at_ms: toldAtMs ?? null };
        await transaction
          .insertInto("alerts")
          .values({ key, ...values })
          .onConflict((conflict) => conflict.column("key").doUpdateSet(values))
          .execute();
      }),

    removeAlert: (key) =>
      write(async (transaction) => {
        await transaction.deleteFrom("alerts").where("key", "=", key).execute();
      }),
  };
}
