import type { CreditLedger } from "../service/creditBudget.ts";
import type { JournalSession } from "./journalSession.ts";

/**
 * Credits by month. Each entry is added to what is there in one step of the database, so that processes that write at the
 * same time do not lose each other's, and is on the disk when `add` returns: before its request is sent.
 */
export function createCredits({ read, write }: JournalSession): CreditLedger {
  return {
    usedIn: (month) =>
      read(async (transaction) => {
        const row = await transaction
          .selectFrom("credits")
          .select("used")
          .where("month", "=", month)
          .executeTakeFirst();
        return row?.used ?? 0;
      }),

    add: (month, credits) =>
      write(async (transaction) => {
        await transaction
          .insertInto("credits")
          .values({ month, used: credits })
          .onConflict((conflict) =>
            conflict
              .column("month")
              .doUpdateSet((row) => ({ used: row("credits.used", "+", row.ref("excluded.used")) })),
          )
          .execute();
      }),
  };
}
