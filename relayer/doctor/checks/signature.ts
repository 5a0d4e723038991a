import { bytesToHex, type Hex, hexToBytes } from "viem";
import type { Configuration } from "../../configuration/configurationSchema.ts";
import { checkSignature, decodePublicKey, type Ed25519PublicKey } from "../../message/ed25519.ts";
import type { ExaminedPrice } from "../../message/examinedPrice.ts";
import { DISCOVER_LAYOUT } from "../../wording/discoverLayout.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { SharedCheck } from "../check.ts";
import type { Examination } from "../examination.ts";
import { failed, ok, skipped } from "../finding.ts";

export const signatureCheck: SharedCheck = {
  scope: "shared",
  name: "signature",
  about: "the signature belongs to the message",
  needs: ["api-key"],
  keys: ["layout", "rentalOffset", "signerPublicKey"],
  run: async (examination) => {
    const prices = (await examination.prices()).filter(({ bytes }) => bytes.ok);
    if (prices.length === 0) return skipped("no message came whose signature could be verified");
    const known = await knownKeys(examination);
    const judged = prices.map((price) => ({ price, key: verifyingKey(price, known) }));
    if (known.length === 0 && judged.some(({ price }) => !price.received.publicKey)) {
      return skipped("there is no key to verify with: neither service, configuration nor oracle name one");
    }
    const invalid = judged.filter(({ key }) => !key).map(({ price }) => price);
    if (invalid.length > 0) {
      return failed(
        `the signature does not belong to the message of ${listSome(
          invalid.map(({ received }) => feedName(received)),
          ", ",
        )}`,
        hintFor(invalid, known, examination.configuration),
      );
    }
    const keys = new Set(judged.map(({ key }) => key?.hex));
    return ok(`the signatures are valid under ${[...keys].join(", ")}`);
  },
};

/** The configured key, or else those that the oracles accept now, or the ones on record for their chains. */
async function knownKeys({ configuration, chains }: Examination): Promise<Ed25519PublicKey[]> {
  if (configuration.signerPublicKey) return [decodePublicKey(hexToBytes(configuration.signerPublicKey))];
  // That there is no oracle to ask is the finding of other checks.
  const found = (await Promise.all(chains.map(({ oracle }) => oracle().catch(() => undefined)))).flatMap(
    (oracle) => oracle ?? [],
  );
  const accepted = found.flatMap(({ usableSigners }) =>
    usableSigners.map(({ publicKey }) => decodePublicKey(hexToBytes(publicKey))),
  );
  return accepted.length === 0 ? found.flatMap(({ recordedKey }) => recordedKey ?? []) : accepted;
}

/**
 * The key under which a price's signature is valid. It is that of whom the price names, so that a key which is not ours
 * (signer-key speaks of that) and a message which is not what was signed can be told apart.
 */
function verifyingKey(
  { received, bytes }: ExaminedPrice,
  known: readonly Ed25519PublicKey[],
): Ed25519PublicKey | undefined {
  const keys = received.publicKey ? [decodePublicKey(received.publicKey)] : known;
  return keys.find((key) => bytes.ok && checkSignature(key, bytes.value, received.signature).valid);
}

function hintFor(
  invalid: readonly ExaminedPrice[],
  known: readonly Ed25519PublicKey[],
  { signerPublicKey }: Configuration,
): string {
  const alsoWrong = [
    ...(invalid.some(({ message }) => !message.ok) ? ["message"] : []),
    ...(signerPublicKey && invalid.some((price) => isForeign(price, signerPublicKey)) ? ["signer-key"] : []),
  ];
  if (alsoWrong.length > 0) return `Not only that is wrong: first see ${alsoWrong.join(" and ")}. ${DISCOVER_LAYOUT}`;
  const isKeyNamed = invalid.every(({ received }) => received.publicKey);
  if (!isKeyNamed && signerPublicKey) {
    return `The service does not name its key: check signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY) with its maker. If ${known[0]?.hex} is right, what is signed is not what we take for the message. ${DISCOVER_LAYOUT}`;
  }
  return `Length, fields and key are in order, so that what is signed is most likely not what we take for the message. ${DISCOVER_LAYOUT}`;
}

/** Whether a price names another key than the configured one. */
function isForeign({ received: { publicKey } }: ExaminedPrice, signerPublicKey: Hex): boolean {
  return publicKey !== undefined && bytesToHex(publicKey) !== signerPublicKey;
}
