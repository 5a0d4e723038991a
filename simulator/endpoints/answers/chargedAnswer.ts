import { type Answer, accountBlock, creditLimitAnswer, detailAnswer, jsonAnswer } from "../../answer.ts";
import { type ChargedFor, creditCost } from "../../creditCosts.ts";
import { wireJson } from "../../world/wireJson.ts";
import type { EndpointRequest, ServiceState } from "../endpoint.ts";

/** What was found for one page of an answer. */
export type Found = {
  /** Records of this page. */
  readonly count: number;
  readonly chargedFor: ChargedFor;
  /** Of the records, how many are charged for; default all. */
  readonly charged?: number;
  /** Makes the records, once they are paid for. */
  readonly records: () => Iterable<object>;
};

type Json = Record<string, unknown>;

/**
 * The answer with what was found: 404 when that is nothing, 429 when it costs more credits than are left.
 * @param bodyOf Puts records and account into the form of the endpoint's answers.
 */
export function chargedAnswer(
  { count, chargedFor, charged = count, records }: Found,
  { nowMs }: EndpointRequest,
  { credits, idPrefix }: ServiceState,
  bodyOf: (records: readonly Json[], account: Json) => Json,
): Answer {
  if (count === 0) return detailAnswer(404, "Nothing found");
  const cost = creditCost(chargedFor, charged);
  if (!credits.canSpend(cost, nowMs)) return creditLimitAnswer(cost, credits.remaining(nowMs));
  const json = Array.from(records(), (record) => wireJson(record, idPrefix));
  return jsonAnswer(200, bodyOf(json, accountBlock(cost, credits.spend(cost, nowMs))));
}
