import { InvalidArgumentError, Option } from "commander";
import { InvalidConfigurationError } from "../../../configuration/loadConfiguration.ts";
import { parseExactJson } from "../../../service/exactJson.ts";
import { toNeutralNames } from "../../../service/makerNames.ts";
import { PROPERTY_TYPES, type PropertyType } from "../../../service/schemas/vocabulary.ts";
import { choiceOf, collecting, countOf, parseId, parseNumber } from "../../optionParsers.ts";
import { readInput } from "../../readInput.ts";
import { given } from "./dataCall.ts";
import { defineDataCommand } from "./dataCommand.ts";

type Circle = { readonly latitude: number; readonly longitude: number; readonly radius: number };

type SearchOptions = {
  readonly request?: string;
  readonly market?: readonly bigint[];
  readonly property?: readonly bigint[];
  readonly near?: Circle;
  readonly propertyType?: readonly PropertyType[];
  readonly minBeds?: number;
  readonly maxBeds?: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly eventName?: readonly string[];
  readonly eventFrom?: string;
  readonly eventTo?: string;
  readonly owner?: readonly string[];
  readonly seller?: readonly string[];
  readonly currentOwner?: string;
  readonly events?: boolean;
  readonly fullHistory?: boolean;
  readonly idsOnly?: boolean;
};

type RequestObject = Readonly<Record<string, unknown>>;

const EXPLANATION = `
Give one scope: --market, --property or --near. Whatever the options do not cover goes into --request, a JSON object with
the fields of the service's v2 property search; options come before it. Its limit counts like --max.
In CSV and tables, a property with several events has a row for each.
`;

export const searchPropertiesCommand = defineDataCommand<SearchOptions>(
  "search",
  "properties with their events, by markets, ids or a circle (property search v2); a credit a property",
  [
    "homeprice data search --market 5269136 --event-name sold --event-from 2025-01-01 --events --max 200",
    "homeprice data search --near 41.94,-87.65,0.5 --property-type single-family --min-beds 3 --format csv --max 100",
    "homeprice data search --property 48703143 48708153 --full-history --json",
    "homeprice data search --request request.json --output found.csv --max 1000",
    "homeprice data search --request - --estimate < request.json",
  ],
  (command) =>
    command
      .option("--request <file>", "the request as JSON; - is standard input")
      .addOption(new Option("--market <id...>", "in these markets").argParser(collecting(parseId)))
      .addOption(new Option("--property <id...>", "these properties").argParser(collecting(parseId)))
      .addOption(
        new Option("--near <latitude,longitude,miles>", "in a circle of at most 10 miles").argParser(parseCircle),
      )
      .addOption(
        new Option("--property-type <type...>", `any of ${PROPERTY_TYPES.join(", ")}`).argParser(
          collecting(choiceOf(PROPERTY_TYPES)),
        ),
      )
      .option("--min-beds <number>", "bedrooms, at least", countOf(0))
      .option("--max-beds <number>", "bedrooms, at most", countOf(0))
      .option("--min-price <usd>", "price of an event, at least", parseNumber)
      .option("--max-price <usd>", "price of an event, at most", parseNumber)
      .addOption(
        new Option("--event-name <name...>", "with any of these events, such as SOLD or LISTED_RENT").argParser(
          collecting(upperCase),
        ),
      )
      .option("--event-from <date>", "first date of an event, YYYY-MM-DD")
      .option("--event-to <date>", "last date of an event")
      .addOption(
        new Option("--owner <name...>", "large-scale operators that own it, or owned it").argParser(
          collecting(upperCase),
        ),
      )
      .addOption(
        new Option("--seller <name...>", "large-scale operators that sold it").argParser(collecting(upperCase)),
      )
      .option("--current-owner <name>", "large-scale operator that owns it now", upperCase)
      .option("--events", "with the events that match")
      .option("--full-history", "with every event of a property")
      .option("--ids-only", "without what is known of the property")
      .addHelpText("after", EXPLANATION),
  async (options, { configuration }) => {
    const { limit, ...base } =
      options.request === undefined
        ? ({} as RequestObject)
        : await readRequest(options.request, async () => (await configuration()).idPrefix);
    if (limit !== undefined && !isCount(limit)) throw invalidRequest("limit is no whole number above 0");
    const request = {
      ...base,
      ...given({ svc_ids: options.market, svc_property_ids: options.property, geo_coordinates: options.near }),
      ...merged(base, "property_filters", {
        property_types: options.propertyType,
        min_beds: options.minBeds,
        max_beds: options.maxBeds,
        current_entity_owner_name: options.currentOwner,
        include_property_details: options.idsOnly ? 0 : undefined,
      }),
      ...merged(base, "event_filters", {
        event_names: options.eventName,
        min_event_date: options.eventFrom,
        max_event_date: options.eventTo,
        min_price: options.minPrice,
        max_price: options.maxPrice,
        include_events: options.events || options.fullHistory ? 1 : undefined,
        include_full_event_history: options.fullHistory ? 1 : undefined,
      }),
      ...merged(base, "owner_filters", { owner_name: options.owner, entity_seller_name: options.seller }),
    };
    return { calls: [{ endpoint: "property_search/v2", request }], what: "property", maxItems: limit };
  },
);

/** The filters of an object in the request, with those of options over them; nothing where there are none. */
function merged(request: RequestObject, name: string, filters: RequestObject): RequestObject {
  const inRequest = request[name];
  if (inRequest !== undefined && (typeof inRequest !== "object" || inRequest === null))
    throw invalidRequest(`${name} is no object`);
  const both = { ...(inRequest as object | undefined), ...given(filters) };
  return Object.keys(both).length === 0 ? {} : { [name]: both };
}

async function readRequest(path: string, idPrefix: () => Promise<string>): Promise<RequestObject> {
  const text = await readInput(path);
  let request: unknown;
  try {
    request = parseExactJson(text);
  } catch {
    throw invalidRequest("it is no JSON");
  }
  if (typeof request !== "object" || request === null || Array.isArray(request))
    throw invalidRequest("it is no object");
  // A request that was written for the live service has the maker's names in it.
  return toNeutralNames(request, await idPrefix()) as RequestObject;
}

function invalidRequest(problem: string): InvalidConfigurationError {
  return new InvalidConfigurationError(
    "INVALID_REQUEST",
    `the request cannot be used: ${problem}`,
    'Give a JSON object, such as {"svc_ids": [5269136], "property_filters": {"min_beds": 3}}.',
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function parseCircle(text: string): Circle {
  const [latitude, longitude, radius, ...more] = text.split(",").map((part) => parseNumber(part.trim()));
  if (latitude !== undefined && longitude !== undefined && radius !== undefined && more.length === 0) {
    return { latitude, longitude, radius };
  }
  throw new InvalidArgumentError(
    `"${text}" is no circle: give latitude, longitude and radius in miles, such as 41.94,-87.65,0.5.`,
  );
}

function upperCase(text: string): string {
  return text.toUpperCase().replaceAll("-", "_");
}
