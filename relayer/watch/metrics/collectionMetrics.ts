import { Counter, Gauge, type Registry } from "prom-client";
import type { CollectionReport, EditionStatus } from "../../edition/collectionReport.ts";
import { startOfDayMs } from "../../message/calendarDate.ts";
import { FEED_KINDS } from "../../message/feedId.ts";
import type { StageDurations } from "./stageDurations.ts";

const EDITION_STATUSES: readonly EditionStatus[] = ["new", "known", "not-published", "late", "older", "unknown"];

/** The price service: what was asked, what came, and how the newest editions stand. */
export class CollectionMetrics {
  readonly #durations: StageDurations;
  readonly #collections: Counter<"outcome">;
  readonly #pricesAsked: Counter;
  readonly #prices: Counter<"kind" | "outcome">;
  readonly #refusals: Counter<"kind" | "code">;
  readonly #revisions: Counter;
  readonly #editionDate: Gauge<"kind">;
  readonly #editionPublished: Gauge<"kind">;
  readonly #editionStatus: Gauge<"kind" | "status">;
  readonly #editionComplete: Gauge<"kind">;
  readonly #monthCredits: Gauge;

  constructor(registry: Registry, durations: StageDurations) {
    const registers = [registry];
    this.#durations = durations;
    this.#collections = new Counter({
      name: "homeprice_collections_total",
      help: "Times that the price service was asked, by outcome: answered or failed.",
      labelNames: ["outcome"],
      registers,
    });
    this.#pricesAsked = new Counter({
      name: "homeprice_prices_asked_total",
      help: "Prices that the service was asked for; each that comes costs a credit.",
      registers,
    });
    this.#prices = new Counter({
      name: "homeprice_prices_total",
      help: "What came for the feeds that were asked for: checked, refused, missing or failed.",
      labelNames: ["kind", "outcome"],
      registers,
    });
    this.#refusals = new Counter({
      name: "homeprice_refusals_total",
      help: "Items of the service's answers that were refused, by the code of the reason.",
      labelNames: ["kind", "code"],
      registers,
    });
    this.#revisions = new Counter({
      name: "homeprice_revisions_total",
      help: "Prices that were given for a date which had another price before.",
      registers,
    });
    this.#editionDate = new Gauge({
      name: "homeprice_edition_date_timestamp_seconds",
      help: "00:00 UTC of the newest edition's date, Unix seconds.",
      labelNames: ["kind"],
      registers,
    });
    this.#editionPublished = new Gauge({
      name: "homeprice_edition_publish_timestamp_seconds",
      help: "Earliest publish time of the newest edition's prices, Unix seconds.",
      labelNames: ["kind"],
      registers,
    });
    this.#editionStatus = new Gauge({
      name: "homeprice_edition_status",
      help: "1 for the status that the newest edition has, 0 for the others.",
      labelNames: ["kind", "status"],
      registers,
    });
    this.#editionComplete = new Gauge({
      name: "homeprice_edition_complete",
      help: "1 when every wanted feed of the kind has a price of the newest edition that passed its checks.",
      labelNames: ["kind"],
      registers,
    });
    this.#monthCredits = new Gauge({
      name: "homeprice_month_credits_used",
      help: "Credits of the service used in this calendar month (UTC), as counted for creditsPerMonth.",
      registers,
    });
    for (const outcome of ["answered", "failed"]) this.#collections.inc({ outcome }, 0);
    for (const kind of FEED_KINDS) {
      for (const outcome of ["checked", "refused", "missing", "failed"]) this.#prices.inc({ kind, outcome }, 0);
    }
  }

  record(report: CollectionReport): void {
    this.#collections.inc({ outcome: report.serviceError ? "failed" : "answered" });
    this.#pricesAsked.inc(report.pricesAsked);
    this.#revisions.inc(report.revisions.length);
    for (const feed of report.feeds) {
      this.#prices.inc({ kind: feed.kind, outcome: feed.outcome });
      if (feed.outcome === "refused") this.#refusals.inc({ kind: feed.kind, code: feed.refusal.code });
    }
    for (const { kind, refusal } of report.strays) this.#refusals.inc({ kind, code: refusal.code });
    for (const { kind, status, day, publishTimeMs, isComplete } of report.editions) {
      if (day !== undefined) this.#editionDate.set({ kind }, Number(startOfDayMs(day)) / 1000);
      if (publishTimeMs !== undefined) this.#editionPublished.set({ kind }, Number(publishTimeMs) / 1000);
      for (const each of EDITION_STATUSES) this.#editionStatus.set({ kind, status: each }, each === status ? 1 : 0);
      this.#editionComplete.set({ kind }, isComplete ? 1 : 0);
    }
    this.#durations.observe("", report.durationsMs);
  }

  recordMonthCredits(credits: number): void {
    this.#monthCredits.set(credits);
  }
}
