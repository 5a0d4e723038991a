import { decodeErrorResult, type Hex, hexToString, isHex } from "viem";
import { formatTimeMs } from "../message/timeWindows.ts";
import { ed25519VerifierFactoryAbi } from "./abi/ed25519VerifierFactoryAbi.ts";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";

/** A custom error of the oracle in the user's words. */
export type OracleErrorDescription = {
  /** Name of the Solidity error, of the reason where one error carries another. */
  readonly name: string;
  /** What was wrong, with the values. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** Position of the update in the call, where the error names one. */
  readonly index?: number;
};

/** The oracle's errors, and those of the factory that come through it when a signer is added. */
const ERRORS_ABI = [...homePriceOracleAbi, ...ed25519VerifierFactoryAbi] as const;

const NEWER_UPDATE = "Fetch the latest signed price again and bring that one.";
const WRONG_FORMAT = "Check the message layout: the service's format may have changed.";

/** What to do about each error; those that no caller of ours can meet have no entry. */
const HINTS: Readonly<Record<string, string>> = {
  InvalidUpdateLength:
    "An update is message and signature (138 bytes), or these, signer number and x of R (171 bytes).",
  InvalidFeedId: WRONG_FORMAT,
  UnexpectedConstantBytes: WRONG_FORMAT,
  ZeroPrice: "The service has no usable price; ask its maker.",
  PriceTooLarge: "The service has no usable price, or the layout's decimals are wrong.",
  InvalidDate: WRONG_FORMAT,
  ExpiryPassed: NEWER_UPDATE,
  ExpiryTooFarAhead: "Check the clocks of the service and the chain, and the unit of times in the layout.",
  PublishTimeTooOld: NEWER_UPDATE,
  PublishTimeTooFarAhead: "Check the clocks of the service and the chain, and the unit of times in the layout.",
  PublishedBeforeDate: "Date and publish time contradict each other; ask the service's maker.",
  ExpiryNotAfterDate: "Date and expiry contradict each other; ask the service's maker.",
  ExpiryTooFarFromDate: "Date and expiry contradict each other; ask the service's maker.",
  UnknownSigner: "Use the number of a signer that the oracle knows (usableSigners).",
  NoUsableSigner: "The oracle's owner has to propose a signer.",
  SignerNotUsable: "Use a signer that the oracle accepts now (usableSigners).",
  PublishTimeOutsideSigner: "This signer does not sign for that time any more, or not yet: use the other one.",
  InvalidSignature: "The price was not signed by this signer, or has been changed on the way: do not use it.",
  WrongHint: "Compute x of R from the signature, or use the 138-byte form.",
  VerifierFailed: "Give the transaction more gas.",
  NonCanonicalPublicKey: "Check the signer's public key: a key generator never makes such a one.",
  PublicKeyNotOnCurve: "Check the signer's public key for a typing error.",
  PublicKeyNotPrimeOrder: "Check the signer's public key: signatures under such a key prove nothing.",
  SignerOverlap: "Retire the other signer of this key first, at the new one's first publish time or before.",
  TooManyUsableSigners: "Retire, revoke or cancel one of the four first.",
  InvalidMarketId: "Give the plain market id, without the rental offset.",
  UnknownFeed: "Give a market id (sales) or market id + rental offset (rental).",
  FeedPaused: "The guardian has stopped reads; wait for the owner.",
  PriceSignerRevoked: "Bring a price of a signer that is accepted now (updatePrices).",
  NoPrice: "Bring a price first (updatePrices).",
  PriceExpired: "Bring a newer price (updatePrices).",
  PriceTooOld: "Bring a newer price (updatePrices), or allow a higher age.",
};

/** Decodes revert data of the oracle, or a reason carried by InvalidUpdate or UpdateRefused. `undefined`: not ours. */
export function describeOracleError(data: Hex): OracleErrorDescription | undefined {
  let decoded: ReturnType<typeof decodeErrorResult<typeof ERRORS_ABI>>;
  try {
    decoded = decodeErrorResult({ abi: ERRORS_ABI, data });
  } catch {
    return undefined;
  }
  if (decoded.errorName === "InvalidUpdate") {
    const [index, reason] = decoded.args;
    const inner = describeOracleError(reason);
    return {
      name: inner?.name ?? "InvalidUpdate",
      message: `update ${index} is invalid: ${inner?.message ?? reason}`,
      hint: inner?.hint ?? "The reason is no error of this oracle version.",
      index: Number(index),
    };
  }
  const item = decoded.abiItem;
  const inputs = "inputs" in item ? item.inputs : [];
  const values = inputs.map(({ name }, index) => `${name} ${formatArgument(name ?? "", decoded.args?.[index])}`);
  return {
    name: decoded.errorName,
    message: values.length === 0 ? decoded.errorName : `${decoded.errorName} (${values.join(", ")})`,
    hint: HINTS[decoded.errorName] ?? "See the error's description in the contract's interface.",
  };
}

/** Times in milliseconds read better as dates; ASCII dates better as text. */
function formatArgument(name: string, value: unknown): string {
  if (typeof value === "bigint" && name.endsWith("Ms")) return formatTimeMs(value);
  if (name === "date" && isHex(value)) return JSON.stringify(hexToString(value));
  return String(value);
}
