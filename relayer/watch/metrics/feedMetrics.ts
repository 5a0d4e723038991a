import { Gauge, type Registry } from "prom-client";
import type { DeliveredFeed, DeliveryReport } from "../../deliver/deliveryReport.ts";
import type { BehindChain } from "../health.ts";

const FEED_STATUSES: readonly DeliveredFeed["status"][] = [
  "updated",
  "current",
  "sent",
  "planned",
  "waiting",
  "failed",
  "none",
];

/** A price on a chain; times in Unix seconds. */
type PriceTimes = Pick<DeliveredFeed, "feedId" | "kind"> & { readonly publishTime: number; readonly expiry: number };

export type FeedMetricsOptions = {
  /** Names of the chains that are delivered to. */
  readonly chains: readonly string[];
  /** Whether every feed has series of its own: two for each feed and chain. */
  readonly perFeed: boolean;
  readonly nowMs: () => bigint;
};

/**
 * How the wanted feeds stand on each chain. Ages are worked out when they are scraped, so that they grow although nobody
 * looks at the chain.
 */
export class FeedMetrics {
  readonly #chains: readonly string[];
  /** Of each chain that was looked at: since when it is behind, or that it is not. */
  readonly #behindSinceMs = new Map<string, bigint | "current">();
  readonly #nowMs: () => bigint;
  readonly #prices = new Map<string, readonly PriceTimes[]>();
  readonly #allCurrent: Gauge;
  readonly #chainCurrent: Gauge<"chain">;
  readonly #feeds: Gauge<"chain" | "status">;

  constructor(registry: Registry, { chains, perFeed, nowMs }: FeedMetricsOptions) {
    const registers = [registry];
    const prices = this.#prices;
    this.#chains = chains;
    this.#nowMs = nowMs;
    this.#allCurrent = new Gauge({
      name: "homeprice_all_feeds_current",
      help: "1 when every wanted feed was current on every chain at this process's last look, 0 otherwise.",
      registers,
    });
    this.#chainCurrent = new Gauge({
      name: "homeprice_chain_feeds_current",
      help: "1 when every wanted feed was current on the chain at this process's last look, 0 otherwise.",
      labelNames: ["chain"],
      registers,
    });
    this.#feeds = new Gauge({
      name: "homeprice_feeds",
      help: "Wanted feeds on the chain, by status: updated, current, sent, planned, waiting, failed or none.",
      labelNames: ["chain", "status"],
      registers,
    });
    new Gauge({
      name: "homeprice_oldest_price_age_seconds",
      help: "Time since the publish time of the chain's oldest price of a wanted feed.",
      labelNames: ["chain"],
      registers,
      collect() {
        this.reset();
        for (const [chain, times] of prices) {
          if (times.length > 0) this.set({ chain }, ageOf(least(times, "publishTime"), nowMs()));
        }
      },
    });
    new Gauge({
      name: "homeprice_earliest_expiry_timestamp_seconds",
      help: "When the first price of a wanted feed on the chain expires, Unix seconds.",
      labelNames: ["chain"],
      registers,
      collect() {
        this.reset();
        for (const [chain, times] of prices) if (times.length > 0) this.set({ chain }, least(times, "expiry"));
      },
    });
    if (!perFeed) return;
    new Gauge({
      name: "homeprice_price_age_seconds",
      help: "Time since the publish time of the feed's price on the chain.",
      labelNames: ["chain", "feed_id", "kind"],
      registers,
      collect() {
        this.reset();
        const now = nowMs();
        for (const [chain, times] of prices) {
          for (const { feedId, kind, publishTime } of times) {
            this.set({ chain, feed_id: feedId.toString(), kind }, ageOf(publishTime, now));
          }
        }
      },
    });
    new Gauge({
      name: "homeprice_price_expiry_timestamp_seconds",
      help: "When the feed's price on the chain expires, Unix seconds.",
      labelNames: ["chain", "feed_id", "kind"],
      registers,
      collect() {
        this.reset();
        for (const [chain, times] of prices) {
          for (const { feedId, kind, expiry } of times) {
            this.set({ chain, feed_id: feedId.toString(), kind }, expiry);
          }
        }
      },
    });
  }

  /** Whether every wanted feed is current; `undefined` while a chain has not been looked at. */
  get allCurrent(): boolean | undefined {
    if (this.chainsBehind.length > 0) return false;
    return this.#chains.every((chain) => this.#behindSinceMs.has(chain)) ? true : undefined;
  }

  get chainsBehind(): BehindChain[] {
    return [...this.#behindSinceMs].flatMap(([chain, sinceMs]) => (sinceMs === "current" ? [] : [{ chain, sinceMs }]));
  }

  record({ name: chain, feeds }: DeliveryReport): void {
    const isCurrent = feeds.every(({ status }) => status === "updated" || status === "current");
    const before = this.#behindSinceMs.get(chain);
    const since = before === undefined || before === "current" ? this.#nowMs() : before;
    this.#behindSinceMs.set(chain, isCurrent ? "current" : since);
    this.#chainCurrent.set({ chain }, isCurrent ? 1 : 0);
    this.#allCurrent.set(this.allCurrent === true ? 1 : 0);
    for (const status of FEED_STATUSES) {
      this.#feeds.set({ chain, status }, feeds.filter((feed) => feed.status === status).length);
    }
    this.#prices.set(chain, feeds.flatMap(timesOf));
  }
}

/** What a chain that could not be read says of no feed is not known; a price of 0 is none. */
function timesOf({ feedId, kind, onChain }: DeliveredFeed): PriceTimes[] {
  if (!onChain || onChain.price === 0n) return [];
  return [{ feedId, kind, publishTime: Number(onChain.publishTime), expiry: Number(onChain.expiry) }];
}

function least(times: readonly PriceTimes[], field: "publishTime" | "expiry"): number {
  return times.reduce((least, each) => Math.min(least, each[field]), Number.POSITIVE_INFINITY);
}

function ageOf(publishTime: number, nowMs: bigint): number {
  return Math.max(0, Number(nowMs) / 1000 - publishTime);
}
