import type { Property } from "../../world/properties.ts";
import type { World } from "../../world/world.ts";

/** The properties of some ids by id, ascending and each but once; ids that nobody has are left out. */
export function* propertiesOfIds({ properties }: World, ids: readonly bigint[]): Generator<Property> {
  for (const id of [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))) {
    const property = properties.byId(id);
    if (property) yield property;
  }
}
