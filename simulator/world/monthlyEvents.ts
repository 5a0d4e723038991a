import { rememberedByType } from "./byType.ts";
import { firstDayOfMonth } from "./calendarPeriods.ts";
import { LISTINGS_START } from "./dataStarts.ts";
import type { FlowKind } from "./eventFlow.ts";
import { type DescribedEvents, indexOf } from "./eventPrices.ts";
import { countInMonth, type MarketModel } from "./marketModel.ts";
import type { PropertyType } from "./segments.ts";

/** Events that the market metrics describe, by the names that records have for them. */
export type EventKind = "sales" | "new_listings_for_sale" | "new_rental_listings";

export const EVENT_KINDS: readonly EventKind[] = ["sales", "new_listings_for_sale", "new_rental_listings"];

export const FLOW_OF_EVENTS: Readonly<Record<EventKind, FlowKind>> = {
  sales: "sales",
  new_listings_for_sale: "newListingsForSale",
  new_rental_listings: "newRentalListings",
};

/** Asking prices are a little above those of sales. */
const LISTING_PRICE_FACTOR = 1.03;

/** Whether the service has listings of a month (months since 1970). */
export function hasListings(month: number): boolean {
  return firstDayOfMonth(month) >= LISTINGS_START;
}

/** The events of a kind in a month of the whole market, for their prices and homes; none before their data begin. */
export function marketEvents(model: MarketModel, kind: EventKind, month: number): DescribedEvents {
  const isKnown = kind === "sales" || hasListings(month);
  return {
    random: model.chance(kind),
    feed: kind === "new_rental_listings" ? "rental" : "sales",
    priceFactor: kind === "new_listings_for_sale" ? LISTING_PRICE_FACTOR : 1,
    countOf: rememberedByType((type) => (isKnown ? countInMonth(model, FLOW_OF_EVENTS[kind], [type], month) : 0)),
  };
}

/** Share of the events of each kind whose homes are newly built. */
const NEW_CONSTRUCTION_SHARES: Readonly<Record<FlowKind, number>> = {
  sales: 0.11,
  otherTransfers: 0.02,
  newListingsForSale: 0.1,
  newRentalListings: 0.03,
};

/** How many of a month's events are of newly built homes. */
export function countNewConstruction(model: MarketModel, kind: FlowKind, type: PropertyType, month: number): number {
  const count = countInMonth(model, kind, [type], month);
  const share = NEW_CONSTRUCTION_SHARES[kind] * model.profile.random.between(40, 0.2, 1.8);
  return model.chance(`new construction ${kind}`).rounded(indexOf(type, month), count * share);
}
