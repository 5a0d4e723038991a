import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import type { Feed } from "../message/feedId.ts";
import type { PriceRules } from "../relay/collectPrices.ts";
import type { Schedule } from "../relay/schedule.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import type { ClockReading } from "../service/serviceClock.ts";

/** Everything that collecting prices works with. */
export type CollectContext = {
  readonly client: ServiceClient;
  readonly journal: Pick<
    Journal,
    "recordReceived" | "recordRefusals" | "pricesOn" | "newestEdition" | "editionDaysSince"
  >;
  /** The feeds to carry. */
  readonly wanted: readonly Feed[];
  /** The keys are the configured one, or those that the oracles of all chains accept. */
  readonly rules: PriceRules;
  readonly schedule: Schedule;
  /** HH:MM in the schedule's time zone: an edition that is still missing then is an alert. */
  readonly editionLateAt: string;
  readonly nowMs: () => bigint;
  readonly log: Logger;
  /** The service's clock as of its last answer. */
  readonly clockReading?: (() => ClockReading | undefined) | undefined;
  /** How long the oracles make a new signer wait, in seconds; the longest, where they differ. */
  readonly signerDelaySeconds?: bigint | undefined;
};
