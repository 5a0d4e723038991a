import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/** `include_full_event_history` requires `include_events` (specification, property search v2). */
export const fullHistoryNeedsEvents: RequestRule = {
  name: "full-history-needs-events",
  statement: "`event_filters.include_full_event_history` goes with `event_filters.include_events` = 1.",
  breach(request) {
    if (valueAt(request, "event_filters.include_full_event_history") !== 1) return undefined;
    const at = "event_filters.include_events";
    const included = valueAt(request, at);
    if (included === 1) return undefined;
    return { at, value: included, message: "is not 1, which include_full_event_history requires" };
  },
};
