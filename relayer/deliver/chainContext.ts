import type { Address } from "viem";
import type { ChainAccess } from "../chain/chainAccess.ts";
import type { Journal, Target } from "../journal/journal.ts";
import type { TransactionSigner } from "../keys/transactionSigner.ts";
import type { Logger } from "../logging/logger.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import type { Feed } from "../message/feedId.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import type { ChainSettings } from "./chainSettings.ts";

export type WantedFeed = Feed & { readonly feedId: bigint };

/** Everything that deliveries to one chain work with. */
export type ChainContext = {
  readonly settings: ChainSettings;
  readonly access: ChainAccess;
  readonly oracle: Address;
  /** Absent where nothing is to be sent. */
  readonly signer: TransactionSigner | undefined;
  readonly journal: Journal;
  readonly wanted: readonly WantedFeed[];
  /** Whose prices are meant; whoever the oracle accepts otherwise. */
  readonly signerPublicKey: Ed25519PublicKey | undefined;
  readonly layout: MessageLayout;
  /** When the next edition is due, Unix milliseconds: until then what is on the chain has to last. */
  readonly nextRunMs: () => bigint;
  readonly nowMs: () => bigint;
  readonly log: Logger;
};

/** Where the deliveries of a context go. */
export function targetOf({ access, oracle }: Pick<ChainContext, "access" | "oracle">): Target {
  return { chainId: access.chain.id, oracle };
}
