import type { Answer } from "../../answer.ts";
import { propertyMetadata, propertySearchEvent } from "../../world/propertyAnswers.ts";
import type { World } from "../../world/world.ts";
import { chargedAnswer } from "../answers/chargedAnswer.ts";
import { itemsAnswer } from "../answers/itemsAnswer.ts";
import { takePage } from "../answers/takePage.ts";
import type { ServiceState } from "../endpoint.ts";
import { worldNow } from "../series/marketRows.ts";
import type { DataSource, ReadRequest, ValuesOf } from "../simulatedEndpoint.ts";
import { type FoundProperty, findProperty, operatorsNamed } from "./searchCriteria.ts";
import { propertiesInScope } from "./searchScope.ts";

type SearchValues = ValuesOf<"property_search/v2">;

/** Properties with their events, by id, in either of the forms that v2 is known to answer in. */
export const propertySearchV2: DataSource<SearchValues> = {
  answer(request, service) {
    const all = propertiesFound(worldNow(request, service), request.values);
    return service.v2Answers === "items" ? inItems(all, request, service) : inProperties(all, request, service);
  },
};

function* propertiesFound(world: World, values: SearchValues): Generator<FoundProperty> {
  for (const property of propertiesInScope(world, values, { operators: operatorsNamed(values) })) {
    const found = findProperty(property, values);
    if (found) yield found;
  }
}

/** The specification's form: a property's fields as in its property record, its events beside them. */
function inItems(all: Iterable<FoundProperty>, request: ReadRequest<SearchValues>, service: ServiceState): Answer {
  const { hasDetails, hasEvents } = partsWanted(request.values);
  const listed = takePage(all, request.page);
  const records = () =>
    listed.map(({ record, events }) => ({
      ...(hasDetails ? record : { svc_property_id: record.svc_property_id }),
      ...(hasEvents && { events: events.map(propertySearchEvent) }),
    }));
  return itemsAnswer({ count: listed.length, chargedFor: "property", records }, request, service);
}

/** The form that public clients saw: details in an object of their own, and how many properties there are in all. */
function inProperties(all: Iterable<FoundProperty>, request: ReadRequest<SearchValues>, service: ServiceState): Answer {
  const { hasDetails, hasEvents } = partsWanted(request.values);
  const { limit, offset } = request.page;
  const found = [...all];
  const listed = found.slice(offset, offset + limit);
  const records = () =>
    listed.map(({ record, events }) => ({
      svc_property_id: record.svc_property_id,
      ...(hasDetails && { property_metadata: propertyMetadata(record) }),
      ...(hasEvents && { events: events.map(propertySearchEvent) }),
    }));
  const page = { count: listed.length, chargedFor: "property", records } as const;
  return chargedAnswer(page, request, service, (data, account) => ({
    data,
    metadata: { results: { total_available: found.length, returned_count: data.length } },
    pagination: { limit, offset, has_more: offset + data.length < found.length },
    account_info: account,
  }));
}

/** Both are there unless they are declined. */
function partsWanted({ property_filters: properties, event_filters: events }: SearchValues) {
  return { hasDetails: properties?.include_property_details !== 0, hasEvents: events?.include_events !== 0 };
}
