import type { RelayReport } from "./report.ts";
import { previousRunMs, type Schedule } from "./schedule.ts";

const HOUR_MS = 3_600_000;

/** The service publishes at "about" the time of the schedule: a little before is in time too. */
const EARLY_MS = HOUR_MS;

/** Started this long after the schedule, the daemon takes the newest edition for today's, whenever it was published. */
const LATE_START_MS = 12 * HOUR_MS;

/**
 * Whether the edition that is due has been published, told from the answers alone: dates are learnt from the service,
 * never computed. An edition is new when its date is later than the newest seen before. Right after a start nothing has
 * been seen, and the publish time has to tell: it belongs to the schedule's last instant unless it is well before it.
 */
export class EditionTracker {
  readonly #schedule: Schedule;
  /** Newest date of each kind, as of the end of the last pursuit, and the publish time that it was first seen with. */
  #newest: ReadonlyMap<string, { readonly date: string; readonly published: string }> = new Map();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Whether every kind in a report is of the edition that is due. */
  isThere(report: RelayReport): boolean {
    const kinds = new Set(report.feeds.map(({ kind }) => kind));
    return [...kinds].every((kind) => this.#isKindThere(report, kind));
  }

  /** Takes the dates of a report for the newest seen. */
  remember(report: RelayReport): void {
    const newest = new Map(this.#newest);
    for (const { kind } of report.feeds) {
      const date = newestOf(report, kind, "date");
      const published = newestOf(report, kind, "publishTime");
      if (date > (newest.get(kind)?.date ?? "")) newest.set(kind, { date, published });
    }
    this.#newest = newest;
  }

  #isKindThere(report: RelayReport, kind: string): boolean {
    const before = this.#newest.get(kind);
    const due = previousRunMs(this.#schedule);
    const isOfInstant = (published: string) =>
      due !== undefined && published !== "" && Date.parse(published) >= Number(due) - EARLY_MS;
    // Either something newer has come, or what was seen before was today's already, published early.
    if (before) return newestOf(report, kind, "date") > before.date || isOfInstant(before.published);
    if (due === undefined || Date.now() >= Number(due) + LATE_START_MS) return true;
    return isOfInstant(newestOf(report, kind, "publishTime"));
  }
}

/** The latest date or publish time of a kind, "" when none could be read. Both sort as text. */
function newestOf(report: RelayReport, kind: string, key: "date" | "publishTime"): string {
  const values = report.feeds.filter((feed) => feed.kind === kind).map((feed) => feed[key] ?? "");
  return values.toSorted().at(-1) ?? "";
}
