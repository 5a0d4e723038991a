import { Counter, Gauge, type Registry } from "prom-client";

/** How a notification left: an alert to the webhook, a sign of life to the heartbeat URL. */
export type NotificationChannel = "webhook" | "heartbeat";

/** The process itself: which version, since when, and whether its runs end. */
export class RunMetrics {
  readonly #runs: Counter<"outcome">;
  readonly #lastRun: Gauge;
  readonly #lastGoodRun: Gauge;
  readonly #nextRunDue: Gauge;
  readonly #healthy: Gauge;
  readonly #notifications: Counter<"channel" | "outcome">;

  constructor(registry: Registry, { version, startedAtMs }: { version: string; startedAtMs: bigint }) {
    const registers = [registry];
    new Gauge({
      name: "homeprice_build_info",
      help: "Always 1; its label is the version that runs.",
      labelNames: ["version"],
      registers,
    }).set({ version }, 1);
    new Gauge({
      name: "homeprice_start_time_seconds",
      help: "When the process started, Unix seconds.",
      registers,
    }).set(Number(startedAtMs) / 1000);
    this.#runs = new Counter({
      name: "homeprice_runs_total",
      help: "Runs that ended: ok when nothing was refused and every wanted feed was current, failed otherwise.",
      labelNames: ["outcome"],
      registers,
    });
    this.#lastRun = new Gauge({
      name: "homeprice_last_run_timestamp_seconds",
      help: "When a run ended last, Unix seconds; 0 before the first.",
      registers,
    });
    this.#lastGoodRun = new Gauge({
      name: "homeprice_last_good_run_timestamp_seconds",
      help: "When a run ended well last, Unix seconds; 0 before the first.",
      registers,
    });
    this.#nextRunDue = new Gauge({
      name: "homeprice_next_run_due_timestamp_seconds",
      help: "When the next run is to begin, Unix seconds; the start of the process until a run has said.",
      registers,
    });
    this.#healthy = new Gauge({
      name: "homeprice_healthy",
      help: "1 while /healthz answers 200, 0 while it answers 503.",
      registers,
    });
    this.#notifications = new Counter({
      name: "homeprice_notifications_total",
      help: "Alerts posted to the webhook and pings of the heartbeat URL, by outcome: delivered or failed.",
      labelNames: ["channel", "outcome"],
      registers,
    });
    this.#nextRunDue.set(Number(startedAtMs) / 1000);
    // A counter that begins with its first event has no increase at that event.
    for (const outcome of ["ok", "failed"]) this.#runs.inc({ outcome }, 0);
    for (const channel of ["webhook", "heartbeat"]) {
      for (const outcome of ["delivered", "failed"]) this.#notifications.inc({ channel, outcome }, 0);
    }
  }

  recordRun(ok: boolean, { nowMs, nextRunDueMs }: { nowMs: bigint; nextRunDueMs: bigint | undefined }): void {
    this.#runs.inc({ outcome: ok ? "ok" : "failed" });
    this.#lastRun.set(Number(nowMs) / 1000);
    if (ok) this.#lastGoodRun.set(Number(nowMs) / 1000);
    if (nextRunDueMs !== undefined) this.#nextRunDue.set(Number(nextRunDueMs) / 1000);
  }

  recordHealth(ok: boolean): void {
    this.#healthy.set(ok ? 1 : 0);
  }

  recordNotification(channel: NotificationChannel, delivered: boolean): void {
    this.#notifications.inc({ channel, outcome: delivered ? "delivered" : "failed" });
  }
}
