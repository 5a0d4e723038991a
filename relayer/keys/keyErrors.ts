import { HomePriceError } from "../errors/HomePriceError.ts";

/** A private key, or a file that holds one, cannot be used. None of its content is ever part of the message. */
export class UnusableKeyError extends HomePriceError {
  constructor(code: UnusableKeyCode, message: string, hint: string) {
    super(code, message, { kind: "configuration", hint });
  }
}

export type UnusableKeyCode =
  | "PRIVATE_KEY_INVALID"
  | "KEYSTORE_DAMAGED"
  | "KEYSTORE_UNSUPPORTED"
  | "KEYSTORE_NOT_OPENED"
  | "KEYSTORE_ADDRESS_DIFFERS";

/** A remote signer does not sign, or not what it was asked to. Nothing was sent. */
export class RemoteSignerError extends HomePriceError {
  constructor(code: RemoteSignerCode, message: string, hint: string) {
    super(code, message, { hint });
  }
}

export type RemoteSignerCode =
  | "REMOTE_SIGNER_UNREACHABLE"
  | "REMOTE_SIGNER_REFUSED"
  | "REMOTE_SIGNER_ACCOUNT_MISSING"
  | "REMOTE_SIGNER_ANSWER_WRONG";
