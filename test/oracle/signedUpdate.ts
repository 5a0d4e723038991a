import { bytesToHex, type Hex } from "viem";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { checkSignature, decodePublicKey, type Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_RENTAL_OFFSET } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { signerNamed } from "../ed25519/signers.ts";

export const SECOND_MS = 1_000n;
export const HOUR_MS = 3_600_000n;
export const DAY_MS = 86_400_000n;
export const HOUR = 3_600n;
export const DAY = 86_400n;

export const RENTAL_OFFSET = DEFAULT_RENTAL_OFFSET;

/** The market that tests use when any will do. */
export const MARKET = 5_826_765n;

/** A key, and the layout in which it signs. */
export type TestSigner = {
  readonly publicKey: Ed25519PublicKey;
  readonly layout: MessageLayout;
  sign(message: Uint8Array): Uint8Array;
};

/** The signer of a name: the same name is the same key, whatever the layout. */
export function testSigner(name: string, layout: MessageLayout = DEFAULT_LAYOUT): TestSigner {
  const { publicKey, sign } = signerNamed(name);
  return { publicKey: decodePublicKey(publicKey), layout, sign };
}

/** The signer of oracles that are deployed without naming one. */
export const SIGNER = testSigner("first");

/** The default layout with another domain, so that messages of the two can be told apart. */
export const OTHER_LAYOUT: MessageLayout = {
  ...DEFAULT_LAYOUT,
  constants: [{ offset: 0, bytes: `0x${"a5".repeat(32)}` }],
};

/** What a price message says, in the units of the message; every field can be left to its default. */
export type MessageFields = {
  readonly feedId?: bigint;
  /** The number in the message. Default: 216.94 at 8 decimals. */
  readonly price?: bigint;
  /** Default: what the layout fixes, or -8. */
  readonly priceExponent?: number;
  /** Default: a minute before the block time. */
  readonly publishTimeMs?: bigint;
  /** Default: 24 hours after the block time. */
  readonly expiryMs?: bigint;
  /** Default: the UTC date of the block time. */
  readonly date?: string;
};

export type SigningOptions = {
  /** Default: {@link SIGNER}. */
  readonly signer?: TestSigner;
  /** The signer number of the 171-byte form; without it, the 138-byte form. */
  readonly hintedAs?: number | undefined;
  /** The hint, where it shall not be the right one. */
  readonly xOfR?: bigint;
  /** Changes message and signature after it is signed. */
  readonly forge?: (message: Uint8Array, signature: Uint8Array) => void;
};

export type UpdateOptions = MessageFields &
  SigningOptions & {
    /** Changes the message before it is signed. */
    readonly rewrite?: (message: Uint8Array) => void;
  };

/** The bytes of an update, signed for real. Times default to those of a price published a minute before `now` (seconds). */
export function signedUpdate(options: UpdateOptions, now: bigint): Hex {
  const { signer = SIGNER, rewrite } = options;
  const message = priceMessage(options, signer.layout, now);
  rewrite?.(message);
  return signMessage(message, options);
}

/** The bytes of an update of any 74 bytes. */
export function signMessage(message: Uint8Array, options: SigningOptions): Hex {
  const { signer = SIGNER, hintedAs, forge } = options;
  const signature = signer.sign(message);
  const check = checkSignature(signer.publicKey, message, signature);
  if (!check.valid) throw new Error(check.reason);
  forge?.(message, signature);
  const hint = hintedAs === undefined ? undefined : { signerNumber: hintedAs, xOfR: options.xOfR ?? check.xOfR };
  return bytesToHex(encodeUpdate(message, signature, hint));
}

/** The 74 bytes of a message with the defaults of {@link MessageFields}. */
export function priceMessage(fields: MessageFields, layout: MessageLayout, now: bigint): Uint8Array {
  const nowMs = now * SECOND_MS;
  return encodePriceMessage(
    {
      feedId: fields.feedId ?? MARKET,
      priceMantissa: fields.price ?? 21_694_000_000n,
      priceExponent: fields.priceExponent ?? ("decimals" in layout.price ? -layout.price.decimals : -8),
      publishTimeMs: fields.publishTimeMs ?? nowMs - 60n * SECOND_MS,
      expiryMs: fields.expiryMs ?? nowMs + 24n * HOUR_MS,
      date: fields.date ?? dateOfDay(dayOf(now)),
    },
    layout,
  );
}

/** The UTC day of a time in seconds. */
export function dayOf(seconds: bigint): number {
  return Number(seconds / DAY);
}
