/** JSON whose numbers are written digit by digit, so that no price ever passes through a floating-point number. */

declare global {
  interface JSON {
    /** Of the JavaScript engine since Node 21: a value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): unknown;
  }
}

/** A value that `JSON.stringify` writes as this number, with exactly these digits: `216.90` stays `216.90`. */
export function exactNumber(number: string | bigint): unknown {
  const text = number.toString();
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) throw new RangeError(`"${text}" is not a plain JSON number`);
  return JSON.rawJSON(text);
}
