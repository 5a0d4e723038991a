import { rememberedByType } from "../byType.ts";
import { LISTINGS_START } from "../dataStarts.ts";
import { type DescribedEvents, perSquareFootStatistics, priceStatistics } from "../eventPrices.ts";
import { type InvestorEventCounts, investorEventCounts, ownedHomes } from "../investorActivity.ts";
import { type MarketModel, stockOf } from "../marketModel.ts";
import { type RollingCounts, rollingCounts, rollingPercentages } from "../rollingCounts.ts";
import { percentage, roundedQuotient } from "../roundedQuotient.ts";
import { INVESTOR_CLASSES, PROPERTY_TYPES, type PropertyType } from "../segments.ts";

export type HousingStockOwnership = { readonly count: number; readonly pct_ownership: number | null };

const INVESTOR_EVENT_KINDS = ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings"] as const;
type InvestorEventKind = (typeof INVESTOR_EVENT_KINDS)[number];

/** Medians only, as the service documents it. */
export type InvestorEventPrices = {
  readonly price: { readonly median: Readonly<Record<InvestorEventKind, number | null>> };
  readonly price_per_square_foot: { readonly median: Readonly<Record<InvestorEventKind, number | null>> };
};

/** `null` of a month without dispositions, 0 of one without acquisitions but with dispositions. */
export type PurchaseToSaleRatio = { readonly purchase_to_sale_ratio: number | null };

/** Counts, and their percentage of all new listings for sale in the market. */
export type InvestorListingsRollingCounts = {
  readonly count: RollingCounts;
  readonly pct_for_sale_market: RollingCounts;
};

/** How investors' prices compare with those of the market. */
const PRICE_FACTORS: Readonly<Record<InvestorEventKind, number>> = {
  acquisitions: 0.84,
  dispositions: 0.95,
  new_listings_for_sale: 0.97,
  new_rental_listings: 1.02,
};

export function investorHousingStockOwnership(model: MarketModel, month: number): HousingStockOwnership {
  const count = INVESTOR_CLASSES.reduce((sum, owner) => sum + ownedHomes(model, owner, month), 0);
  const stock = PROPERTY_TYPES.reduce((sum, type) => sum + stockOf(model, type, month), 0);
  return { count, pct_ownership: percentage(count, stock) };
}

export function investorHousingEventCounts(model: MarketModel, month: number): InvestorEventCounts {
  return investorEventCounts(model, month, PROPERTY_TYPES);
}

export function investorHousingEventPrices(model: MarketModel, month: number): InvestorEventPrices {
  const countsOf = rememberedByType((type) => investorEventCounts(model, month, [type]));
  const medians = (median: (events: DescribedEvents) => number | null) =>
    Object.fromEntries(
      INVESTOR_EVENT_KINDS.map((kind) => [
        kind,
        median(investorEvents(model, kind, (type) => countsOf(type)[kind] ?? 0)),
      ]),
    ) as Record<InvestorEventKind, number | null>;
  return {
    price: { median: medians((events) => priceStatistics(model, events, PROPERTY_TYPES, month).median) },
    price_per_square_foot: {
      median: medians((events) => perSquareFootStatistics(model, events, PROPERTY_TYPES, month).median),
    },
  };
}

export function purchaseToSaleRatio(model: MarketModel, month: number): PurchaseToSaleRatio {
  const { acquisitions, dispositions } = investorHousingEventCounts(model, month);
  return { purchase_to_sale_ratio: roundedQuotient(acquisitions, dispositions, 2) };
}

export function investorNewListingsForSaleRollingCounts(
  model: MarketModel,
  day: number,
  types: readonly PropertyType[],
): InvestorListingsRollingCounts {
  const kind = "newListingsForSale";
  const count = rollingCounts(model, { kind, types, owners: INVESTOR_CLASSES }, day, LISTINGS_START);
  const market = rollingCounts(model, { kind, types }, day, LISTINGS_START);
  return { count, pct_for_sale_market: rollingPercentages(count, market) };
}

function investorEvents(
  model: MarketModel,
  kind: InvestorEventKind,
  countOf: DescribedEvents["countOf"],
): DescribedEvents {
  return {
    random: model.chance(`investor ${kind}`),
    feed: kind === "new_rental_listings" ? "rental" : "sales",
    priceFactor: PRICE_FACTORS[kind],
    countOf,
  };
}
