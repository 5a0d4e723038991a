import { indexOf } from "./eventPrices.ts";
import { countInMonth, type MarketModel, stockOf } from "./marketModel.ts";
import { hasListings } from "./monthlyEvents.ts";
import { INVESTOR_CLASSES, OWNER_CLASSES, type OwnerClass, PROPERTY_TYPES, type PropertyType } from "./segments.ts";

/** What investors did in a month; listings are `null` before their data begin. */
export type InvestorEventCounts = {
  readonly acquisitions: number;
  readonly dispositions: number;
  readonly new_listings_for_sale: number | null;
  readonly new_rental_listings: number | null;
  readonly transfers: number;
};

/** Of the sales in which investors take part, those in which they buy; and of these, those in which they sell too. */
const BUYING_SHARE = 0.72;
const SELLING_TOO_SHARE = 0.3;

/**
 * What the owner classes given did with homes of the types given. Each sale that investors take part in belongs to one
 * class, so that the classes add up and never exceed the market; in it the class buys, sells, or both.
 */
export function investorEventCounts(
  model: MarketModel,
  month: number,
  types: readonly PropertyType[],
  owners: readonly OwnerClass[] = INVESTOR_CLASSES,
): InvestorEventCounts {
  let [acquisitions, dispositions, transfers] = [0, 0, 0];
  for (const type of types) {
    for (const owner of owners) {
      const index = indexOf(type, month) * OWNER_CLASSES.length + OWNER_CLASSES.indexOf(owner);
      const sales = countInMonth(model, "sales", [type], month, [owner]);
      const buying = BUYING_SHARE * model.profile.random.between(90, 0.75, 1.25);
      const bought = model.chance("acquisitions").rounded(index, sales * buying);
      const soldToo = model.chance("dispositions").rounded(index, bought * SELLING_TOO_SHARE);
      acquisitions += bought;
      dispositions += sales - bought + soldToo;
      transfers += sales + countInMonth(model, "otherTransfers", [type], month, [owner]);
    }
  }
  const isListed = hasListings(month);
  return {
    acquisitions,
    dispositions,
    new_listings_for_sale: isListed ? countInMonth(model, "newListingsForSale", types, month, owners) : null,
    new_rental_listings: isListed ? countInMonth(model, "newRentalListings", types, month, owners) : null,
    transfers,
  };
}

/** Homes that an owner class owns in a month; portfolios own single-family homes only. */
export function ownedHomes(model: MarketModel, owner: OwnerClass, month: number): number {
  const { ownership } = model.profile;
  const drift = 1 + 0.04 * model.chance(`ownership ${owner}`).smooth(month / 24);
  const singleFamily = Math.floor(stockOf(model, "SINGLE_FAMILY", month) * ownership[owner] * drift);
  if (owner !== "OTHER_INVESTOR") return singleFamily;
  const others = PROPERTY_TYPES.filter((type) => type !== "SINGLE_FAMILY");
  const share = (1 - ownership.NOT_INVESTOR) * drift;
  return others.reduce((sum, type) => sum + Math.floor(stockOf(model, type, month) * share), singleFamily);
}
