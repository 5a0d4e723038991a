import { type Answered, validationAnswer } from "./answer.ts";

/** What a request's body says, or the 422 of the service's framework for one that is absent or no JSON. */
export function parseJsonBody(bodyText: string): Answered<unknown> {
  if (bodyText === "") {
    const problem = { type: "missing", loc: ["body"], msg: "Field required", input: null };
    return { ok: false, answer: validationAnswer(problem) };
  }
  try {
    return { ok: true, value: JSON.parse(bodyText) };
  } catch (error) {
    const ctx = { error: error instanceof Error ? error.message : "not JSON" };
    const problem = { type: "json_invalid", loc: ["body", 0], msg: "JSON decode error", input: {}, ctx };
    return { ok: false, answer: validationAnswer(problem) };
  }
}
