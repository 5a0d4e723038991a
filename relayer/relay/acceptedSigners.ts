import { type Hex, hexToBytes } from "viem";
import { packLayout } from "../chain/packedLayout.ts";
import { readUsableSigners, type UsableSigner } from "../chain/readSigners.ts";
import type { ChainContext } from "../deliver/chainContext.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import type { MessageLayout } from "../message/messageLayout.ts";

/** Keys to check prices with, and the number that each has in the oracle. */
export type AcceptedSigners = {
  readonly publicKeys: readonly Ed25519PublicKey[];
  /** Signer number by public key (0x-hex). */
  readonly numbers: ReadonlyMap<Hex, number>;
};

/**
 * The keys whose prices a chain's oracle takes.
 * @throws what {@link matchSigners} throws, and RpcUnreachableError, WrongChainError.
 */
export async function readAcceptedKeys({
  access,
  oracle,
  signerPublicKey,
  layout,
}: Pick<ChainContext, "access" | "oracle" | "signerPublicKey" | "layout">): Promise<readonly Ed25519PublicKey[]> {
  const usable = await readUsableSigners(await access.pin(), oracle);
  return matchSigners(usable, signerPublicKey, layout).publicKeys;
}

/**
 * Brings the configured key and layout together with the signers that the oracle accepts now. Without a configured key,
 * the oracle's own signers are the configuration.
 * @throws HomePriceError when the oracle would refuse whatever that key signs, or reads its messages by another layout:
 *   better one clear word now than every price refused.
 */
export function matchSigners(
  usable: readonly UsableSigner[],
  configuredKey: Ed25519PublicKey | undefined,
  layout: MessageLayout,
): AcceptedSigners {
  const { packed, constantsHash } = packLayout(layout);
  const candidates = configuredKey ? usable.filter(({ publicKey }) => publicKey === configuredKey.hex) : usable;
  if (candidates.length === 0) {
    const accepted = usable.map(({ number, publicKey }) => `${publicKey} (signer ${number})`).join(", ") || "none";
    throw new HomePriceError(
      "SIGNER_NOT_ACCEPTED",
      `the oracle accepts no price of ${configuredKey?.hex ?? "any signer"} now; it accepts ${accepted}`,
      {
        hint: "Correct signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY), or have the oracle's owner propose this signer.",
      },
    );
  }
  const matching = candidates.filter((signer) => signer.layout === packed && signer.constantsHash === constantsHash);
  if (matching.length === 0) {
    throw new HomePriceError(
      "LAYOUT_DIFFERS_FROM_ORACLE",
      `the configured message layout is not the one that the oracle holds for signer ${candidates[0]?.number}`,
      {
        kind: "configuration",
        hint: "Give the layout that the oracle was deployed with in layout (HOMEPRICE_LAYOUT), or have its owner propose a signer with this one.",
      },
    );
  }
  // Newest first: of two records of one key, the newer one is left.
  const numbers = new Map<Hex, number>();
  for (const { publicKey, number } of matching) if (!numbers.has(publicKey)) numbers.set(publicKey, number);
  return { publicKeys: [...numbers.keys()].map((publicKey) => decodePublicKey(hexToBytes(publicKey))), numbers };
}
