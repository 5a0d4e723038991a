import type { Endpoint as EndpointRow } from "../../../relayer/service/endpoints/endpoint.ts";
import { toWireName } from "../../../relayer/service/makerNames.ts";
import type { RequestValues } from "../../../relayer/service/rules/requestRule.ts";
import { type Answered, type ValidationProblem, validationAnswer } from "../../answer.ts";
import { brokenRules } from "./brokenRules.ts";
import { fieldSchemas, type GivenFields, gatherFields, partOf, type RequestParts } from "./givenFields.ts";
import { type FieldReading, readField } from "./readField.ts";

export type RequestReading = Pick<FieldReading, "idPrefix" | "isLenient">;

/**
 * What a request asks for, under the names of the endpoint table, or the 422 that says everything that is wrong with it:
 * fields by the row's schema, pages and lists by its limits, and then its rules.
 */
export function readRequest(
  row: EndpointRow,
  request: RequestParts,
  { idPrefix, isLenient }: RequestReading,
): Answered<RequestValues> {
  const given = gatherFields(row, request, idPrefix);
  if (!given.ok) return given;
  const { fields, body, unknown, moved } = given.value;

  const problems: ValidationProblem[] = [];
  const reading: FieldReading = { idPrefix, isLenient, problems };
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fieldSchemas(row))) {
    const absent = { input: undefined, loc: [partOf(row, name), toWireName(name, idPrefix)], container: body };
    const value = readField(schema, fields.get(name) ?? absent, reading);
    if (value !== undefined) values[name] = value;
  }
  problems.push(...unknown);
  if (problems.length === 0) problems.push(...brokenRules(row, values, fields, idPrefix));
  if (problems.length === 0) return { ok: true, value: values };
  return { ok: false, answer: validationAnswer(...problems.map((problem) => asWritten(problem, moved))) };
}

/** Names the place where a moved field really stood. */
function asWritten(problem: ValidationProblem, moved: GivenFields["moved"]): ValidationProblem {
  const { loc } = problem;
  const move = moved.find(({ from }) => from.every((step, index) => step === loc[index]));
  return move ? { ...problem, loc: [...move.to, ...loc.slice(move.from.length)] } : problem;
}
