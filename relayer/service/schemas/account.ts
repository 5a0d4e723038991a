import * as z from "zod";
import { quantity } from "./quantity.ts";

/** The account block of an answer: estimates in credits. */
export const accountBlock = z.looseObject({
  est_credits_used: quantity.nullish().describe("credits that this request used, estimated"),
  est_remaining_credits: quantity.nullish().describe("credits left after this request, estimated"),
});
