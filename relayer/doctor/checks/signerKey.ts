import { bytesToHex, hexToBytes } from "viem";
import { decodePublicKey } from "../../message/ed25519.ts";
import type { SharedCheck } from "../check.ts";
import { failed, ok, skipped } from "../finding.ts";

export const signerKeyCheck: SharedCheck = {
  scope: "shared",
  name: "signer-key",
  about: "the service signs with the configured key",
  needs: ["api-key"],
  keys: ["signerPublicKey"],
  run: async ({ configuration: { signerPublicKey }, prices: fetchPrices }) => {
    const configured = signerPublicKey && decodePublicKey(hexToBytes(signerPublicKey)).hex;
    const prices = await fetchPrices();
    if (prices.length === 0) return skipped("no price came that could be read");
    const named = [
      ...new Set(prices.flatMap(({ received }) => received.publicKey ?? []).map((key) => bytesToHex(key))),
    ];
    for (const key of named) decodePublicKey(hexToBytes(key));
    const other = named.find((key) => key !== configured);
    if (configured && other) {
      return failed(
        `the service says that it signs with ${other}; signerPublicKey is ${configured}`,
        "Ask the service's maker for its public key, not the answer itself. If it is the one that the service names, set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY) to it, and have the oracle's owner propose it; otherwise somebody else answers, or signs.",
      );
    }
    if (configured)
      return ok(`the service ${named.length === 0 ? "names no key; expected is" : "signs with"} ${configured}`);
    return named.length === 0
      ? ok("neither service nor configuration name a key; those that the oracle accepts are used")
      : ok(`the service says that it signs with ${named.join(", ")}; no key is configured to compare it with`);
  },
};
