import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import type { MeasuredChain } from "./metrics/chainMetrics.ts";
import type { NotificationPatience } from "./sendNotification.ts";

export type WatchOptions = {
  readonly journal: Pick<Journal, "alerts" | "putAlert" | "removeAlert" | "credits" | "description">;
  readonly log: Logger;
  readonly nowMs: () => bigint;
  readonly version: string;
  /** Every chain that is delivered to, under the name that its reports have. */
  readonly chains: readonly MeasuredChain[];
  /** Where alerts are posted to; the log alone tells otherwise. */
  readonly webhookUrl?: string | undefined;
  readonly alertRepeatHours?: number | undefined;
  /** What is pinged while all is well. */
  readonly heartbeatUrl?: string | undefined;
  readonly heartbeatMinutes?: number | undefined;
  /** `host:port` of /metrics, /healthz and /livez; nowhere otherwise. */
  readonly listen?: string | undefined;
  /**
   * Names this process where several share a journal: what concerns itself alone must not be taken for another's. The
   * same after a restart, such as the machine's name; a process that has the journal for itself needs none.
   */
  readonly instance?: string | undefined;
  /** Whether every feed has series of its own in the metrics. */
  readonly perFeedMetrics?: boolean | undefined;
  /** Milliseconds between two turns by itself; `undefined` when the caller turns it. */
  readonly turnEveryMs?: number | undefined;
  readonly patience?: Omit<NotificationPatience, "signal"> | undefined;
};
