import type { FeedKind } from "../../relayer/message/feedId.ts";
import { requireDay } from "./calendarPeriods.ts";
import { itemAt } from "./itemAt.ts";
import type { Randomness } from "./randomness.ts";

/**
 * How prices of the nation stood on 1 January of each year, in parts of their level in June 2024. Rough shape of the
 * published indices: the bottom of 2012, the climb of 2021.
 */
const YEARLY_LEVELS: Readonly<Record<FeedKind, readonly (readonly [year: number, level: number])[]>> = {
  sales: [
    [2009, 0.5],
    [2010, 0.48],
    [2011, 0.455],
    [2012, 0.45],
    [2013, 0.485],
    [2014, 0.53],
    [2015, 0.56],
    [2016, 0.59],
    [2017, 0.625],
    [2018, 0.665],
    [2019, 0.7],
    [2020, 0.73],
    [2021, 0.8],
    [2022, 0.92],
    [2023, 0.95],
    [2024, 0.985],
  ],
  rental: [
    [2009, 0.55],
    [2010, 0.545],
    [2011, 0.55],
    [2012, 0.565],
    [2013, 0.585],
    [2014, 0.605],
    [2015, 0.63],
    [2016, 0.655],
    [2017, 0.68],
    [2018, 0.705],
    [2019, 0.73],
    [2020, 0.755],
    [2021, 0.78],
    [2022, 0.87],
    [2023, 0.945],
    [2024, 0.985],
  ],
};

/** Growth of each year after the table, in parts of the level of June 2024. */
const LATER_GROWTH = 0.025;

/** How far each kind of wobble reaches, in parts of the price, and how many days it takes. */
const WOBBLES: Readonly<Record<FeedKind, { slow: number; fast: number; daily: number; season: number }>> = {
  sales: { slow: 0.02, fast: 0.0005, daily: 0.00005, season: 0.008 },
  rental: { slow: 0.012, fast: 0.0003, daily: 0.00003, season: 0.006 },
};
const SLOW_DAYS = 190;
const FAST_DAYS = 11;
const DAYS_PER_YEAR = 365.25;

/** Where in the year, in days since 1 January, prices are highest. */
const HIGH_SEASON = 165;

/**
 * The shape of a market's price history without its level: about 1 in June 2024. From one day to the next it moves by
 * less than 0.15 % (sales) or 0.1 % (rental).
 */
export function priceCurve(kind: FeedKind, random: Randomness): (day: number) => number {
  const pace = random.between(0, 0.8, 1.15);
  const [slow, fast, daily] = [random.branch("slow"), random.branch("fast"), random.branch("daily")];
  const wobbles = WOBBLES[kind];
  return (day) => {
    const trend = 1 + pace * (nationalLevel(kind, day) - 1);
    const wobble =
      wobbles.slow * slow.smooth(day / SLOW_DAYS) +
      wobbles.fast * fast.smooth(day / FAST_DAYS) +
      wobbles.daily * daily.between(day, -1, 1) +
      wobbles.season * season(day);
    return trend * (1 + wobble);
  };
}

const FIRST_YEAR = 2009;

/** 1 January of each year that the service could ever be asked about, in days since 1970-01-01. */
const NEW_YEARS = Array.from({ length: 200 }, (_, index) => requireDay(`${FIRST_YEAR + index}-01-01`));

function nationalLevel(kind: FeedKind, day: number): number {
  let index = Math.floor((day - itemAt(NEW_YEARS, 0)) / DAYS_PER_YEAR);
  if (index < 0) return levelOfYear(kind, 0);
  while (itemAt(NEW_YEARS, index + 1) <= day) index += 1;
  while (itemAt(NEW_YEARS, index) > day) index -= 1;
  const [start, end] = [itemAt(NEW_YEARS, index), itemAt(NEW_YEARS, index + 1)];
  const [from, to] = [levelOfYear(kind, index), levelOfYear(kind, index + 1)];
  return from + ((to - from) * (day - start)) / (end - start);
}

function levelOfYear(kind: FeedKind, index: number): number {
  const levels = YEARLY_LEVELS[kind];
  const last = levels.length - 1;
  return index <= last ? itemAt(levels, index)[1] : itemAt(levels, last)[1] + LATER_GROWTH * (index - last);
}

/** From −1 in midwinter to 1 in early summer, in straight lines. */
function season(day: number): number {
  const fromHigh = Math.abs((((day - HIGH_SEASON) % DAYS_PER_YEAR) / DAYS_PER_YEAR) * 2 - 1);
  return 2 * fromHigh - 1;
}
