import type * as z from "zod";
import { type Answered, type ValidationProblem, validationAnswer } from "./answer.ts";
import { parseJsonBody } from "./jsonBody.ts";

type Issue = z.core.$ZodIssue;
type Location = readonly (string | number)[];

/** A body that a schema describes, or the 422 that the service's framework answers to one that it does not. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, bodyText: string): Answered<z.output<Schema>> {
  const body = parseJsonBody(bodyText);
  if (!body.ok) return body;
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, body.value));
  return { ok: false, answer: validationAnswer(...problems) };
}

/** Says what is wrong with a value that no schema can judge. */
export function valueProblem(loc: Location, input: unknown, reason: string): ValidationProblem {
  return { type: "value_error", loc: ["body", ...loc], msg: `Value error, ${reason}`, input };
}

function problemsOf(issue: Issue, body: unknown): ValidationProblem[] {
  const path = issue.path.filter((key) => typeof key !== "symbol");
  const loc = ["body", ...path];
  const input = valueAt(body, path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      type: "extra_forbidden",
      loc: [...loc, key],
      msg: "Extra inputs are not permitted",
      input: valueAt(body, [...path, key]),
    }));
  }
  if (input === undefined) {
    return [{ type: "missing", loc, msg: "Field required", input: valueAt(body, path.slice(0, -1)) }];
  }
  return [{ type: issue.code, loc, msg: issue.message, input }];
}

function valueAt(body: unknown, path: Location): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}
