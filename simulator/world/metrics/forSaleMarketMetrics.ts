import { monthOfDay } from "../calendarPeriods.ts";
import { LISTINGS_START } from "../dataStarts.ts";
import { priceStatistics } from "../eventPrices.ts";
import { countEvents, type MarketModel } from "../marketModel.ts";
import { marketEvents } from "../monthlyEvents.ts";
import { type RollingCounts, rollingCounts } from "../rollingCounts.ts";
import { percentage, roundedTo } from "../roundedQuotient.ts";
import { PROPERTY_TYPES, type PropertyType } from "../segments.ts";

export type ForSaleInventory = { readonly for_sale_inventory: number };

/** Price changes of the inventory; medians are `null` where no price has changed, percentages where nothing is for sale. */
export type ForSaleInventoryPriceChanges = {
  readonly count_price_change: number;
  readonly count_price_drop: number;
  /** Days. */
  readonly median_days_bt_change: number | null;
  /** USD, below 0 where most prices fall. */
  readonly median_price_change: number | null;
  /** Percent, of the same sign. */
  readonly median_pct_price_change: number | null;
  readonly pct_inventory_price_change: number | null;
  readonly pct_inventory_price_drop: number | null;
};

export function forSaleInventory(model: MarketModel, day: number, types: readonly PropertyType[]): ForSaleInventory {
  return { for_sale_inventory: types.reduce((sum, type) => sum + inventoryOf(model, day, type), 0) };
}

export function forSaleInventoryPriceChanges(
  model: MarketModel,
  day: number,
  types: readonly PropertyType[],
): ForSaleInventoryPriceChanges {
  const { profile, chance } = model;
  const week = Math.floor(day / 7);
  let [inventory, changes, drops, days, percent] = [0, 0, 0, 0, 0];
  for (const type of types) {
    const index = week * PROPERTY_TYPES.length + PROPERTY_TYPES.indexOf(type);
    const listed = inventoryOf(model, day, type);
    const share = profile.random.between(70, 0.14, 0.3) * chance("changing prices").between(index, 0.9, 1.1);
    const changed = chance("price changes").rounded(index, listed * share);
    inventory += listed;
    changes += changed;
    drops += chance("price drops").rounded(index, changed * 0.92);
    days += changed * chance("days between changes").between(index, 20, 36);
    percent += changed * chance("size of changes").between(index, -4.6, -2.2);
  }
  const meanPercent = percent / changes;
  return {
    count_price_change: changes,
    count_price_drop: drops,
    median_days_bt_change: changes === 0 ? null : Math.round((2 * days) / changes) / 2,
    median_price_change: changes === 0 ? null : Math.round((askingPrice(model, day) * meanPercent) / 10_000) * 100,
    median_pct_price_change: changes === 0 ? null : roundedTo(meanPercent, 2),
    pct_inventory_price_change: percentage(changes, inventory),
    pct_inventory_price_drop: percentage(drops, inventory),
  };
}

export function newListingsRollingCounts(
  model: MarketModel,
  day: number,
  types: readonly PropertyType[],
): RollingCounts {
  return rollingCounts(model, { kind: "newListingsForSale", types }, day, LISTINGS_START);
}

/** Homes for sale are those that were listed within the time that a home takes to sell. */
function inventoryOf(model: MarketModel, day: number, type: PropertyType): number {
  const daysOnMarket = model.profile.random.integer(71 + PROPERTY_TYPES.indexOf(type), 38, 75);
  return countEvents(model, "newListingsForSale", [type], day - daysOnMarket + 1, day);
}

/** What homes newly listed in the month of a day typically ask. */
function askingPrice(model: MarketModel, day: number): number {
  const month = monthOfDay(day);
  const listings = { ...marketEvents(model, "new_listings_for_sale", month), countOf: () => 1 };
  return priceStatistics(model, listings, ["SINGLE_FAMILY"], month).median ?? 0;
}
