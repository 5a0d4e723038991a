import type { Candidates, Property } from "../../world/properties.ts";
import type { World } from "../../world/world.ts";
import type { ValuesOf } from "../simulatedEndpoint.ts";
import { propertiesOfIds } from "./propertiesOfIds.ts";

type Scope = Pick<ValuesOf<"property_search/v2">, "svc_property_ids" | "svc_ids" | "geo_coordinates">;

/** The properties that a search of v2 looks at, by id, ascending and each but once. */
export function propertiesInScope(world: World, scope: Scope, candidates: Candidates): Iterable<Property> {
  const { svc_property_ids: ids, svc_ids: marketIds = [], geo_coordinates: circle } = scope;
  if (ids) return propertiesOfIds(world, ids);
  if (circle) {
    const { latitude, longitude, radius: radiusMiles } = circle;
    return world.properties.around({ latitude, longitude, radiusMiles });
  }
  const markets = [...new Set(marketIds)].flatMap((id) => world.market(id) ?? []);
  return mergedById(markets.map((market) => world.properties.inMarket(market, candidates)));
}

/** One list of several that are each in the order of ids; what is in more than one comes once. */
function* mergedById(lists: readonly Iterator<Property>[]): Generator<Property> {
  const heads: Head[] = [];
  const advance = (list: Iterator<Property>) => {
    const next = list.next();
    if (!next.done) insertById(heads, { property: next.value, list });
  };
  lists.forEach(advance);
  let last: bigint | undefined;
  for (let head = heads.pop(); head; head = heads.pop()) {
    const id = head.property.record.svc_property_id;
    if (id !== last) yield head.property;
    last = id;
    advance(head.list);
  }
}

/** The next property of a list. */
type Head = { readonly property: Property; readonly list: Iterator<Property> };

/** Keeps the head with the lowest id last. */
function insertById(heads: Head[], head: Head): void {
  const id = head.property.record.svc_property_id;
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = heads[middle]?.property.record.svc_property_id ?? 0n;
    if (other > id) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
