import { firstDayOfMonth, monthOfDay } from "./calendarPeriods.ts";
import { itemAt } from "./itemAt.ts";
import type { MarketProfile } from "./marketProfile.ts";
import { OWNER_CLASSES, type OwnerClass, PROPERTY_TYPES, type PropertyType } from "./segments.ts";

/** Kinds of events that are counted. Sales are arm's-length, other transfers are not: together they are all transfers. */
const FLOW_KINDS = ["sales", "otherTransfers", "newListingsForSale", "newRentalListings"] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/** Events of one kind, of homes of one type, in which owners of one class take part. */
type Flow = { readonly kind: FlowKind; readonly type: PropertyType; readonly owner: OwnerClass };

/** Share of the stock that has an event of the kind in an average month. */
const MONTHLY_RATES: Readonly<Record<FlowKind, number>> = {
  sales: 0.0034,
  otherTransfers: 0.0017,
  newListingsForSale: 0.0042,
  newRentalListings: 0.0023,
};

/** How much more often than its homes are many an owner class appears in a kind of event. */
const ACTIVITY: Readonly<Record<FlowKind, Readonly<Record<OwnerClass, number>>>> = {
  sales: activity(0.95, 1.1, 1.2, 1.4, 1.3, 1.2),
  otherTransfers: activity(1, 1, 1, 0.7, 0.8, 0.9),
  newListingsForSale: activity(0.97, 1, 1.1, 1.2, 1.3, 1.3),
  newRentalListings: activity(0.3, 2.2, 1.8, 3, 4.5, 8),
};

/** How busy each month of the year is, in thousandths of an average month, January first. */
const SEASONS: Readonly<Record<FlowKind, readonly number[]>> = {
  sales: [760, 770, 960, 1020, 1120, 1190, 1160, 1150, 1030, 1010, 920, 910],
  otherTransfers: [940, 930, 1010, 1000, 1010, 1010, 1000, 1020, 1000, 1030, 1000, 1050],
  newListingsForSale: [850, 920, 1090, 1150, 1190, 1150, 1080, 1040, 1000, 960, 820, 750],
  newRentalListings: [920, 900, 970, 1010, 1080, 1130, 1140, 1120, 1010, 970, 890, 860],
};

/** How busy each year is, in percent, from 2009 on; the last one counts for all later ones. */
const FIRST_YEAR = 2009;
const YEARS: Readonly<Record<FlowKind, readonly number[]>> = {
  sales: [84, 82, 84, 91, 98, 97, 103, 108, 109, 106, 106, 112, 122, 100, 82, 81, 82, 84],
  otherTransfers: [104, 104, 102, 102, 101, 100, 100, 99, 98, 98, 98, 99, 102, 100, 97, 97, 98, 98],
  newListingsForSale: [120, 118, 112, 108, 108, 108, 108, 107, 107, 107, 106, 103, 106, 100, 88, 94, 98, 100],
  newRentalListings: [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 102, 105, 107, 108],
};

/** Months since 1970 of January 2009, where counting starts. */
const FIRST_MONTH = (FIRST_YEAR - 1970) * 12;
const MONTHS_TABULATED = 200 * 12;

/** For each month the events of all months before it, in average months. */
const MONTHS_BEFORE: Readonly<Record<FlowKind, Float64Array>> = {
  sales: cumulatedMonths("sales"),
  otherTransfers: cumulatedMonths("otherTransfers"),
  newListingsForSale: cumulatedMonths("newListingsForSale"),
  newRentalListings: cumulatedMonths("newRentalListings"),
};

/**
 * Bounds of what chance adds, in average months of events. The least busy month brings at least 0.6 of one, a week 0.13;
 * monthly chance takes at most 2 · 0.14 a month, 0.065 a week, weekly chance at most 2 · 0.03. So counts never fall.
 */
const MOST_MONTHLY_CHANCE = 0.14;
const MOST_WEEKLY_CHANCE = 0.03;
const DAYS_PER_WEEK = 7;

/** Weeks of one flow lie within this many indexes of the random numbers; enough for 157 years. */
const INDEXES_PER_FLOW = 8_192;

/** Counts the events of a market. */
export type EventFlow = {
  /** How many events there were from `firstDay` to `lastDay`, both included. */
  count(flow: Flow, firstDay: number, lastDay: number): number;
};

/**
 * Every flow is a count that never falls: how many events there were since 2009, up to the start of a day. Counts over
 * any days are differences of it. So they add up: days to weeks and months, windows of 7 days lie within those of 30,
 * and owner classes and types make up the market.
 */
export function createEventFlow({ random, stock, ownership }: MarketProfile): EventFlow {
  const monthly = random.branch("events by month");
  const weekly = random.branch("events by week");

  const countBefore = ({ kind, type, owner }: Flow, day: number): number => {
    const share = type === "SINGLE_FAMILY" ? ownership[owner] : shareWithoutPortfolios(owner, ownership);
    const perMonth = stock[type] * MONTHLY_RATES[kind] * share * ACTIVITY[kind][owner];
    if (perMonth === 0) return 0;
    const index = flowIndex(kind, type, owner) * INDEXES_PER_FLOW;
    const month = monthOfDay(day);
    const firstDay = firstDayOfMonth(month);
    const fraction = (day - firstDay) / (firstDayOfMonth(month + 1) - firstDay);
    const position = month - FIRST_MONTH;
    const before = MONTHS_BEFORE[kind];
    // Chance weighs less where there are many events.
    const chance = Math.min(1, 0.1 + 3 / Math.sqrt(perMonth));
    const months =
      between(itemAt(before, position), itemAt(before, position + 1), fraction) +
      MOST_MONTHLY_CHANCE *
        chance *
        between(monthly.between(index + position, -1, 1), monthly.between(index + position + 1, -1, 1), fraction) +
      MOST_WEEKLY_CHANCE * chance * weeklyChance(index, day);
    // What is beyond whole events starts anywhere, or all small markets would have theirs on one day.
    return Math.floor(perMonth * months + monthly.uniform(index + INDEXES_PER_FLOW - 1));
  };

  const weeklyChance = (index: number, day: number): number => {
    const week = Math.floor(day / DAYS_PER_WEEK);
    const fraction = day / DAYS_PER_WEEK - week;
    return between(weekly.between(index + week, -1, 1), weekly.between(index + week + 1, -1, 1), fraction);
  };

  return {
    count: (flow, firstDay, lastDay) => countBefore(flow, lastDay + 1) - countBefore(flow, firstDay),
  };
}

/** Other types than single-family homes are in no portfolio: all their investors are `OTHER_INVESTOR`. */
function shareWithoutPortfolios(owner: OwnerClass, ownership: Readonly<Record<OwnerClass, number>>): number {
  if (owner === "NOT_INVESTOR") return ownership.NOT_INVESTOR;
  return owner === "OTHER_INVESTOR" ? 1 - ownership.NOT_INVESTOR : 0;
}

function flowIndex(kind: FlowKind, type: PropertyType, owner: OwnerClass): number {
  const kindAndType = FLOW_KINDS.indexOf(kind) * PROPERTY_TYPES.length + PROPERTY_TYPES.indexOf(type);
  return kindAndType * OWNER_CLASSES.length + OWNER_CLASSES.indexOf(owner);
}

function between(from: number, to: number, fraction: number): number {
  return from + (to - from) * fraction;
}

function activity(...values: readonly [number, number, number, number, number, number]): Record<OwnerClass, number> {
  const entries = OWNER_CLASSES.map((owner, index) => [owner, itemAt(values, index)] as const);
  return Object.fromEntries(entries) as Record<OwnerClass, number>;
}

function cumulatedMonths(kind: FlowKind): Float64Array {
  const years = YEARS[kind];
  const cumulated = new Float64Array(MONTHS_TABULATED + 1);
  // In whole parts of 100,000, so that the sums are exact.
  let sum = 0;
  for (let month = 0; month < MONTHS_TABULATED; month += 1) {
    const year = Math.min(Math.floor(month / 12), years.length - 1);
    sum += itemAt(SEASONS[kind], month % 12) * itemAt(years, year);
    cumulated[month + 1] = sum / 100_000;
  }
  return cumulated;
}
