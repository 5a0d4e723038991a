import type * as z from "zod";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { housingEvent } from "../../relayer/service/schemas/housingEvent.ts";
import { propertyRecord } from "../../relayer/service/schemas/propertyRecord.ts";
import { inCode, linkTo, table } from "./markdown.ts";
import { type Field, fieldsOf } from "./schemaFields.ts";

/** Records that several endpoints return, each with a section of its own. */
export const SHARED_RECORDS = [
  { heading: "Property record", schema: propertyRecord },
  { heading: "Housing event record", schema: housingEvent },
] as const;

/** So many fields in common are no coincidence, but a shared record. */
const FIELDS_IN_COMMON = 8;

/** A row of a table. Labels of nested fields begin with a dot. */
type Row = { readonly label: string; readonly field: Pick<Field, "type" | "isRequired" | "meaning"> };

/** What a request takes: where each field travels, and whether it has to be given. */
export function requestTable(endpoint: Endpoint, name: string): string {
  const fields = fieldsOf(endpoint.request, name);
  const places = [...new Set(fields.map((field) => placeOf(endpoint, field.name)))];
  const rows = places.flatMap((place) =>
    rowsOf(fields.filter((field) => placeOf(endpoint, field.name) === place)).map(({ label, field }) => [
      label,
      label.startsWith("`.") ? "" : place,
      field.type,
      field.isRequired ? "required" : "",
      field.meaning ?? "",
    ]),
  );
  return table(["field", "in", "type", "", "meaning"], rows);
}

function placeOf({ method, path, queryFields, bodyField }: Endpoint, field: string): string {
  if (path.includes(`{${field}}`)) return "path";
  if (method === "GET" || queryFields.includes(field)) return "query";
  return field === bodyField ? "the whole body" : "body";
}

/** What a record holds; which fields every record has is marked. */
export function recordTable(schema: z.ZodType, path: string): string {
  return table(
    ["field", "type", "", "meaning"],
    rowsOf(fieldsOf(schema, path)).map(({ label, field }) => [
      label,
      field.type,
      field.isRequired ? "always" : "",
      field.meaning ?? "",
    ]),
  );
}

/** Whether a record is one that has a section of its own. */
export function sharedRecordOf(schema: z.ZodType): (typeof SHARED_RECORDS)[number] | undefined {
  return SHARED_RECORDS.find((shared) => shared.schema === schema);
}

/** Siblings that differ in nothing but their name share a row; what has but one row inside is folded into it. */
function rowsOf(fields: readonly Field[], dot = ""): Row[] {
  const shared = sharedFieldsOf(fields);
  const groups: Field[][] = [];
  for (const field of fields.filter(({ name }) => !shared?.names.has(name))) {
    const last = groups.at(-1);
    if (last?.[0] && signatureOf(last[0]) === signatureOf(field)) last.push(field);
    else groups.push([field]);
  }
  const own = groups.flatMap((group): Row[] => {
    const [field] = group;
    if (!field) return [];
    const label = inCode(group.map(({ name }) => `${dot}${name}`));
    const inside = rowsOf(field.fields, ".");
    const [only] = inside;
    if (only && inside.length === 1) {
      const meaning = only.field.meaning ?? field.meaning;
      return [{ label: `${label} › ${only.label}`, field: { ...only.field, meaning } }];
    }
    return [{ label, field }, ...inside];
  });
  return shared ? [...own, shared.row] : own;
}

/** The row that stands for the fields of a shared record, where these fields hold one. */
function sharedFieldsOf(fields: readonly Field[]): { row: Row; names: ReadonlySet<string> } | undefined {
  for (const { heading, schema } of SHARED_RECORDS) {
    if (isSame(fields, schema)) continue;
    const theirs = fieldsOf(schema, heading);
    const common = theirs.filter((field) =>
      fields.some((other) => other.name === field.name && signatureOf(other) === signatureOf(field)),
    );
    if (common.length < FIELDS_IN_COMMON) continue;
    const names = new Set(common.map(({ name }) => name));
    const absent = theirs.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    const without = absent.length > 0 ? `, without ${inCode(absent)}` : "";
    const label = `the fields of the ${linkTo(heading, heading.toLowerCase())}${without}`;
    return { row: { label, field: { type: "", isRequired: false, meaning: undefined } }, names };
  }
  return undefined;
}

/** Whether the fields are the shared record itself, whose section lists them. */
function isSame(fields: readonly Field[], { shape }: (typeof SHARED_RECORDS)[number]["schema"]): boolean {
  return fields.length === Object.keys(shape).length && fields.every(({ name }) => name in shape);
}

function signatureOf({ type, isRequired, meaning, fields }: Field): string {
  return JSON.stringify([type, isRequired, meaning, fields.map((field) => [field.name, signatureOf(field)])]);
}
