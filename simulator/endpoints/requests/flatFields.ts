/**
 * Where fields of property search v2 belong that the specification lists without a place. Public clients send them in
 * these objects; whoever takes the list literally sends them at the top.
 */
const PARENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    include_property_details: "property_filters",
    has_pool: "property_filters",
    current_on_market_flag: "property_filters",
    current_on_market_rental_flag: "property_filters",
    current_entity_owner_name: "property_filters",
    min_record_added_date: "property_filters",
    max_record_added_date: "property_filters",
    include_events: "event_filters",
    include_full_event_history: "event_filters",
    min_record_updated_date: "event_filters",
    max_record_updated_date: "event_filters",
    owner_name: "owner_filters",
    entity_seller_name: "owner_filters",
  }),
);

/** Lists where they belong; at the top the specification calls them strings. */
const LISTS: readonly string[] = ["owner_name", "entity_seller_name"];

/** A body with its flat fields where they belong, and the names of those that were moved, with the way to them now. */
export type NestedBody = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly moved: readonly { readonly name: string; readonly parent: string }[];
};

/** Puts flat fields into the objects they belong in; one that is in both places stays at the top, and is unknown there. */
export function nestFlatFields(body: Readonly<Record<string, unknown>>): NestedBody {
  const nested: Record<string, unknown> = { ...body };
  const moved: { name: string; parent: string }[] = [];
  for (const [name, value] of Object.entries(body)) {
    const parent = PARENTS.get(name);
    const object = parent === undefined ? undefined : (nested[parent] ?? {});
    if (parent === undefined || typeof object !== "object" || object === null || Object.hasOwn(object, name)) continue;
    delete nested[name];
    nested[parent] = { ...object, [name]: LISTS.includes(name) && typeof value === "string" ? [value] : value };
    moved.push({ name, parent });
  }
  return { body: nested, moved };
}
