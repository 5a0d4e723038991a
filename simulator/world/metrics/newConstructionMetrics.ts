import { rememberedByType } from "../byType.ts";
import { type DescribedEvents, perSquareFootStatistics, priceStatistics } from "../eventPrices.ts";
import type { MarketModel } from "../marketModel.ts";
import {
  countNewConstruction,
  EVENT_KINDS,
  type EventKind,
  FLOW_OF_EVENTS,
  hasListings,
  marketEvents,
} from "../monthlyEvents.ts";
import type { PropertyType } from "../segments.ts";
import type { HousingEventCounts } from "./marketMetrics.ts";

/** Medians only, as the service documents it. */
export type NewConstructionPrices = {
  readonly price: { readonly median: Readonly<Record<EventKind, number | null>> };
  readonly price_per_square_foot: { readonly median: Readonly<Record<EventKind, number | null>> };
};

/** New homes are dearer. */
const PRICE_FACTOR = 1.16;

export function newConstructionEventCounts(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): HousingEventCounts {
  const count = (kind: Parameters<typeof countNewConstruction>[1]) =>
    types.reduce((sum, type) => sum + countNewConstruction(model, kind, type, month), 0);
  const sales = count("sales");
  const isListed = hasListings(month);
  return {
    sales,
    new_listings_for_sale: isListed ? count("newListingsForSale") : null,
    new_rental_listings: isListed ? count("newRentalListings") : null,
    transfers: sales + count("otherTransfers"),
  };
}

export function newConstructionEventPrices(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): NewConstructionPrices {
  const described = EVENT_KINDS.map((kind) => [kind, newConstructionEvents(model, kind, month)] as const);
  const medians = (median: (events: DescribedEvents) => number | null) =>
    Object.fromEntries(described.map(([kind, events]) => [kind, median(events)])) as Record<EventKind, number | null>;
  return {
    price: { median: medians((events) => priceStatistics(model, events, types, month).median) },
    price_per_square_foot: { median: medians((events) => perSquareFootStatistics(model, events, types, month).median) },
  };
}

function newConstructionEvents(model: MarketModel, kind: EventKind, month: number): DescribedEvents {
  const { feed, priceFactor } = marketEvents(model, kind, month);
  const isKnown = kind === "sales" || hasListings(month);
  return {
    random: model.chance(`new construction ${kind}`),
    feed,
    priceFactor: priceFactor * PRICE_FACTOR,
    countOf: rememberedByType((type) => (isKnown ? countNewConstruction(model, FLOW_OF_EVENTS[kind], type, month) : 0)),
  };
}
