import * as z from "zod";
import type { Endpoint as EndpointRow } from "../../../relayer/service/endpoints/endpoint.ts";
import { toWireName } from "../../../relayer/service/makerNames.ts";
import { type Answered, type ValidationProblem, validationAnswer } from "../../answer.ts";
import { parseJsonBody } from "../../jsonBody.ts";
import type { EndpointRequest } from "../endpoint.ts";
import { noObject, type Place, unknownField } from "./fieldProblem.ts";
import { nestFlatFields } from "./flatFields.ts";
import type { Given } from "./readField.ts";

/** The parts of a request that carry fields. */
export type RequestParts = Pick<EndpointRequest, "pathParameters" | "query" | "bodyText">;

/** A request's fields by their names in the endpoint table, with where each of them stood. */
export type GivenFields = {
  readonly fields: ReadonlyMap<string, Given>;
  /** What fields of the body stand in. */
  readonly body?: object;
  /** Fields that the endpoint does not have. */
  readonly unknown: readonly ValidationProblem[];
  /** Fields that stood elsewhere than where they are read. */
  readonly moved: readonly { readonly from: Place; readonly to: Place }[];
};

/** Rows of a page, which public clients repeat in bodies. */
const PAGING_FIELDS: readonly string[] = ["limit", "offset"];

/** The fields of an endpoint's requests, by the schema of its row. */
export function fieldSchemas({ request, path }: EndpointRow): Readonly<Record<string, z.ZodType>> {
  if (request instanceof z.ZodObject) return request.shape as Readonly<Record<string, z.ZodType>>;
  throw new TypeError(`the request of ${path} is no object: the simulator cannot tell its fields`);
}

/** Where a field of an endpoint stands in its requests. */
export function partOf({ method, path, queryFields }: EndpointRow, name: string): "path" | "query" | "body" {
  if (path.includes(`{${name}}`)) return "path";
  return method === "GET" || queryFields.includes(name) ? "query" : "body";
}

/** Finds the fields of a request wherever they are read, under any of the names that they are known to be sent by. */
export function gatherFields(
  row: EndpointRow,
  { pathParameters, query, bodyText }: RequestParts,
  idPrefix: string,
): Answered<GivenFields> {
  const fields = new Map<string, Given>();
  const unknown: ValidationProblem[] = [];
  const names = new Map(Object.keys(fieldSchemas(row)).map((name) => [toWireName(name, idPrefix), name]));
  for (const [name, input] of Object.entries(pathParameters)) {
    fields.set(name, { input, loc: ["path", toWireName(name, idPrefix)] });
  }
  for (const [wireName, input] of query) {
    const name = names.get(wireName);
    if (name !== undefined && partOf(row, name) === "query") fields.set(name, { input, loc: ["query", wireName] });
    else unknown.push(unknownField(["query", wireName], input));
  }
  if (row.method === "GET") return { ok: true, value: { fields, unknown, moved: [] } };

  const body = parseJsonBody(bodyText);
  if (!body.ok) return body;
  if (row.bodyField !== undefined) {
    fields.set(row.bodyField, bareList(body.value));
    return { ok: true, value: { fields, unknown, moved: [] } };
  }
  if (typeof body.value !== "object" || body.value === null || Array.isArray(body.value)) {
    return { ok: false, answer: validationAnswer(noObject(["body"], body.value)) };
  }
  // Of v2 all parts of a request are read in either place.
  const isV2 = row.answer === "properties";
  const { body: nested, moved } = isV2 ? nestFlatFields({ ...body.value }) : { body: { ...body.value }, moved: [] };
  const singular = row.idList && !isV2 ? toWireName(row.idList.field, idPrefix).replace(/s$/, "") : undefined;
  for (const [wireName, input] of Object.entries(nested)) {
    const isSingular = wireName === singular && !Object.hasOwn(nested, `${singular}s`);
    const name = isSingular ? row.idList?.field : names.get(wireName);
    const field = { input, loc: ["body", wireName] };
    if (name !== undefined && partOf(row, name) === "body") fields.set(name, field);
    else if (!PAGING_FIELDS.includes(wireName)) unknown.push(unknownField(field.loc, input));
    // A page size in the body of a bulk request was seen to be ignored; the specification lists those of v2 as its fields.
    else if (isV2 && !fields.has(wireName)) fields.set(wireName, field);
  }
  const places = moved.map(({ name, parent }) => ({ from: ["body", parent, name], to: ["body", name] }));
  return { ok: true, value: { fields, body: body.value, unknown, moved: places } };
}

/** The list that is the whole body, or the only list in an object, whatever its name. */
function bareList(body: unknown): Given {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    const [[name, list] = [], ...others] = Object.entries(body);
    if (name !== undefined && others.length === 0) return { input: list, loc: ["body", name] };
  }
  return { input: body, loc: ["body"] };
}
