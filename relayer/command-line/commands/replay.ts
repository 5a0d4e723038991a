import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { journalPath } from "../../journal/journalPath.ts";
import { openJournal } from "../../journal/openJournal.ts";
import { dayOfDate } from "../../message/calendarDate.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "../output.ts";
import { formatReplay } from "./replay/formatReplay.ts";
import { replayDay } from "./replay/replayDay.ts";

export const replayCommand = defineCommand<object>(
  "replay",
  "go through everything that was received for a date again; exits 0 only if every archived price passes its checks",
  ["homeprice replay 2026-11-20", "homeprice replay 2026-11-20 --json"],
  (command) =>
    command
      .argument("<date>", "date of the prices, YYYY-MM-DD")
      .addHelpText(
        "after",
        [
          "",
          "Each price is checked as of the time at which it was received: its message by the configured layout, its",
          "windows, and its signature under the key that it came with. Prices from before a change of the layout need the",
          "layout of then, in a configuration file of its own (--config).",
          "",
        ].join("\n"),
      ),
  async ({ json, configuration: load }, date = "") => {
    const day = dayOfDate(date);
    if (day === undefined) {
      throw new InvalidConfigurationError("USAGE", `"${date}" is no date`, "Dates are YYYY-MM-DD, such as 2026-11-20.");
    }
    const configuration = await load();
    const journal = await openJournal(journalPath(configuration), { mustExist: true });
    try {
      const replayed = await replayDay(journal, day, {
        layout: configuration.layout,
        rentalOffset: configuration.rentalOffset,
        maxExpiryAfterDateMs: BigInt(configuration.maxExpiryAfterDateSeconds) * 1000n,
        timeZone: configuration.timeZone,
      });
      print(json, replayed, () => formatReplay(replayed));
      return replayed.ok ? EXIT_DONE : EXIT_FAILED;
    } finally {
      await journal.close();
    }
  },
);
