import { type Command, Option } from "commander";
import { PROPERTY_TYPES, type PropertyType } from "../../../service/schemas/vocabulary.ts";
import { choiceOf, countOf, parseId, parseYesOrNo } from "../../optionParsers.ts";
import { given } from "./dataCall.ts";
import { defineDataCommand } from "./dataCommand.ts";

/** Filters by a number, as the service names them; each is an option with hyphens. */
const BOUNDS = ["bedrooms", "bathrooms", "square_footage", "year_built"].flatMap((what) => [
  `${what}_min`,
  `${what}_max`,
]);

/** Filters by yes or no. */
const FLAGS = [
  "event_history_sale_flag",
  "event_history_rental_flag",
  "event_history_listing_flag",
  "current_new_construction_flag",
  "current_owner_occupied_flag",
  "current_investor_owned_flag",
  "current_on_market_flag",
  "current_on_market_rental_flag",
  "has_pool",
];

type PropertiesOptions = {
  readonly market: bigint;
  readonly propertyType: PropertyType;
  readonly owner?: string;
  readonly addedSince?: string;
  readonly addedUntil?: string;
  /** The filters of the two lists above. */
  readonly [filter: string]: unknown;
};

export const propertiesCommand = defineDataCommand<PropertiesOptions>(
  "properties",
  "properties of one market by what they are now (property search v1); a credit a property",
  [
    "homeprice data properties --market 5269136 --property-type single-family --max 100",
    "homeprice data properties --market 5269136 --property-type condo --bedrooms-min 2 --has-pool yes --output condos.csv",
    "homeprice data properties --market 5269136 --property-type all-properties --current-on-market-flag yes --max 500 --estimate",
  ],
  (command) => {
    command
      .addOption(new Option("--market <id>", "market id").argParser(parseId).makeOptionMandatory())
      .addOption(
        new Option("--property-type <type>", `one of ${PROPERTY_TYPES.join(", ")}`)
          .argParser(choiceOf(PROPERTY_TYPES))
          .makeOptionMandatory(),
      );
    for (const field of BOUNDS) addFilter(command, field, "number", countOf(0));
    for (const field of FLAGS) addFilter(command, field, "yes|no", parseYesOrNo);
    return command
      .option("--owner <name>", "large-scale operator that owns it now, an upper-case name")
      .option("--added-since <date>", "only properties that came into the service's records on this date or after it")
      .option("--added-until <date>", "only properties that came into them on this date or before it");
  },
  (options) => {
    const filters = [...BOUNDS, ...FLAGS].map((field) => [field, options[optionOf(field)]]);
    const request = given({
      svc_id: options.market,
      property_type: options.propertyType,
      ...Object.fromEntries(filters),
      current_entity_owner_name: options.owner,
      record_added_date_start: options.addedSince,
      record_added_date_end: options.addedUntil,
    });
    return { calls: [{ endpoint: "property/search", request }], what: "property" };
  },
);

function addFilter(command: Command, field: string, value: string, parse: (text: string) => unknown): void {
  const words = field.replaceAll("_", " ");
  command.addOption(new Option(`--${field.replaceAll("_", "-")} <${value}>`, `only with ${words}`).argParser(parse));
}

/** The name under which commander hands an option on. */
function optionOf(field: string): string {
  return field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
