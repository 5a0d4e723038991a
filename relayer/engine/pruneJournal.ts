import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import { dateOfDay } from "../message/calendarDate.ts";

const MS_PER_DAY = 86_400_000n;

export type Retention = {
  readonly journal: Pick<Journal, "prune">;
  /** Days for which prices stay; 0: for ever. */
  readonly archiveDays: number;
  readonly nowMs: () => bigint;
  readonly log: Logger;
};

/** Removes what is older than the journal is to reach back. */
export async function pruneJournal({ journal, archiveDays, nowMs, log }: Retention): Promise<void> {
  if (archiveDays === 0) return;
  const beforeDay = Number(nowMs() / MS_PER_DAY) - archiveDays;
  const { prices } = await journal.prune(beforeDay);
  if (prices > 0) log.info({ prices, before: dateOfDay(beforeDay) }, "removed old prices from the journal");
}
