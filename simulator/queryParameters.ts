import { type Answered, validationAnswer } from "./answer.ts";

/** A whole number of the query, within bounds; `fallback` when it is absent. */
export function parseCount(
  query: URLSearchParams,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): Answered<number> {
  const input = query.get(name);
  if (input === null) return { ok: true, value: fallback };
  const loc = ["query", name];
  if (!/^[+-]?\d+$/.test(input)) {
    const msg = "Input should be a valid integer, unable to parse string as an integer";
    return { ok: false, answer: validationAnswer({ type: "int_parsing", loc, msg, input }) };
  }
  const value = Number(input);
  if (value < min) {
    const msg = `Input should be greater than or equal to ${min}`;
    return { ok: false, answer: validationAnswer({ type: "greater_than_equal", loc, msg, input, ctx: { ge: min } }) };
  }
  if (value > max) {
    const msg = `Input should be less than or equal to ${max}`;
    return { ok: false, answer: validationAnswer({ type: "less_than_equal", loc, msg, input, ctx: { le: max } }) };
  }
  return { ok: true, value };
}

/** One of some words in the query, in capitals however it was written; `fallback` when it is absent or empty. */
export function parseChoice(
  query: URLSearchParams,
  name: string,
  choices: readonly string[],
  fallback: string,
): Answered<string> {
  const input = query.get(name);
  if (input === null || input === "") return { ok: true, value: fallback };
  const value = input.toUpperCase();
  if (choices.includes(value)) return { ok: true, value };
  const expected = choices.map((choice) => `'${choice}'`).join(", ");
  const msg = `Input should be ${expected}`;
  return { ok: false, answer: validationAnswer({ type: "enum", loc: ["query", name], msg, input, ctx: { expected } }) };
}
