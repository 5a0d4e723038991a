/**
 * `home-price-oracle/testing`: for the tests of contracts that read home prices. Signs real updates with a test key, and
 * deploys the real oracle on a development chain.
 *
 * @module
 */

export { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
export { HomePriceError } from "../relayer/errors/HomePriceError.ts";
export type { FeedKind } from "../relayer/message/feedId.ts";
export { DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
export { type ChainClock, TimeNotAheadError } from "./chainClock.ts";
export { deployTestOracle, type TestOracleOptions } from "./deployTestOracle.ts";
export { INVALID_REASONS, type InvalidReason, NoConstantBytesError } from "./invalidPrices.ts";
export { type FeedChoice, InexactPriceError, type PriceToSign } from "./priceToSign.ts";
export { SignedPriceFactory, type SignedPriceFactoryOptions, type SignedUpdate } from "./signedPriceFactory.ts";
export { type DevelopmentChain, NotADevelopmentChainError, type Provider } from "./testChain.ts";
export {
  type BroughtPrices,
  NotQuarantinedError,
  type OracleContract,
  type PendingPrice,
  type TestOracle,
  UpdateRefusedError,
} from "./testOracle.ts";
export { createTestSigner, signUpdate, type TestSigner } from "./testSigner.ts";
