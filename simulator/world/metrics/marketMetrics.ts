import {
  type DescribedEvents,
  figureIndex,
  indexOf,
  perSquareFootStatistics,
  priceStatistics,
  type Quantity,
  type Statistics,
  spreadOf,
  statisticsOver,
  typicalSquareFeet,
} from "../eventPrices.ts";
import { countInMonth, type MarketModel, stockOf } from "../marketModel.ts";
import { EVENT_KINDS, type EventKind, hasListings, marketEvents } from "../monthlyEvents.ts";
import { percentage } from "../roundedQuotient.ts";
import type { PropertyType } from "../segments.ts";

/** How many sales and transfers were paid in cash; `null` of a month without any to pay. */
export type AllCash = {
  readonly count_sales: number | null;
  readonly pct_sales: number | null;
  readonly count_transfers: number | null;
  readonly pct_transfers: number | null;
};

/** Events of a month; listings are `null` before their data begin. */
export type HousingEventCounts = {
  readonly sales: number;
  readonly new_listings_for_sale: number | null;
  readonly new_rental_listings: number | null;
  readonly transfers: number;
};

/** Each statistic for each kind of event. */
export type StatisticsByKind = Readonly<Record<keyof Statistics, Readonly<Record<EventKind, number | null>>>>;

export type HousingEventPrices = {
  readonly price: StatisticsByKind;
  readonly price_per_square_foot: StatisticsByKind;
};

export type HousingEventPropertyAttributes = {
  readonly bedrooms: StatisticsByKind;
  readonly bathrooms: StatisticsByKind;
  readonly square_footage: StatisticsByKind;
  readonly year_built: StatisticsByKind;
};

export type HousingStock = {
  readonly single_family: number;
  readonly condo: number;
  readonly townhouse: number;
  readonly other: number;
  readonly all_properties: number;
};

export function allCash(model: MarketModel, month: number, types: readonly PropertyType[]): AllCash {
  let [sales, cashSales, transfers, cashTransfers] = [0, 0, 0, 0];
  for (const type of types) {
    const index = indexOf(type, month);
    const share = model.profile.random.between(50, 0.2, 0.42);
    const salesOfType = countInMonth(model, "sales", [type], month);
    const othersOfType = countInMonth(model, "otherTransfers", [type], month);
    const paidInCash = model.chance("cash sales").rounded(index, salesOfType * share);
    sales += salesOfType;
    transfers += salesOfType + othersOfType;
    cashSales += paidInCash;
    // Most transfers between relatives have no lender.
    cashTransfers += paidInCash + model.chance("cash transfers").rounded(index, othersOfType * 0.6);
  }
  return {
    count_sales: sales === 0 ? null : cashSales,
    pct_sales: percentage(cashSales, sales),
    count_transfers: transfers === 0 ? null : cashTransfers,
    pct_transfers: percentage(cashTransfers, transfers),
  };
}

export function housingEventCounts(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): HousingEventCounts {
  const sales = countInMonth(model, "sales", types, month);
  const isListed = hasListings(month);
  return {
    sales,
    new_listings_for_sale: isListed ? countInMonth(model, "newListingsForSale", types, month) : null,
    new_rental_listings: isListed ? countInMonth(model, "newRentalListings", types, month) : null,
    transfers: sales + countInMonth(model, "otherTransfers", types, month),
  };
}

export function housingEventPrices(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): HousingEventPrices {
  const events = eventsOf(model, month);
  return {
    price: byStatistic(events, (described) => priceStatistics(model, described, types, month)),
    price_per_square_foot: byStatistic(events, (described) => perSquareFootStatistics(model, described, types, month)),
  };
}

/**
 * What homes were like. The service's own shape of this record is not known: attributes are those of a property record,
 * nested like prices, attribute, then statistic, then kind of event.
 */
export function housingEventPropertyAttributes(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): HousingEventPropertyAttributes {
  const { profile } = model;
  const halves = (value: number) => Math.round(value * 2) / 2;
  const events = eventsOf(model, month);
  const over = (
    quantity: (type: PropertyType, described: DescribedEvents) => Omit<Quantity, "write">,
    write: Quantity["write"],
  ) =>
    byStatistic(events, (described) =>
      statisticsOver(described, types, (type) => ({ ...quantity(type, described), write })),
    );
  const builtAround = profile.random.integer(60, 1955, 1995);
  return {
    bedrooms: over((type) => ({ median: ROOMS[type].bedrooms, low: 0.67, high: 1.34 }), Math.round),
    bathrooms: over((type) => ({ median: ROOMS[type].bathrooms, low: 0.67, high: 1.25 }), halves),
    square_footage: over(
      (type, described) => ({
        median: typicalSquareFeet(model, described, type, month),
        ...spreadOf(described, type, month),
      }),
      Math.round,
    ),
    year_built: over((type, { random }) => {
      const median = builtAround + random.integer(figureIndex("age", type, month), -4, 4);
      return { median, low: (median - 24) / median, high: (median + 22) / median };
    }, Math.round),
  };
}

export function housingStock(model: MarketModel, month: number): HousingStock {
  const [single_family, condo, townhouse, other] = [
    stockOf(model, "SINGLE_FAMILY", month),
    stockOf(model, "CONDO", month),
    stockOf(model, "TOWNHOUSE", month),
    stockOf(model, "OTHER", month),
  ];
  return { single_family, condo, townhouse, other, all_properties: single_family + condo + townhouse + other };
}

const ROOMS: Readonly<Record<PropertyType, { readonly bedrooms: number; readonly bathrooms: number }>> = {
  SINGLE_FAMILY: { bedrooms: 3, bathrooms: 2 },
  CONDO: { bedrooms: 2, bathrooms: 1.5 },
  TOWNHOUSE: { bedrooms: 3, bathrooms: 2.5 },
  OTHER: { bedrooms: 2, bathrooms: 1.5 },
};

type EventsByKind = readonly (readonly [EventKind, DescribedEvents])[];

function eventsOf(model: MarketModel, month: number): EventsByKind {
  return EVENT_KINDS.map((kind) => [kind, marketEvents(model, kind, month)]);
}

function byStatistic(events: EventsByKind, statisticsOf: (described: DescribedEvents) => Statistics): StatisticsByKind {
  const kinds = events.map(([kind, described]) => [kind, statisticsOf(described)] as const);
  const pick = (statistic: keyof Statistics) =>
    Object.fromEntries(kinds.map(([kind, statistics]) => [kind, statistics[statistic]])) as Record<
      EventKind,
      number | null
    >;
  return {
    median: pick("median"),
    standard_deviation: pick("standard_deviation"),
    percentile_20th: pick("percentile_20th"),
    percentile_80th: pick("percentile_80th"),
  };
}
