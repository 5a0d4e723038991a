import type { Hex } from "viem";
import type { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import type { ReceivedPrice } from "../relayer/message/signedPrice.ts";
import type { FeedId } from "./feedId.ts";

/** What a source is asked for. */
export type UpdateRequest = {
  /** Each once. */
  readonly feedIds: readonly FeedId[];
  /** Of the oracle that the updates are for. */
  readonly rentalOffset: bigint;
  readonly signal?: AbortSignal | undefined;
};

/** What a source says of a price beside the bytes that were signed. It may only repeat them. */
export type StatedFields = Pick<ReceivedPrice, "date" | "price" | "publishTimeMs" | "expiryMs" | "publicKey"> & {
  readonly signer?: number;
};

/** One update as a source gives it: nothing about it is verified. */
export type ReceivedUpdate = {
  /** Which of the feeds that were asked for it is said to be of. */
  readonly feedId: bigint;
  /** 138 or 171 bytes. */
  readonly update: Hex;
  readonly stated?: StatedFields;
};

/** Why a source has no update of a feed that was asked for. One that it just does not know needs none. */
export type SourceFailure = { readonly feedId: bigint; readonly error: HomePriceError };

export type SourceAnswer = {
  readonly received: readonly ReceivedUpdate[];
  readonly failures: readonly SourceFailure[];
};

/**
 * Where signed prices come from: {@link gatewaySource}, {@link serviceSource}, or one of your own. It is not trusted;
 * what it gives is verified before it is used.
 */
export type UpdateSource = {
  /** For messages; holds no secret. */
  readonly name: string;
  /** Throws when the source as a whole fails. */
  readonly fetchUpdates: (request: UpdateRequest) => Promise<SourceAnswer>;
};
