import { expect, it } from "vitest";
import type { StandingAlert } from "../../relayer/watch/alertBook.ts";
import { type HealthFacts, healthOf } from "../../relayer/watch/health.ts";
import { HOUR_MS, MINUTE_MS, START_MS } from "./reports.ts";

const WELL: HealthFacts = {
  nowMs: START_MS + 10n * HOUR_MS,
  startedAtMs: START_MS,
  lastRunEndMs: START_MS + MINUTE_MS,
  nextRunDueMs: START_MS + 24n * HOUR_MS,
  lastTurnMs: START_MS + 10n * HOUR_MS - MINUTE_MS,
  standing: [],
  behind: [],
};

const alertOf = (changes: Partial<StandingAlert>): StandingAlert => ({
  scope: "chain:base",
  kind: "fees-above-cap",
  subject: "",
  severity: "warning",
  message: "fees are 200 gwei",
  sinceMs: START_MS,
  ...changes,
});

const behindBase = (minutes: bigint) => [{ chain: "base", sinceMs: WELL.nowMs - minutes * MINUTE_MS }];

it.each<[string, Partial<HealthFacts>]>([
  ["nothing is wrong", {}],
  ["only warnings stand", { standing: [alertOf({})] }],
  [
    "the first run has not ended yet",
    {
      nowMs: START_MS + 29n * MINUTE_MS,
      lastTurnMs: START_MS + 29n * MINUTE_MS,
      lastRunEndMs: undefined,
      nextRunDueMs: undefined,
    },
  ],
  ["a run has been due for less than half an hour", { nextRunDueMs: WELL.nowMs - 29n * MINUTE_MS }],
  ["a chain has been behind for less than half an hour", { behind: behindBase(29n), standing: [alertOf({})] }],
  ["a chain was behind at an old look, and nothing holds it up any more", { behind: behindBase(300n) }],
  [
    "a chain was behind at an old look, and what stands is another's",
    { behind: behindBase(300n), standing: [alertOf({ scope: "chain:mainnet" })] },
  ],
])("is good while %s", (_name, changes) => {
  expect(healthOf({ ...WELL, ...changes })).toEqual({ ok: true, reasons: [] });
});

it.each<[string, Partial<HealthFacts>, RegExp]>([
  [
    "something critical stands",
    { standing: [alertOf({ severity: "critical" })] },
    /^chain:base: fees-above-cap: fees are 200 gwei$/,
  ],
  [
    "no run has ended since the start",
    {
      nowMs: START_MS + 30n * MINUTE_MS,
      lastTurnMs: START_MS + 30n * MINUTE_MS,
      lastRunEndMs: undefined,
      nextRunDueMs: undefined,
    },
    /none has ended since the start$/,
  ],
  [
    "a run was due half an hour ago",
    { nextRunDueMs: WELL.nowMs - 30n * MINUTE_MS },
    /^a run was due at 2026-03-02T22:00:00.000Z and has not ended; the last ended at 2026-03-02T12:31/,
  ],
  ["the process has not looked after itself", { lastTurnMs: WELL.nowMs - 5n * MINUTE_MS }, /^the process is stuck/],
  [
    "a chain is held up for half an hour",
    { behind: behindBase(30n), standing: [alertOf({})] },
    /^chain:base: not every wanted feed is current since 2026-03-02T22:00/,
  ],
  [
    "the service holds up a chain for half an hour",
    { behind: behindBase(30n), standing: [alertOf({ scope: "service", kind: "service-down" })] },
    /^chain:base: not every/,
  ],
])("is ill when %s, and says why", (_name, changes, reason) => {
  const { ok, reasons } = healthOf({ ...WELL, ...changes });
  expect(ok).toBe(false);
  expect(reasons).toEqual([expect.stringMatching(reason)]);
});
