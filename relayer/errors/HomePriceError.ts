/** Who has to act: the caller, because the call or the configuration cannot work, or nobody yet, because it ran and failed. */
export type HomePriceErrorKind = "configuration" | "failure";

/**
 * Base of every error this package throws on purpose.
 *
 * `code` is stable and for programs, `message` says what was wrong and where, `hint` what to do about it. None of
 * them ever holds a secret; `cause` may hold foreign text and is never printed as it is.
 */
export class HomePriceError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly kind: HomePriceErrorKind;

  constructor(
    code: string,
    message: string,
    { hint, kind = "failure", cause }: { hint: string; kind?: HomePriceErrorKind; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
    this.kind = kind;
  }
}
