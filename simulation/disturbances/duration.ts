import type { Randomness } from "../kernel/randomness.ts";
import type { Span } from "../world/troubleLog.ts";
import { type Day, HOUR_MS, MINUTE_MS } from "./disturbance.ts";

/**
 * A span that begins around the time at which the relayer works, or at any other; mostly minutes long, sometimes
 * hours.
 * @param aroundEdition How likely the former is.
 */
export function drawSpan(day: Day, randomness: Randomness, aroundEdition = 0.65): Span {
  const fromMs = randomness.chance(aroundEdition)
    ? day.fromMs + randomness.between(-20, 60) * MINUTE_MS + randomness.below(MINUTE_MS)
    : randomness.between(day.fromMs, day.toMs);
  return { fromMs, toMs: fromMs + drawDurationMs(randomness) };
}

function drawDurationMs(randomness: Randomness): number {
  const [least, most] = randomness.pickWeighted([
    [[MINUTE_MS, 10 * MINUTE_MS], 4],
    [[10 * MINUTE_MS, HOUR_MS], 4],
    [[HOUR_MS, 6 * HOUR_MS], 3],
    [[6 * HOUR_MS, 26 * HOUR_MS], 1],
  ] as const);
  return randomness.between(least, most);
}
