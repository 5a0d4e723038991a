/** Number literals longer than this are handed on unread: no price, time or id needs as much. */
const MAX_LITERAL_LENGTH = 100;

/**
 * Parses JSON without ever changing a number: a literal that a double holds exactly as written (`216.94`) becomes a
 * number, every other one (`12345678901.12345678`, `1e400`) the text of the literal. Who reads a number therefore
 * accepts both; `String(value)` gives the exact decimal in either case.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, keepExact);
}

/** The third argument is that of ECMAScript's "JSON.parse source text access", in Node since version 22. */
function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return isExact(value, context.source) ? value : context.source;
}

/** Whether the shortest decimal text of a double is the same number as the literal that it was read from. */
function isExact(value: number, literal: string): boolean {
  if (String(value) === literal) return true;
  if (literal.length > MAX_LITERAL_LENGTH || !Number.isFinite(value)) return false;
  const written = significantDigits(literal);
  const read = significantDigits(String(value));
  return written.digits === read.digits && written.exponent === read.exponent;
}

/** A literal as `±digits · 10^exponent` without zeros at either end, so that equal numbers have equal parts. */
function significantDigits(literal: string): { digits: string; exponent: number } {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^(-?)0+/, "$1");
  const trimmed = digits.replace(/0+$/, "");
  if (trimmed === "" || trimmed === "-") return { digits: "", exponent: 0 };
  return { digits: trimmed, exponent: Number(exponent) - fraction.length + digits.length - trimmed.length };
}

/** JSON text of plain values in which integers may be bigint; what is undefined is left out. */
export function writeExactJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((part) => writeExactJson(part ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeExactJson(member)}`).join(",")}}`;
}
