import type { Configuration } from "../configuration/configurationSchema.ts";
import type { RelayContext } from "./relayContext.ts";

/** The part of a run's context that is configuration alone. */
export type RelaySettings = Pick<
  RelayContext,
  "layout" | "rentalOffset" | "maxExpiryAfterDateMs" | "schedule" | "editionLateAt" | "receiptTimeoutMs"
>;

/** What a configuration says about every run. */
export function relaySettings(configuration: Configuration): RelaySettings {
  return {
    layout: configuration.layout,
    rentalOffset: configuration.rentalOffset,
    maxExpiryAfterDateMs: BigInt(configuration.maxExpiryAfterDateSeconds) * 1000n,
    schedule: { expression: configuration.schedule, timeZone: configuration.timeZone },
    editionLateAt: configuration.editionLateAt,
    receiptTimeoutMs: configuration.receiptTimeoutSeconds * 1000,
  };
}
