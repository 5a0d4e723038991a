import { Option } from "commander";
import { EVENT_TYPES } from "../../../service/schemas/housingEventNames.ts";
import { choiceOf, collecting, parseId } from "../../optionParsers.ts";
import { given } from "./dataCall.ts";
import { defineDataCommand } from "./dataCommand.ts";

const ASKED_EVENT_TYPES = [...EVENT_TYPES, "ALL"] as const;

type EventsOptions = {
  readonly property: readonly bigint[];
  readonly type?: (typeof ASKED_EVENT_TYPES)[number];
  readonly owner?: string;
  readonly from?: string;
  readonly to?: string;
  readonly updatedSince?: string;
  readonly updatedUntil?: string;
};

export const eventsCommand = defineDataCommand<EventsOptions>(
  "events",
  "sales, listings and rentals of properties since January 2010; a credit a property, however many events it has",
  [
    "homeprice data events --property 48703143",
    "homeprice data events --property 48703143 48708153 --type sale --from 2020-01-01 --format csv",
    "homeprice data events --property 48703143 --updated-since 2025-01-01 --json",
  ],
  (command) =>
    command
      .addOption(
        new Option("--property <id...>", "property id, several times if need be")
          .argParser(collecting(parseId))
          .makeOptionMandatory(),
      )
      .addOption(
        new Option("--type <type>", `one of ${ASKED_EVENT_TYPES.join(", ")}`).argParser(choiceOf(ASKED_EVENT_TYPES)),
      )
      .option("--owner <name>", "large-scale operator that owned it at the event, an upper-case name")
      .option("--from <date>", "first date of an event, YYYY-MM-DD")
      .option("--to <date>", "last date of an event")
      .option("--updated-since <date>", "only events whose record changed on this date or after it")
      .option("--updated-until <date>", "only events whose record changed on this date or before it"),
  (options) => {
    const request = given({
      svc_property_ids: [...options.property],
      event_type: options.type,
      entity_owner_name: options.owner,
      start_date: options.from,
      end_date: options.to,
      record_updated_date_start: options.updatedSince,
      record_updated_date_end: options.updatedUntil,
    });
    return { calls: [{ endpoint: "property/event_history", request }], what: "event" };
  },
);
