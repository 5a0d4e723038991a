import type { Ed25519PublicKey } from "../ed25519.ts";
import type { MessageLayout } from "../messageLayout.ts";
import type { Coverage } from "./coverage.ts";
import type { SearchOptions } from "./layoutSearch.ts";

export type DiscoverLayoutOptions = SearchOptions & {
  /** The key that the items are signed with. */
  readonly key: Ed25519PublicKey;
  readonly rentalOffset?: bigint | undefined;
  /** Constant regions whose bytes are known, in the order in which they stand in the message. */
  readonly constants?: readonly Uint8Array[] | undefined;
  /** Where no item has its message: tries padding and every arrangement too, however long that takes. */
  readonly wide?: boolean | undefined;
  /** Called before layouts are tried one after the other: only where no item has its message. */
  readonly onSearch?: ((search: StartedSearch) => void) | undefined;
};

/** A search through all layouts for one item, as the price of one feed. */
export type StartedSearch = {
  /** Layouts to try. */
  readonly candidates: number;
  /** Messages to hold against the signature. */
  readonly signatureChecks: number;
  readonly feedId: bigint;
};

/** An item whose signature verified under the layout. */
export type VerifiedItem = {
  /** Its number among the items given, from 0. */
  readonly item: number;
  readonly feedId: bigint;
  readonly date: string;
};

/** An item that took no part, or did not fit. */
export type ItemSetAside = { readonly item: number; readonly marketId: bigint; readonly reason: string };

/** What every outcome says. */
export type DiscoveryOutcome = {
  /** Layouts looked at, each counted once for all items; the found one is the last of them. */
  readonly tried: number;
  /** Layouts that there were to look at. */
  readonly candidates: number;
  readonly coverage: Coverage;
  /** Whether signed bytes were there to look at, or only signatures. */
  readonly usedRawMessage: boolean;
  readonly setAside: readonly ItemSetAside[];
};

export type FoundLayout = DiscoveryOutcome & {
  readonly found: true;
  /** Fit for `layout` of the configuration. */
  readonly layout: MessageLayout;
  /** Layouts that fit the items as well and read other prices differently, most plausible first. */
  readonly alternatives: readonly MessageLayout[];
  /** Whether there are such alternatives. */
  readonly ambiguous: boolean;
  /** Whether the signed values are exactly those beside the messages, and not rounded on either side. */
  readonly exact: boolean;
  /** The proof. */
  readonly verified: readonly VerifiedItem[];
};

export type NoLayoutFound = DiscoveryOutcome & {
  readonly found: false;
  /** What was wrong, as far as that can be told. */
  readonly reason: string;
};

export type LayoutDiscovery = FoundLayout | NoLayoutFound;

/** More alternatives than this help nobody. */
export const MAX_ALTERNATIVES = 8;
