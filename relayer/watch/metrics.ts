import { collectDefaultMetrics, Registry } from "prom-client";
import type { DeliveryReport } from "../deliver/deliveryReport.ts";
import type { CollectionReport } from "../edition/collectionReport.ts";
import type { Condition } from "./condition.ts";
import type { BehindChain } from "./health.ts";
import { ChainMetrics, type MeasuredChain } from "./metrics/chainMetrics.ts";
import { CollectionMetrics } from "./metrics/collectionMetrics.ts";
import { ConditionMetrics } from "./metrics/conditionMetrics.ts";
import { EndpointMetrics } from "./metrics/endpointMetrics.ts";
import { FeedMetrics } from "./metrics/feedMetrics.ts";
import { type NotificationChannel, RunMetrics } from "./metrics/runMetrics.ts";
import { StageDurations } from "./metrics/stageDurations.ts";
import { TransactionMetrics } from "./metrics/transactionMetrics.ts";

export type MetricsOptions = {
  readonly version: string;
  readonly chains: readonly MeasuredChain[];
  readonly nowMs: () => bigint;
  /** Whether every feed has series of its own: two for each feed and chain (20,000 for 10,000 feeds on one chain). */
  readonly perFeed?: boolean | undefined;
  /** Whether memory, CPU, garbage collection and the event loop of the process are measured, too. */
  readonly ofProcess?: boolean | undefined;
};

/** What Prometheus scrapes. docs/operators.md lists every metric. */
export type Metrics = {
  readonly registry: Registry;
  /** Whether every wanted feed was current at the last look; `undefined` while a chain has not been looked at. */
  readonly allCurrent: () => boolean | undefined;
  /** Chains on which a wanted feed was not current at the last look, and since when. */
  readonly chainsBehind: () => readonly BehindChain[];
  recordCollection(report: CollectionReport): void;
  recordDelivery(report: DeliveryReport): void;
  /** @param nextRunDueMs When the next run is to begin, Unix milliseconds. */
  recordRun(ok: boolean, nextRunDueMs?: bigint | undefined): void;
  /** All that stands in a scope. */
  recordConditions(scope: string, conditions: readonly Pick<Condition, "kind" | "severity">[]): void;
  recordHealth(ok: boolean): void;
  recordNotification(channel: NotificationChannel, delivered: boolean): void;
  recordMonthCredits(credits: number): void;
};

/** Metrics in a registry of their own; everything is kept from the reports, nothing is asked for when it is scraped. */
export function createMetrics({ version, chains, nowMs, perFeed = true, ofProcess = true }: MetricsOptions): Metrics {
  const registry = new Registry();
  const names = chains.map(({ name }) => name);
  const durations = new StageDurations(registry);
  const runs = new RunMetrics(registry, { version, startedAtMs: nowMs() });
  const collections = new CollectionMetrics(registry, durations);
  const feeds = new FeedMetrics(registry, { chains: names, perFeed, nowMs });
  const perChain = new ChainMetrics(registry, chains);
  const transactions = new TransactionMetrics(registry, names);
  const endpoints = new EndpointMetrics(registry);
  const conditions = new ConditionMetrics(registry);
  if (ofProcess) collectDefaultMetrics({ register: registry });

  return {
    registry,
    allCurrent: () => feeds.allCurrent,
    chainsBehind: () => feeds.chainsBehind,
    recordCollection: (report) => collections.record(report),
    recordDelivery(report) {
      feeds.record(report);
      perChain.record(report, nowMs());
      transactions.record(report);
      endpoints.record(report);
      durations.observe(report.name, report.durationsMs);
    },
    recordRun: (ok, nextRunDueMs) => runs.recordRun(ok, { nowMs: nowMs(), nextRunDueMs }),
    recordConditions: (scope, standing) => conditions.record(scope, standing),
    recordHealth: (ok) => runs.recordHealth(ok),
    recordNotification: (channel, delivered) => runs.recordNotification(channel, delivered),
    recordMonthCredits: (credits) => collections.recordMonthCredits(credits),
  };
}
