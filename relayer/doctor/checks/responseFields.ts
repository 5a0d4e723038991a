import type { LatestResponseFields } from "../../service/latestResponseFields.ts";
import { valueAt } from "../../service/latestResponseFields.ts";
import type { ServiceClient } from "../../service/serviceClient.ts";
import { UnexpectedResponseError } from "../../service/serviceErrors.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { LatestAnswer } from "../askLatestPrices.ts";
import type { SharedCheck } from "../check.ts";
import { failed, ok, skipped, warning } from "../finding.ts";

/** Names of the fields of an item; without the signature, or without a message and what it could be rebuilt from, it is of no use. */
const ITEM_FIELDS = [
  "marketId",
  "date",
  "price",
  "publishTime",
  "expiry",
  "signature",
  "publicKey",
  "message",
] as const satisfies readonly (keyof LatestResponseFields)[];

const CORRECT = "Set responseFields (HOMEPRICE_RESPONSE_FIELDS) to the names that the service uses";

export const responseFieldsCheck: SharedCheck = {
  scope: "shared",
  name: "response-fields",
  about: "the fields of an answer are where responseFields says",
  needs: ["api-key"],
  keys: [],
  run: async ({ client, latestAnswers }) => {
    const answers = await latestAnswers();
    const unexpected = answers.find(({ error }) => error instanceof UnexpectedResponseError);
    if (unexpected?.error) return failed(unexpected.error.message, unexpected.error.hint);
    const items = answers.flatMap((answer) => answer.items);
    const [first] = items;
    if (items.length === 0) return skipped("no item came to look at");

    const refusals = answers.flatMap(refusalsOf);
    if (refusals.length > 0) {
      return failed(listSome(refusals), `${CORRECT}. The item has ${namesIn(first, client())}.`);
    }
    const { responseFields } = client();
    const absent = ITEM_FIELDS.filter((field) =>
      items.some((item) => valueAt(item, responseFields[field]) === undefined),
    );
    if (absent.length === 0) return ok("every field is where it is looked for");
    const places = absent.map((field) => `${field} in ${responseFields[field]}`).join(", ");
    return warning(
      `there is no ${places}`,
      `Nothing depends on it, but what is absent cannot be compared with the signed message. ${CORRECT} if it has them; the item has ${namesIn(first, client())}.`,
    );
  },
};

/** Items that could not be read at all; an item that nobody asked for is another matter. */
function refusalsOf({ latest, kind }: LatestAnswer): string[] {
  return (latest?.refused ?? [])
    .filter(({ refusal }) => refusal.code === "MalformedItem")
    .map(({ marketId, refusal }) =>
      marketId === undefined ? refusal.message : `${feedName({ marketId, kind })}: ${refusal.message}`,
    );
}

/** Names of the fields that an item has, those of nested ones with dots. */
function namesIn(item: unknown, { clean }: ServiceClient): string {
  return clean(fieldNames(item).join(", ")) || "no fields";
}

function fieldNames(container: unknown): string[] {
  if (typeof container !== "object" || container === null || Array.isArray(container)) return [];
  return Object.entries(container).flatMap(([name, value]) => {
    const inner = fieldNames(value);
    return inner.length === 0 ? [name] : inner.map((each) => `${name}.${each}`);
  });
}
