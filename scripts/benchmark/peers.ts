/** A verifier by somebody else, as measured side by side with others on a chain with Osaka's rules. */
export type Peer = {
  /** What `--peer` calls it. */
  readonly name: string;
  /** Repository and commit. */
  readonly source: string;
  /** Gas of one verification of 74 bytes, the mean of 24 signatures of three keys, all accounts warm. */
  readonly gas: number;
  /** Gas of SHA-512 of 138 bytes by itself. */
  readonly sha512?: number;
  readonly note: string;
};

/**
 * The figures of 2026-11-21: optimizer on, 1,000,000 runs; solc 0.8.30, or 0.6.8 for what asks for it. Each library was
 * called by a wrapper that took gasleft() before and after, accepted all of the signatures, and none with a bit of its
 * message flipped.
 */
export const PEERS: readonly Peer[] = [
  {
    name: "fortiblox",
    source: "fortiblox/arcns-contracts@877d074",
    gas: 372_538,
    sha512: 129_271,
    note: "the cheapest complete one that deploys",
  },
  {
    name: "mel",
    source: "mel-project/ed25519-sol@3b36ec8",
    gas: 647_158,
    sha512: 447_807,
    note: "",
  },
  {
    name: "smooth",
    source: "get-smooth/crypto-lib@d714e98",
    gas: 685_364,
    sha512: 478_908,
    note: "key converted off-chain, checks left to the caller",
  },
  {
    name: "chengwenxi",
    source: "chengwenxi/Ed25519@34d8c57",
    gas: 806_560,
    sha512: 369_743,
    note: "accepts non-canonical keys",
  },
  {
    name: "freshcryptolib",
    source: "rdubois-crypto/FreshCryptoLib@8179e08",
    gas: 80_333,
    note: "for scale: P-256, not Ed25519, with a table of 16 KB for the key",
  },
];
