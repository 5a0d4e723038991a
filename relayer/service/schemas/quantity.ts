import * as z from "zod";
import { formatDecimal, parseDecimal } from "../../message/decimalPrice.ts";

const NUMBER = /^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/;

/** A number, or the text of one: {@link parseExactJson} hands on as text what a double does not hold exactly. */
const written = z.union([z.number(), z.string().regex(NUMBER, "must be a number")]);

/** A count, a percentage or a measure: not money, so that a double is good enough. */
export const quantity = written.transform(Number);

/** Money: the exact decimal text, such as `216.94`. */
export const money = written.transform((value) => formatDecimal(parseDecimal(String(value))));
