import type { Configuration } from "../configuration/configurationSchema.ts";
import type { Journal } from "../journal/journal.ts";
import type { CreditLedger } from "../service/creditBudget.ts";

/**
 * Credits by month in the configured store, which is opened for each entry only: commands that ask for data have nothing
 * else to do with it.
 */
export function configuredLedger(configuration: Pick<Configuration, "store">): CreditLedger {
  const withCredits = async <Result>(use: (credits: Journal["credits"]) => Promise<Result>): Promise<Result> => {
    // Loaded only here, because most calls have no budget of a month.
    const [{ openJournal }, { journalPath }] = await Promise.all([
      import("../journal/openJournal.ts"),
      import("../journal/journalPath.ts"),
    ]);
    const journal = await openJournal(journalPath(configuration));
    try {
      return await use(journal.credits);
    } finally {
      await journal.close();
    }
  };
  return {
    usedIn: (month) => withCredits((credits) => credits.usedIn(month)),
    add: (month, amount) => withCredits((credits) => credits.add(month, amount)),
  };
}
