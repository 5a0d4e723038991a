import type { ChainContext } from "../deliver/chainContext.ts";
import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import type { Feed } from "../message/feedId.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import type { ClockReading } from "../service/serviceClock.ts";
import type { Schedule } from "./schedule.ts";

/** A chain to deliver to. It is connected when it is needed, because it may be out of reach. */
export type RelayChain = { readonly name: string; readonly open: () => Promise<ChainContext> };

/** Everything that a run works with. */
export type RelayContext = {
  readonly client: ServiceClient;
  readonly journal: Journal;
  readonly chains: readonly RelayChain[];
  /** The feeds to carry. */
  readonly wanted: readonly Feed[];
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateMs: bigint;
  readonly schedule: Schedule;
  /** HH:MM in the schedule's time zone. */
  readonly editionLateAt: string;
  /** Longest wait of one run for its transactions, in milliseconds. */
  readonly receiptTimeoutMs: number;
  /** The service's clock as of its last answer. */
  readonly clockReading?: (() => ClockReading | undefined) | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => bigint;
  readonly log: Logger;
};
