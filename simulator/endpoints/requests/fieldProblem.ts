import type * as z from "zod";
import type { ValidationProblem } from "../../answer.ts";

/** Where a field stands in a request: `["body", "svc_ids", 3]`. */
export type Place = readonly (string | number)[];

/** A field that has to be there and is not; `container` is what it should stand in. */
export function missingField(loc: Place, container: unknown): ValidationProblem {
  return { type: "missing", loc, msg: "Field required", input: container ?? null };
}

/** A field that the endpoint does not have. */
export function unknownField(loc: Place, input: unknown): ValidationProblem {
  return { type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input };
}

export function noObject(loc: Place, input: unknown): ValidationProblem {
  const msg = "Input should be a valid dictionary or object to extract fields from";
  return { type: "model_attributes_type", loc, msg, input };
}

export function noList(loc: Place, input: unknown): ValidationProblem {
  return { type: "list_type", loc, msg: "Input should be a valid list", input };
}

export function tooShortList(loc: Place, input: readonly unknown[], least: number): ValidationProblem {
  const items = least === 1 ? "item" : "items";
  const msg = `List should have at least ${least} ${items} after validation, not ${input.length}`;
  return { type: "too_short", loc, msg, input, ctx: { min_length: least, actual_length: input.length } };
}

export function tooLongList(loc: Place, input: readonly unknown[], most: number): ValidationProblem {
  const msg = `List should have at most ${most} items after validation, not ${input.length}`;
  return { type: "too_long", loc, msg, input, ctx: { max_length: most, actual_length: input.length } };
}

export function aboveMaximum(loc: Place, input: unknown, most: number): ValidationProblem {
  const msg = `Input should be less than or equal to ${most}`;
  return { type: "less_than_equal", loc, msg, input, ctx: { le: most } };
}

export function noInteger(loc: Place, input: unknown): ValidationProblem {
  const valid = "Input should be a valid integer";
  if (typeof input === "number") {
    return { type: "int_from_float", loc, msg: `${valid}, got a number with a fractional part`, input };
  }
  if (typeof input === "string") {
    return { type: "int_parsing", loc, msg: `${valid}, unable to parse string as an integer`, input };
  }
  return { type: "int_type", loc, msg: valid, input };
}

export function noNumber(loc: Place, input: unknown): ValidationProblem {
  const valid = "Input should be a valid number";
  return typeof input === "string"
    ? { type: "float_parsing", loc, msg: `${valid}, unable to parse string as a number`, input }
    : { type: "float_type", loc, msg: valid, input };
}

export function noBoolean(loc: Place, input: unknown): ValidationProblem {
  const valid = "Input should be a valid boolean";
  return typeof input === "string" || typeof input === "number"
    ? { type: "bool_parsing", loc, msg: `${valid}, unable to interpret input`, input }
    : { type: "bool_type", loc, msg: valid, input };
}

/** A word outside a fixed vocabulary, which is listed. */
export function noSuchWord(loc: Place, input: unknown, words: readonly string[]): ValidationProblem {
  const quoted = words.map((word) => `'${word}'`);
  const expected = quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return { type: "enum", loc, msg: `Input should be ${expected}`, input, ctx: { expected } };
}

/** A rule that several fields make together. */
export function brokenRule(loc: Place, input: unknown, message: string): ValidationProblem {
  return { type: "value_error", loc, msg: `Value error, ${message}`, input: input ?? null, ctx: { error: {} } };
}

/** What a schema of one text or number says against its value. */
export function valueOutOfBounds(loc: Place, input: unknown, issue: z.core.$ZodIssue): ValidationProblem {
  switch (issue.code) {
    case "too_small":
      return issue.origin === "string" ? tooShortText(loc, input, Number(issue.minimum)) : tooSmall(loc, input, issue);
    case "too_big":
      return aboveMaximum(loc, input, Number(issue.maximum));
    case "invalid_format":
      return issue.format === "date" ? noDate(loc, input) : noMatch(loc, input, issue.pattern ?? "");
    case "invalid_type":
      return { type: `${issue.expected}_type`, loc, msg: `Input should be a valid ${issue.expected}`, input };
    default:
      return brokenRule(loc, input, issue.message);
  }
}

function tooShortText(loc: Place, input: unknown, least: number): ValidationProblem {
  const msg = `String should have at least ${least} character${least === 1 ? "" : "s"}`;
  return { type: "string_too_short", loc, msg, input, ctx: { min_length: least } };
}

function tooSmall(loc: Place, input: unknown, { minimum, inclusive }: z.core.$ZodIssueTooSmall): ValidationProblem {
  const least = Number(minimum);
  return inclusive
    ? {
        type: "greater_than_equal",
        loc,
        msg: `Input should be greater than or equal to ${least}`,
        input,
        ctx: { ge: least },
      }
    : { type: "greater_than", loc, msg: `Input should be greater than ${least}`, input, ctx: { gt: least } };
}

function noMatch(loc: Place, input: unknown, pattern: string): ValidationProblem {
  const source = pattern.replace(/^\/(.*)\/\w*$/, "$1");
  const msg = `String should match pattern '${source}'`;
  return { type: "string_pattern_mismatch", loc, msg, input, ctx: { pattern: source } };
}

/** The framework takes dates and times alike, and says what it stumbled over. */
function noDate(loc: Place, input: unknown): ValidationProblem {
  const error = dateError(String(input));
  const msg = `Input should be a valid date or datetime, ${error}`;
  return { type: "date_from_datetime_parsing", loc, msg, input, ctx: { error } };
}

function dateError(text: string): string {
  if (text.length < 10) return "input is too short";
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return "invalid character in year";
  if (Number(month) < 1 || Number(month) > 12) return "month value is outside expected range of 1-12";
  return day === undefined ? "invalid character in day" : "day value is outside expected range";
}
