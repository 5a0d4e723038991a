import type { Condition } from "../watch/condition.ts";
import { DISCOVER_LAYOUT } from "../wording/discoverLayout.ts";
import { feedName } from "../wording/feedName.ts";
import { listSome } from "../wording/listSome.ts";
import type { SignatureDiagnosis } from "./signatureDiagnosis.ts";

/** A changed key or layout, and what the oracle's owner has to do about it before anything can be sent again. */
export function signatureCondition(
  { cause, newKeys, explained, example }: SignatureDiagnosis,
  signerDelaySeconds: bigint | undefined,
): Condition {
  const which = listSome(explained.map(feedName), ", ");
  const keys = newKeys.map(({ key, verified }) =>
    verified
      ? `${key}, under which the signatures are valid`
      : `${key}, under which the signatures are not valid either`,
  );
  const named = keys.length === 0 ? "" : ` The prices name the key ${keys.join("; ")}.`;
  const base = { subject: "", severity: "critical" } as const;
  const rest = `Nothing of it is sent. Refused: ${which}; the first with ${example}.`;
  switch (cause) {
    case "signer-changed":
      return {
        ...base,
        kind: "signer-changed",
        message: `the service signs with another key.${named === "" ? " It names none." : named} ${rest}`,
        hint: `Ask the service's maker for its public key, on another way than the service itself: whoever can answer in its place can name any key. If it is the new one, the oracle's owner calls proposeSigner(publicKey, messageLayout, validFrom) on every chain with that key, the present layout, and the first publish time of the new key; ${delayText(signerDelaySeconds)}. Then set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY), where it is set, to the new key. If the key is not the maker's, the old signer stays, and nothing is to be done but to tell the maker.`,
      };
    case "layout-changed":
      return {
        ...base,
        kind: "layout-changed",
        message: `the signed messages are of another form than the configured layout.${named} ${rest}`,
        hint: `${DISCOVER_LAYOUT} Compare it with what the service's maker announced. Then the oracle's owner calls proposeSigner(publicKey, messageLayout, validFrom) on every chain with that layout: a new record of the key, from the first publish time of the new form on; ${delayText(signerDelaySeconds)}. If the fields beside the message have changed as well, correct responseFields.`,
      };
    case "undecided":
      return {
        ...base,
        kind: "signer-changed",
        message: `signatures are no longer valid: either the service signs with another key, or what it signs is of another form.${named} ${rest}`,
        hint: `Ask the service's maker which of the two has changed. ${DISCOVER_LAYOUT} In both cases the oracle's owner calls proposeSigner(publicKey, messageLayout, validFrom) on every chain with what is new; ${delayText(signerDelaySeconds)}.`,
      };
  }
}

function delayText(signerDelaySeconds: bigint | undefined): string {
  const wait = "until then the last prices are served until they expire";
  if (signerDelaySeconds === undefined)
    return `it becomes usable after the oracle's SIGNER_DELAY (24 h by default); ${wait}`;
  const hours = signerDelaySeconds / 3600n;
  const span = hours > 0n ? `${hours} h` : `${signerDelaySeconds} s`;
  return `it becomes usable ${span} later (the oracle's SIGNER_DELAY); ${wait}`;
}
