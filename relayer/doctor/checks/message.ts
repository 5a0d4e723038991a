import type { ExaminedPrice } from "../../message/examinedPrice.ts";
import { MESSAGE_LENGTH } from "../../message/messageLayout.ts";
import { DISCOVER_LAYOUT } from "../../wording/discoverLayout.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { SharedCheck } from "../check.ts";
import { failed, ok, skipped } from "../finding.ts";

export const messageCheck: SharedCheck = {
  scope: "shared",
  name: "message",
  about: `the signed message has ${MESSAGE_LENGTH} bytes, and makes sense by the configured layout`,
  needs: ["api-key"],
  keys: ["layout", "rentalOffset"],
  run: async ({ prices: fetchPrices }) => {
    const prices = await fetchPrices();
    if (prices.length === 0) return skipped("no price came that could be read");
    const refusals = prices.flatMap(({ received, message }) =>
      message.ok ? [] : [{ received, refusal: message.refusal }],
    );
    if (refusals.length > 0) {
      const found = refusals.map(({ received, refusal }) => `${feedName(received)}: ${refusal.message}`);
      return failed(listSome(found), hintFor(prices));
    }
    const rebuilt = prices.some(({ received }) => !received.message);
    return ok(
      rebuilt
        ? `no message came; one of ${MESSAGE_LENGTH} bytes can be rebuilt from the fields of the answer`
        : `${MESSAGE_LENGTH} bytes that agree with the fields beside them`,
    );
  },
};

function hintFor(prices: readonly ExaminedPrice[]): string {
  const refused = prices.filter(({ message }) => !message.ok);
  if (refused.every(({ message }) => !message.ok && message.refusal.code === "InvalidMessageLength")) {
    return `The oracle takes messages of ${MESSAGE_LENGTH} bytes only. If responseFields.message names the right field, the service's format has changed: see its release notes, and for a newer version of this program.`;
  }
  if (refused.every(({ received }) => !received.message)) {
    return "Set responseFields (HOMEPRICE_RESPONSE_FIELDS) to the names of the fields that the message consists of, or to that of the message itself.";
  }
  const codes = new Set(refused.map(({ message }) => !message.ok && message.refusal.code));
  // Sales prices are in order: what only rental ones have is the offset.
  const onlyRental = refused.every(({ received }) => received.kind === "rental") && refused.length < prices.length;
  const beforehand = onlyRental
    ? "Check rentalOffset (HOMEPRICE_RENTAL_OFFSET), which only rental prices have. Otherwise the"
    : codes.size === 1 && codes.has("MessageMismatch")
      ? "Check the names and units in responseFields (HOMEPRICE_RESPONSE_FIELDS). If they are right, the"
      : "The";
  return `${beforehand} layout is most likely another one. ${DISCOVER_LAYOUT}`;
}
