import { type Abi, type AbiItem, decodeErrorResult, type Hex, hexToString, isHex } from "viem";
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
export const ORACLE_ERRORS_ABI = [...homePriceOracleAbi, ...ed25519VerifierFactoryAbi] as const;

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
  FeedQuarantined:
    "A newer price waits, because it differs too much: wait until then, or until the guardian confirms it.",
  NoPriceOn: "Nobody brought a price for this date in time, or its signer is revoked: nothing can fill it in later.",
  DayNotFinal: "Settle after that time; before it, priceOn reads what the price is so far.",
  InvalidDaySpan: "Give the first date first, and at most 366 dates at once.",
  NoPendingPrice: "Nothing waits for this feed any more: see pendingPrice.",
  PendingPriceChanged: "Another price waits by now: read pendingPrice again and judge that one.",
  InvalidBand: "Give basis points a day, 1 to 10,000, or 0 for no band.",
  InvalidQuarantineDelay: "Give 1 to 48 hours, in seconds.",
  PriceDayTooEarly: "Bring the price of that day or a later one; if it waits in quarantine, wait as well.",
  OracleDataRequired: "Bring the price that the query asks for (fulfillOracleQuery) in the same transaction.",
  DayNotReached: "No price can be of that day yet: ask for an earlier one.",
  ValueNotAccepted: "Bringing prices is free: send no value.",
  NotAnOracle: "Give the address of the oracle.",
  NoOracle: "Give the address of the oracle.",
  InvalidMaxAge: "Give 1 second to 31 days.",
  OracleUnsupportedPair: "This adapter quotes one token in one currency: give these.",
  OracleUntrustedData: "Read the oracle itself to see why its price is not served.",
  StalePrice: "Bring a newer price (updatePriceFeeds), or allow a higher age.",
  PriceFeedNotFound: "The id is that of no feed, or nobody has brought its price yet.",
  NotSupported: "The service does not publish what this function gives: use another one.",
  NoFreshUpdate: "Somebody has brought these prices already: read them.",
  PriceFeedNotFoundWithinRange: "The updates hold no price of this feed in that span of publish times.",
  InvalidArgument: "Give as many publish times as price ids.",
  FeeRequired: "Bringing prices is free: this is no adapter of this project.",
  InvalidUnitsPerToken: "Give how many of the feed's units one whole token stands for, 18 decimals, above 0.",
  NoDecimals: "Give an ERC-20 token that tells its decimals.",
  TooManyDecimals: "Give a token of fewer decimals.",
  SameAsset: "Give two different tokens.",
  InvalidLoanTokenFeedMaxAge: "Give 1 second to 31 days for the loan token's feed, and 0 without one.",
  InvalidLoanTokenPrice: "The loan token's own feed is broken: ask its operator.",
  LoanTokenPriceAhead: "The loan token's own feed has a time in the future: ask its operator.",
  UnscalablePrice: "Check unitsPerToken and the decimals of both tokens.",
  LoanTokenPriceTooOld: "The loan token's own feed is stale: wait for its operator.",
};

/**
 * Decodes revert data of the oracle, or a reason carried by InvalidUpdate or UpdateRefused. `undefined`: not ours.
 * @param abi Errors to know; those of contracts that read the oracle can be added to its own.
 */
export function describeOracleError(data: Hex, abi: Abi = ORACLE_ERRORS_ABI): OracleErrorDescription | undefined {
  let decoded: { errorName: string; args: readonly unknown[] | undefined; abiItem: AbiItem };
  try {
    decoded = decodeErrorResult({ abi, data });
  } catch {
    return undefined;
  }
  if (decoded.errorName === "InvalidUpdate") {
    const [index, reason] = decoded.args as readonly [bigint, Hex];
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
