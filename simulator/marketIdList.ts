import { type Answered, type ValidationProblem, validationAnswer } from "./answer.ts";
import { parseJsonBody } from "./jsonBody.ts";

/** Most ids of one bulk request (specification, limits). */
export const MAX_IDS = 1000;

/**
 * The market ids of a bulk request's body, without repetitions. The list stands under `svc_ids`, or under `svc_id` as
 * the maker's own client sends it; ids are integers or their decimal text.
 */
export function parseMarketIdList(bodyText: string, idPrefix: string): Answered<bigint[]> {
  const parsed = parseJsonBody(bodyText);
  if (!parsed.ok) return parsed;
  const body = parsed.value;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    const msg = "Input should be a valid dictionary or object to extract fields from";
    return invalid({ type: "model_attributes_type", loc: ["body"], msg, input: body });
  }
  const names = [`${idPrefix}_ids`, `${idPrefix}_id`];
  const [name] = names.filter((name) => Object.hasOwn(body, name));
  if (name === undefined) {
    return invalid({ type: "missing", loc: ["body", `${idPrefix}_ids`], msg: "Field required", input: body });
  }
  return parseIds(Object.entries(body).find(([key]) => key === name)?.[1], ["body", name]);
}

function parseIds(input: unknown, loc: readonly string[]): Answered<bigint[]> {
  if (!Array.isArray(input)) {
    return invalid({ type: "list_type", loc, msg: "Input should be a valid list", input });
  }
  if (input.length === 0) {
    const msg = "List should have at least 1 item after validation, not 0";
    return invalid({ type: "too_short", loc, msg, input, ctx: { min_length: 1, actual_length: 0 } });
  }
  if (input.length > MAX_IDS) {
    const msg = `List should have at most ${MAX_IDS} items after validation, not ${input.length}`;
    const ctx = { max_length: MAX_IDS, actual_length: input.length };
    return invalid({ type: "too_long", loc, msg, input, ctx });
  }
  const ids = new Set<bigint>();
  const problems: ValidationProblem[] = [];
  input.forEach((id: unknown, index) => {
    const parsed = parseId(id, [...loc, index]);
    if (typeof parsed === "bigint") ids.add(parsed);
    else problems.push(parsed);
  });
  return problems.length > 0 ? invalid(...problems) : { ok: true, value: [...ids] };
}

function parseId(input: unknown, loc: readonly (string | number)[]): bigint | ValidationProblem {
  const valid = "Input should be a valid integer";
  if (typeof input === "number") {
    if (Number.isInteger(input)) return BigInt(input);
    return { type: "int_from_float", loc, msg: `${valid}, got a number with a fractional part`, input };
  }
  if (typeof input === "string") {
    if (/^\s*[+-]?\d{1,40}\s*$/.test(input)) return BigInt(input.trim().replace(/^\+/, ""));
    return { type: "int_parsing", loc, msg: `${valid}, unable to parse string as an integer`, input };
  }
  return { type: "int_type", loc, msg: valid, input };
}

function invalid(...problems: readonly ValidationProblem[]): {
  ok: false;
  answer: ReturnType<typeof validationAnswer>;
} {
  return { ok: false, answer: validationAnswer(...problems) };
}
