import { createAlerts } from "./alerts.ts";
import { createAttempts } from "./attempts.ts";
import { createCredits } from "./credits.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Journal } from "./journal.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import { openSession } from "./journalSession.ts";
import { createMaintenance } from "./maintenance.ts";
import { createReceivedPrices } from "./receivedPrices.ts";
import { createRefusals } from "./refusals.ts";

/** The journal in a database that is at this program's version. */
export function createSqlJournal(database: JournalDatabase): Journal {
  const session = openSession(database);
  return {
    description: database.description,
    ...createReceivedPrices(session),
    ...createRefusals(session),
    ...createDeliveries(session),
    ...createAttempts(session),
    ...createAlerts(session),
    credits: createCredits(session),
    ...createMaintenance(session, database),
    close: () => database.db.destroy(),
  };
}
