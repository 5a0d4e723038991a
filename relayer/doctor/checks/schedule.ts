import { formatTimeMs } from "../../message/timeWindows.ts";
import { nextRunMs } from "../../relay/schedule.ts";
import type { SharedCheck } from "../check.ts";
import { ok } from "../finding.ts";

export const scheduleCheck: SharedCheck = {
  scope: "shared",
  name: "schedule",
  about: "the daily run comes due",
  needs: [],
  keys: ["schedule", "timeZone"],
  run: ({ configuration: { schedule: expression, timeZone } }) =>
    ok(`next run at ${formatTimeMs(nextRunMs({ expression, timeZone }))} (${expression}, ${timeZone})`),
};
