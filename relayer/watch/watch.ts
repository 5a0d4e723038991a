import type { DeliveryReport } from "../deliver/deliveryReport.ts";
import type { CollectionReport } from "../edition/collectionReport.ts";
import type { Logger } from "../logging/logger.ts";
import { AlertBook } from "./alertBook.ts";
import { CONDITION_KINDS, type Condition, type ConditionKind } from "./condition.ts";
import { isScopeOfProcess, SERVICE_SCOPE, scopeOfChain, scopeOfProcess } from "./conditionScope.ts";
import { type Health, healthOf } from "./health.ts";
import { type HealthServer, startHealthServer } from "./healthServer.ts";
import { Heartbeat } from "./heartbeat.ts";
import { journalFailing } from "./journalFailing.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { WatchOptions } from "./watchOptions.ts";
import { createWebhook } from "./webhook.ts";

/** How a run ended. */
export type EndedRun = {
  /** Nothing was refused, and every wanted feed is current. */
  readonly ok: boolean;
  /** Of the process itself, such as `run-failed`; each stands until a run ends without it. */
  readonly conditions?: readonly Condition[] | undefined;
  /** When the next run is to begin. */
  readonly nextRunDueMs: bigint | undefined;
};

/** Makes what the relayer's steps report visible. None of its methods throws or rejects. */
export type Watch = {
  readonly metrics: Metrics;
  /** Where it listens. */
  readonly url: string | undefined;
  health(): Health;
  collected(report: CollectionReport): Promise<void>;
  delivered(report: DeliveryReport): Promise<void>;
  runEnded(run: EndedRun): Promise<void>;
  /** Looks after itself: tells what has become due, pings. */
  turn(): Promise<void>;
  /** Ends at once what is being sent; what was not delivered is told after the next start. */
  close(): Promise<void>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_REPEAT_HOURS = 24;
const DEFAULT_HEARTBEAT_MINUTES = 5;

/**
 * Puts together alerts, metrics, health and heartbeat.
 * @throws ListenError or HomePriceError when `listen` cannot be had.
 */
export async function startWatch(options: WatchOptions): Promise<Watch> {
  const { journal, log, nowMs, version, chains, instance } = options;
  const metrics = createMetrics({ version, chains, nowMs, perFeed: options.perFeedMetrics });
  const stop = new AbortController();
  const patience = { ...options.patience, signal: stop.signal };
  const webhook =
    options.webhookUrl === undefined
      ? undefined
      : createWebhook({
          url: options.webhookUrl,
          log,
          ...patience,
          onSent: (delivered) => metrics.recordNotification("webhook", delivered),
        });
  const heartbeat =
    options.heartbeatUrl === undefined
      ? undefined
      : new Heartbeat({
          url: options.heartbeatUrl,
          log,
          ...patience,
          onSent: (delivered) => metrics.recordNotification("heartbeat", delivered),
        });
  const repeatAfterMs = (options.alertRepeatHours ?? DEFAULT_REPEAT_HOURS) * HOUR_MS;
  const book = new AlertBook({ journal, webhook, log, repeatAfterMs });
  const heartbeatEveryMs = BigInt((options.heartbeatMinutes ?? DEFAULT_HEARTBEAT_MINUTES) * MINUTE_MS);
  const selfScope = scopeOfProcess(instance);
  const scopes = [SERVICE_SCOPE, selfScope, ...chains.map(({ name }) => scopeOfChain(name))];

  const startedAtMs = nowMs();
  let lastTurnMs = startedAtMs;
  let lastRunEndMs: bigint | undefined;
  let nextRunDueMs: bigint | undefined;
  let lastBeatMs: bigint | undefined;
  let selfConditions: readonly Condition[] = [];
  let turning: Promise<void> | undefined;

  const health = (): Health =>
    healthOf({
      nowMs: nowMs(),
      startedAtMs,
      lastRunEndMs,
      nextRunDueMs,
      lastTurnMs,
      standing: book.standing().filter(({ scope }) => scopes.includes(scope)),
      behind: metrics.chainsBehind(),
    });

  /** What stands is what the journal says, so that processes that share it show the same. */
  const showConditions = (): void => {
    const standing = book.standing();
    for (const scope of scopes) {
      const ofScope = standing.flatMap((alert) =>
        alert.scope === scope && isKnown(alert.kind) ? [{ kind: alert.kind, severity: alert.severity }] : [],
      );
      metrics.recordConditions(scope, ofScope);
    }
    metrics.recordHealth(health().ok);
  };

  const reconcile = async (scope: string, conditions: readonly Condition[]): Promise<void> => {
    await guarded(log, async () => {
      await book.reconcile(scope, conditions, nowMs());
      await reconcileSelf();
    });
    showConditions();
  };

  /** The journal's own failure is known only after it was used. */
  const reconcileSelf = async (): Promise<void> => {
    const failing = journalFailing(book.journalProblem, journal.description);
    await book.reconcile(selfScope, [...selfConditions, ...failing], nowMs());
  };

  const beat = async (): Promise<void> => {
    lastBeatMs = nowMs();
    await heartbeat?.beat(health());
  };

  const measureCredits = async (): Promise<void> => {
    const month = new Date(Number(nowMs())).toISOString().slice(0, 7);
    // A journal that cannot be read has told of itself already.
    const used = await journal.credits.usedIn(month).catch(() => undefined);
    if (used !== undefined) metrics.recordMonthCredits(used);
  };

  const turn = async (): Promise<void> => {
    await guarded(log, async () => {
      await book.tellDue(scopes, nowMs());
      await reconcileSelf();
      await measureCredits();
    });
    lastTurnMs = nowMs();
    showConditions();
    if (lastBeatMs === undefined || nowMs() - lastBeatMs >= heartbeatEveryMs) await beat();
  };
  const turnOnce = (): Promise<void> => {
    turning ??= turn().finally(() => {
      turning = undefined;
    });
    return turning;
  };

  let server: HealthServer | undefined;
  if (options.listen !== undefined) {
    server = await startHealthServer({
      listen: options.listen,
      metrics: async () => {
        metrics.recordHealth(health().ok);
        return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() };
      },
      health: () => ({
        ...health(),
        allCurrent: metrics.allCurrent() ?? null,
        lastRunEnd: isoOf(lastRunEndMs),
        nextRunDue: isoOf(nextRunDueMs),
        version,
      }),
    });
    log.info({ url: server.url }, "metrics and health are served");
  }
  // Alerts of other processes are theirs, as long as they are there to repeat them; those of chains that are gone are
  // nobody's.
  const aliveSinceMs = startedAtMs - 2n * BigInt(repeatAfterMs);
  const isAnothers = (scope: string, lastTouchedMs: bigint) =>
    instance !== undefined && isScopeOfProcess(scope) && lastTouchedMs > aliveSinceMs;
  await guarded(log, () =>
    book.forgetScopes((scope, lastTouchedMs) => scopes.includes(scope) || isAnothers(scope, lastTouchedMs)),
  );
  showConditions();
  const timer = options.turnEveryMs === undefined ? undefined : setInterval(turnOnce, options.turnEveryMs);
  timer?.unref();

  return {
    metrics,
    url: server?.url,
    health,
    async collected(report) {
      metrics.recordCollection(report);
      await reconcile(SERVICE_SCOPE, report.conditions);
    },
    async delivered(report) {
      metrics.recordDelivery(report);
      await reconcile(scopeOfChain(report.name), report.conditions);
    },
    async runEnded({ ok, conditions = [], nextRunDueMs: dueMs }) {
      lastRunEndMs = nowMs();
      nextRunDueMs = dueMs;
      selfConditions = conditions;
      metrics.recordRun(ok, dueMs);
      await guarded(log, reconcileSelf);
      showConditions();
      if (ok) await beat();
    },
    turn: turnOnce,
    async close() {
      clearInterval(timer);
      stop.abort();
      await turning;
      await book.idle();
      await server?.close();
    },
  };
}

/** What tells of failures must not fail itself. */
async function guarded(log: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ name: error instanceof Error ? error.name : "unknown error" }, "the watch failed at something");
  }
}

function isKnown(kind: string): kind is ConditionKind {
  return (CONDITION_KINDS as readonly string[]).includes(kind);
}

function isoOf(timeMs: bigint | undefined): string | null {
  return timeMs === undefined ? null : new Date(Number(timeMs)).toISOString();
}
