/**
 * Why a price message is not accepted. The codes are the names of the contract's custom errors, so that a price refused
 * by the relayer and one refused by the chain are spoken of in the same words.
 */
export type RefusalCode =
  | "InvalidMessageLength"
  | "InvalidUpdateLength"
  | "UnexpectedConstantBytes"
  | "InvalidFeedId"
  | "ZeroPrice"
  | "PriceTooLarge"
  | "InvalidDate"
  | "ExpiryPassed"
  | "ExpiryTooFarAhead"
  | "PublishTimeTooOld"
  | "PublishTimeTooFarAhead"
  | "PublishedBeforeDate"
  | "ExpiryNotAfterDate"
  | "ExpiryTooFarFromDate"
  | "FutureDate"
  | "InvalidSignature"
  | "UnknownSigner"
  | "SignerNotUsable"
  | "PublishTimeOutsideSigner"
  | "WrongHint"
  | "WrongFeed"
  | "MessageMismatch"
  | "MalformedItem";

/** One refusal: a code for programs, a sentence for people that carries the values. */
export type Refusal = { readonly code: RefusalCode; readonly message: string };

/** A result or the reason why there is none; values, not exceptions, because one bad price must not stop the others. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function accepted<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function refused(code: RefusalCode, message: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { code, message } };
}
