import type { FeedKind } from "../../relayer/message/feedId.ts";
import type { MarketRecord } from "../marketTable.ts";
import { firstDayOfMonth } from "./calendarPeriods.ts";
import { createEventFlow, type EventFlow, type FlowKind } from "./eventFlow.ts";
import { type MarketProfile, marketProfile } from "./marketProfile.ts";
import type { PriceLevels } from "./priceLevels.ts";
import type { Randomness } from "./randomness.ts";
import { OWNER_CLASSES, type OwnerClass, type PropertyType } from "./segments.ts";

/** One market with what its metrics are computed from. */
export type MarketModel = {
  readonly profile: MarketProfile;
  readonly flow: EventFlow;
  /** USD per square foot (sales) or per square foot a month (rental) on a day. */
  readonly perSquareFoot: Readonly<Record<FeedKind, (day: number) => number>>;
  /** Random numbers of this market for one purpose. */
  chance(purpose: string): Randomness;
};

/** Months since 1970 of January 2010, when stocks are counted first. */
const FIRST_STOCK_MONTH = 480;

export function createMarketModel(market: MarketRecord, levels: PriceLevels, world: Randomness): MarketModel {
  const profile = marketProfile(market, world);
  const branches = new Map<string, Randomness>();
  return {
    profile,
    flow: createEventFlow(profile),
    perSquareFoot: { sales: levels.perSquareFoot(market, "sales"), rental: levels.perSquareFoot(market, "rental") },
    chance(purpose) {
      const branch = branches.get(purpose) ?? profile.random.branch(purpose);
      branches.set(purpose, branch);
      return branch;
    },
  };
}

/** Events of a kind from one day to another, both included, over several types and owner classes. */
export function countEvents(
  { flow }: MarketModel,
  kind: FlowKind,
  types: readonly PropertyType[],
  firstDay: number,
  lastDay: number,
  owners: readonly OwnerClass[] = OWNER_CLASSES,
): number {
  let sum = 0;
  for (const type of types) for (const owner of owners) sum += flow.count({ kind, type, owner }, firstDay, lastDay);
  return sum;
}

/** Events of a kind in a month (months since 1970). */
export function countInMonth(
  model: MarketModel,
  kind: FlowKind,
  types: readonly PropertyType[],
  month: number,
  owners: readonly OwnerClass[] = OWNER_CLASSES,
): number {
  return countEvents(model, kind, types, firstDayOfMonth(month), firstDayOfMonth(month + 1) - 1, owners);
}

/** Homes of a type in a month. */
export function stockOf({ profile }: MarketModel, type: PropertyType, month: number): number {
  return Math.floor(profile.stock[type] * (1 + profile.stockGrowth * (month - FIRST_STOCK_MONTH)));
}
