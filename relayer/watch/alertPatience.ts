import type { ConditionKind } from "./condition.ts";

const MINUTE_MS = 60_000;

/**
 * How long a condition must stand before people are told. What comes and goes by itself within minutes (a node that
 * restarts, a run that is repeated) would only teach them not to look; what does not go by itself is told at once.
 */
const PATIENCE_MS: Readonly<Record<ConditionKind, number>> = {
  "service-down": 5 * MINUTE_MS,
  // The configured hour is patience enough.
  "edition-late": 0,
  "edition-older": 5 * MINUTE_MS,
  "edition-future": 0,
  // An edition may come in parts.
  "market-dropped": 15 * MINUTE_MS,
  "market-missing": 0,
  "price-refused": 0,
  "price-of-another-market": 0,
  "signer-changed": 0,
  "layout-changed": 0,
  "clock-differs": 5 * MINUTE_MS,
  "credits-short": 0,
  "chain-unreachable": 5 * MINUTE_MS,
  "endpoint-failing": 10 * MINUTE_MS,
  "endpoints-disagree": 10 * MINUTE_MS,
  "fees-above-cap": 10 * MINUTE_MS,
  "budget-spent": 0,
  "balance-empty": 0,
  "balance-low": 0,
  // It has been replaced several times by then.
  "transaction-stuck": 0,
  reorganised: 0,
  "nonce-used-elsewhere": 0,
  "signer-not-accepted": 0,
  "price-quarantined": 0,
  "update-refused": 0,
  "feed-not-current": 10 * MINUTE_MS,
  "edition-missed": 0,
  paused: 0,
  "journal-failing": MINUTE_MS,
  "run-failed": 5 * MINUTE_MS,
};

/** How long a condition of a kind must stand before it is told; one that an earlier or later version knows, not at all. */
export function alertPatienceMs(kind: string): bigint {
  return BigInt((PATIENCE_MS as Readonly<Record<string, number>>)[kind] ?? 0);
}
