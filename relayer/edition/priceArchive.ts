import type { ArchivedPrice, Journal } from "../journal/journal.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import type { SignedPrice } from "../message/signedPrice.ts";
import type { RevisedPrice } from "./collectionReport.ts";

/** Days that are looked back over for a market that is missing. */
const LOOK_BACK_DAYS = 7;

type Held = Pick<ArchivedPrice, "price" | "publishTimeMs">;

/** What the journal held before anything new was asked for. Reads each day once. */
export class PriceArchive {
  readonly #journal: Pick<Journal, "pricesOn">;
  readonly #days = new Map<number, ReadonlyMap<bigint, readonly Held[]>>();

  constructor(journal: Pick<Journal, "pricesOn">) {
    this.#journal = journal;
  }

  /** The prices held for a date by feed, oldest publish time first. */
  async on(day: number): Promise<ReadonlyMap<bigint, readonly Held[]>> {
    const known = this.#days.get(day);
    if (known) return known;
    const byFeed = new Map<bigint, Held[]>();
    for (const { feedId, price, publishTimeMs } of await this.#journal.pricesOn(day)) {
      const held = byFeed.get(feedId);
      if (held) held.push({ price, publishTimeMs });
      else byFeed.set(feedId, [{ price, publishTimeMs }]);
    }
    this.#days.set(day, byFeed);
    return byFeed;
  }

  /** Of each feed, the last day before another on which it had a price, if that was in the last week. */
  async lastDays(feedIds: readonly bigint[], beforeDay: number): Promise<ReadonlyMap<bigint, number>> {
    const found = new Map<bigint, number>();
    for (let day = beforeDay - 1; day >= beforeDay - LOOK_BACK_DAYS && found.size < feedIds.length; day -= 1) {
      const held = await this.on(day);
      for (const feedId of feedIds) if (!found.has(feedId) && held.has(feedId)) found.set(feedId, day);
    }
    return found;
  }

  /** What the journal did not hold, and which of it revises what it held. */
  async compare(prices: readonly SignedPrice[]): Promise<{ newPrices: number; revisions: RevisedPrice[] }> {
    let newPrices = 0;
    const revisions: RevisedPrice[] = [];
    for (const { feedId, message } of prices) {
      const { day, price, publishTimeMs } = message;
      const held = (await this.on(day)).get(feedId) ?? [];
      if (!held.some((each) => each.publishTimeMs === publishTimeMs && each.price === price)) newPrices += 1;
      const last = held.at(-1);
      if (last && last.publishTimeMs < publishTimeMs && last.price !== price) {
        revisions.push({ feedId, date: dateOfDay(day), from: last.price, to: price });
      }
    }
    return { newPrices, revisions };
  }
}
