import { packLayout, unpackLayout } from "../../chain/packedLayout.ts";
import type { UsableSigner } from "../../chain/readSigners.ts";
import type { ChainConfiguration } from "../../configuration/chainConfiguration.ts";
import { type ExaminedPrice, examinePrice } from "../../message/examinedPrice.ts";
import type { MessageLayout } from "../../message/messageLayout.ts";
import { DISCOVER_LAYOUT } from "../../wording/discoverLayout.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok, skipped } from "../finding.ts";

export const oracleLayoutCheck: ChainCheck = {
  scope: "chain",
  name: "oracle-layout",
  about: "the oracle reads the signer's messages by the configured layout",
  needs: ["oracle-signer"],
  keys: ["layout", "rentalOffset"],
  run: async (examination) => {
    const { chain } = examination;
    const oracle = await examination.oracle();
    if (!oracle) return skipped("no RPC endpoint answers");
    const key = chain.signerPublicKey;
    const candidates = oracle.usableSigners.filter(({ publicKey }) => key === undefined || publicKey === key);
    const { packed, constantsHash } = packLayout(chain.layout);
    const same = candidates.find((signer) => signer.layout === packed && signer.constantsHash === constantsHash);
    if (same) return ok(`the configured layout is that of signer ${same.number}`);
    const [first] = candidates;
    const found = `the configured message layout is not the one that the oracle holds for signer ${first?.number}`;
    const prices = await examination.prices().catch(() => []);
    const right = candidates.flatMap((signer) => layoutThatFits(signer, prices, chain) ?? [])[0];
    if (right) {
      return failed(
        `${found}, and the service's messages fit the oracle's`,
        `Set layout (HOMEPRICE_LAYOUT) to ${JSON.stringify(right)}`,
      );
    }
    if (prices.length > 0 && prices.every(({ message }) => message.ok)) {
      return failed(
        `${found}, and the service's messages fit the configured one`,
        "Have the oracle's owner propose a signer with this layout: the service's format has changed since it was deployed, or it was deployed with another.",
      );
    }
    return failed(
      found,
      `Give the layout that the oracle was deployed with in layout (HOMEPRICE_LAYOUT), or have its owner propose a signer with this one. Which is right, the service's messages tell. ${DISCOVER_LAYOUT}`,
    );
  },
};

/** The layout of a signer's record, if every price that came makes sense by it. */
function layoutThatFits(
  { layout: packed, constantsHash }: UsableSigner,
  prices: readonly ExaminedPrice[],
  chain: ChainConfiguration,
): MessageLayout | undefined {
  const message = prices.flatMap(({ received }) => received.message ?? [])[0];
  const layout = message && unpackLayout({ packed, constantsHash }, message);
  if (!layout) return undefined;
  const fits = prices.every(({ received }) => examinePrice(received, { ...chain, layout }).message.ok);
  return fits ? layout : undefined;
}
