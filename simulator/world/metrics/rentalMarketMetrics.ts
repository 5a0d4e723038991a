import { LISTINGS_START } from "../dataStarts.ts";
import { priceStatistics } from "../eventPrices.ts";
import { type MarketModel, stockOf } from "../marketModel.ts";
import { marketEvents } from "../monthlyEvents.ts";
import { type RollingCounts, rollingCounts } from "../rollingCounts.ts";
import { percentage, roundedQuotient } from "../roundedQuotient.ts";
import { PROPERTY_TYPES, type PropertyType } from "../segments.ts";

/** Percent; `null` of a month without new listings of both kinds. */
export type GrossYield = { readonly pct_gross_yield: number | null };

export type RentalUnitsConcentration = {
  readonly rental_units: number;
  readonly total_units: number;
  readonly pct_rental_concentration: number | null;
};

/** Twelve median rents of new listings in percent of the median price of new listings for sale. */
export function grossYield(model: MarketModel, month: number, types: readonly PropertyType[]): GrossYield {
  const rent = priceStatistics(model, marketEvents(model, "new_rental_listings", month), types, month).median;
  const price = priceStatistics(model, marketEvents(model, "new_listings_for_sale", month), types, month).median;
  return { pct_gross_yield: rent === null || price === null ? null : roundedQuotient(rent * 12 * 100, price, 2) };
}

const RENTED_SHARES: Readonly<Record<PropertyType, readonly [number, number]>> = {
  SINGLE_FAMILY: [0.1, 0.24],
  CONDO: [0.22, 0.5],
  TOWNHOUSE: [0.15, 0.35],
  OTHER: [0.3, 0.65],
};

export function rentalUnitsConcentration(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
): RentalUnitsConcentration {
  let [rental_units, total_units] = [0, 0];
  for (const type of types) {
    const index = PROPERTY_TYPES.indexOf(type);
    const share =
      model.profile.random.between(80 + index, ...RENTED_SHARES[type]) +
      0.02 * model.chance(`rented ${type}`).smooth(month / 18);
    const units = stockOf(model, type, month);
    total_units += units;
    rental_units += Math.floor(units * share);
  }
  return { rental_units, total_units, pct_rental_concentration: percentage(rental_units, total_units) };
}

export function newListingsForRentRollingCounts(
  model: MarketModel,
  day: number,
  types: readonly PropertyType[],
): RollingCounts {
  return rollingCounts(model, { kind: "newRentalListings", types }, day, LISTINGS_START);
}
