import type { FlowKind } from "./eventFlow.ts";
import { countEvents, type MarketModel } from "./marketModel.ts";
import { percentage } from "./roundedQuotient.ts";
import type { OwnerClass, PropertyType } from "./segments.ts";

const WINDOWS = { rolling_7_day: 7, rolling_30_day: 30, rolling_60_day: 60, rolling_90_day: 90 } as const;
type Window = keyof typeof WINDOWS;

/** A figure for each window that ends on the date of the record; `null` for a window that begins before the data. */
export type RollingCounts = Readonly<Record<Window, number | null>>;

/** Which events are counted. */
type Counted = {
  readonly kind: FlowKind;
  readonly types: readonly PropertyType[];
  /** Default: all. */
  readonly owners?: readonly OwnerClass[];
};

/** Counts up to `day`, included; data begin on `dataStart`. */
export function rollingCounts(
  model: MarketModel,
  { kind, types, owners }: Counted,
  day: number,
  dataStart: number,
): RollingCounts {
  return overWindows((window) => {
    const firstDay = day - WINDOWS[window] + 1;
    return firstDay < dataStart ? null : countEvents(model, kind, types, firstDay, day, owners);
  });
}

/** Percent that one set of counts is of another, window by window; `null` of nothing or of a window without data. */
export function rollingPercentages(part: RollingCounts, whole: RollingCounts): RollingCounts {
  return overWindows((window) => {
    const [counted, total] = [part[window], whole[window]];
    return counted === null || total === null ? null : percentage(counted, total);
  });
}

function overWindows(valueFor: (window: Window) => number | null): RollingCounts {
  return {
    rolling_7_day: valueFor("rolling_7_day"),
    rolling_30_day: valueFor("rolling_30_day"),
    rolling_60_day: valueFor("rolling_60_day"),
    rolling_90_day: valueFor("rolling_90_day"),
  };
}
