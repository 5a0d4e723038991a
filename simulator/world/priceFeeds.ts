import type { FeedKind } from "../../relayer/message/feedId.ts";
import type { MarketRecord } from "../marketTable.ts";
import type { PriceRow, PriceTable } from "../priceTable.ts";
import { dateText, requireDay } from "./calendarPeriods.ts";
import { dailyVolatility, VOLATILITY_DAYS } from "./dailyVolatility.ts";
import { MARKET_PRICES_START, NATIONAL_PRICES_START } from "./dataStarts.ts";
import type { DateRange } from "./metricSeries.ts";
import type { PriceLevels } from "./priceLevels.ts";

/** A sales price, USD per square foot, as exact decimal text without needless zeros. */
export type SalesPriceRow = { readonly date: string; readonly price_feed: string };

/** A rental price, USD per square foot a month, as exact decimal text without needless zeros. */
export type RentalPriceRow = { readonly date: string; readonly rental_price_feed: string };

/** Volatility of the sales price, percent, four decimals. */
export type VolatilityRow = { readonly date: string; readonly pct_volatility: number };

/** Markets that had a sales feed and no rental feed when their records were taken (Washington City, 2024). */
const MARKETS_WITHOUT_RENTAL_FEED = new Set([5503877n]);

/** Daily price histories, as they stand on one day. */
export class PriceFeeds {
  readonly #prices: PriceTable;
  readonly #levels: PriceLevels;
  readonly #lastDay: number;

  /** Rows exist up to `lastDay`, in days since 1970-01-01. */
  constructor(prices: PriceTable, levels: PriceLevels, lastDay: number) {
    this.#prices = prices;
    this.#levels = levels;
    this.#lastDay = lastDay;
  }

  /** Whether a market has a series: where the source has rows of it, or the market is marked as having a price feed. */
  has({ marketId, hasPriceFeed }: MarketRecord, kind: FeedKind): boolean {
    if (this.#prices[kind].has(marketId)) return true;
    return hasPriceFeed && !(kind === "rental" && MARKETS_WITHOUT_RENTAL_FEED.has(marketId));
  }

  /**
   * The dates of a market's prices within a range, every calendar day, newest first; none of a market without a series.
   * @throws InvalidWorldError when a bound of the range is no date.
   */
  dates(market: MarketRecord, kind: FeedKind, range: DateRange = {}): readonly string[] {
    return this.#dates(market, kind, range, 0);
  }

  /** The dates of a market's volatility within a range, newest first. */
  volatilityDates(market: MarketRecord, range: DateRange = {}): readonly string[] {
    return this.#dates(market, "sales", range, VOLATILITY_DAYS);
  }

  /**
   * The price of one of the {@link dates}. On the last of them it is the row that the latest endpoint signs, if the
   * source has one (`latestSourcePrice`).
   */
  price(market: MarketRecord, kind: FeedKind, date: string): PriceRow {
    return { date, price: this.#priceOn(market, kind, requireDay(date)) };
  }

  salesRow(market: MarketRecord, date: string): SalesPriceRow {
    return { date, price_feed: this.price(market, "sales", date).price };
  }

  rentalRow(market: MarketRecord, date: string): RentalPriceRow {
    return { date, rental_price_feed: this.price(market, "rental", date).price };
  }

  /** The volatility on one of the {@link volatilityDates}. */
  volatilityRow(market: MarketRecord, date: string): VolatilityRow {
    const day = requireDay(date);
    const prices = Array.from({ length: VOLATILITY_DAYS + 1 }, (_, index) =>
      Number(this.#priceOn(market, "sales", day - VOLATILITY_DAYS + index)),
    );
    return { date, pct_volatility: dailyVolatility(prices) };
  }

  #dates(market: MarketRecord, kind: FeedKind, { startDate, endDate }: DateRange, later: number): readonly string[] {
    const from = startDate === undefined ? 0 : requireDay(startDate);
    const to = endDate === undefined ? this.#lastDay : requireDay(endDate);
    if (!this.has(market, kind)) return [];
    const first = Math.max(from, this.#firstDay(market, kind) + later);
    const dates: string[] = [];
    for (let day = Math.min(to, this.#lastDay); day >= first; day -= 1) dates.push(dateText(day));
    return dates;
  }

  /** Rows of the source from before the usual start are served too. */
  #firstDay({ marketId, locationType }: MarketRecord, kind: FeedKind): number {
    const usual = locationType === "COUNTRY" ? NATIONAL_PRICES_START : MARKET_PRICES_START;
    const first = this.#prices[kind].get(marketId)?.[0];
    return first === undefined ? usual : Math.min(usual, requireDay(first.date));
  }

  #priceOn(market: MarketRecord, kind: FeedKind, day: number): string {
    return this.#levels.seriesOf(market, kind).priceOn(day, this.#lastDay);
  }
}
