import {
  type Address,
  type Chain,
  createWalletClient,
  custom,
  type GetContractReturnType,
  getContract,
  type Hash,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
  type WalletClient,
} from "viem";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { describeOracleError } from "../relayer/chain/oracleErrors.ts";
import { toOnChainLayout } from "../relayer/chain/packedLayout.ts";
import { revertDataOf } from "../relayer/chain/rpcError.ts";
import type { Deployment } from "../relayer/deployment/addressBook.ts";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { PRICE_LIMIT } from "../relayer/message/decimalPrice.ts";
import { editionAt } from "../simulator/edition.ts";
import { type ChainClock, createChainClock } from "./chainClock.ts";
import type { InvalidReason } from "./invalidPrices.ts";
import { type FeedChoice, feedIdChosen, type PriceToSign } from "./priceToSign.ts";
import { SignedPriceFactory, type SignedPriceFactoryOptions, type SignedUpdate } from "./signedPriceFactory.ts";
import type { TestChain } from "./testChain.ts";

/** The oracle as a viem contract; writes are sent by the carrier. */
export type OracleContract = GetContractReturnType<
  typeof homePriceOracleAbi,
  { public: PublicClient<Transport, Chain>; wallet: WalletClient<Transport, Chain, LocalAccount> },
  Address
>;

/** What became of prices that were brought in one transaction. */
export type BroughtPrices = {
  readonly updates: readonly SignedUpdate[];
  /**
   * Which of them are the latest price now, or their date's, or wait outside their feed's band: not those that were not
   * newer than what was stored.
   */
  readonly stored: readonly boolean[];
  readonly receipt: TransactionReceipt;
};

/** The oracle refuses an update that was to be brought. Nothing was sent. */
export class UpdateRefusedError extends HomePriceError {
  /** Name of the oracle's custom error. */
  readonly reason: string;

  constructor({ name, message, hint }: { name: string; message: string; hint: string }) {
    super("UPDATE_REFUSED", message, { hint });
    this.reason = name;
  }
}

/** A price cannot be made to wait outside its feed's band. */
export class NotQuarantinedError extends HomePriceError {
  constructor(feedId: bigint, reason: string, hint: string) {
    super("NOT_QUARANTINED", `the price of feed ${feedId} does not wait: ${reason}`, { hint, kind: "configuration" });
  }
}

/** A price that waits, as the oracle's `pendingPrice` gives it. */
export type PendingPrice = Awaited<ReturnType<OracleContract["read"]["pendingPrice"]>>;

/** An oracle on a development chain, and everything that a test wants to happen to it. */
export type TestOracle = {
  readonly address: Address;
  readonly contract: OracleContract;
  /** Addresses and constructor arguments, as `homeprice deploy` writes them down. */
  readonly deployment: Deployment;
  /** Signs as the service would; {@link TestOracle.sign} does it at the chain's time. */
  readonly prices: SignedPriceFactory;
  readonly clock: ChainClock;
  /** With 10,000 ether each. The carrier brings prices and has no powers. */
  readonly accounts: { readonly owner: LocalAccount; readonly guardian: LocalAccount; readonly carrier: LocalAccount };

  /** Signs a price for the next block. Nothing is sent. */
  readonly sign: (price: PriceToSign) => Promise<SignedUpdate>;
  /** Signs a price that the oracle refuses for this reason, the name of its custom error. Nothing is sent. */
  readonly signInvalid: (reason: InvalidReason, price: PriceToSign) => Promise<SignedUpdate>;
  /**
   * Signs what is not signed yet, and brings it all in one transaction of `updatePrices`.
   * @throws UpdateRefusedError
   */
  readonly bring: (...prices: readonly (PriceToSign | SignedUpdate)[]) => Promise<BroughtPrices>;

  /** Stops every served read, as the guardian. */
  readonly pause: () => Promise<TransactionReceipt>;
  /** Serves again, as the owner. */
  readonly unpause: () => Promise<TransactionReceipt>;
  /** Stops the served reads of one feed, as the guardian. */
  readonly pauseFeed: (feed: FeedChoice) => Promise<TransactionReceipt>;
  /** Serves one feed again, as the owner. */
  readonly unpauseFeed: (feed: FeedChoice) => Promise<TransactionReceipt>;
  /** Sets a feed's band, basis points a day, 0 for none; as the owner, so a wider one comes after the signers' delay. */
  readonly setBand: (basisPoints: number, feed: FeedChoice) => Promise<TransactionReceipt>;
  /**
   * Makes a price wait: sets a band of 10 % a day if the feed has no tighter one, goes to the next edition if the feed has
   * a price of the newest date, and brings a price outside the band, the double unless another is given.
   * @throws NotQuarantinedError when the feed has no price yet, or the given one lies within the band.
   */
  readonly quarantine: (price: PriceToSign) => Promise<PendingPrice>;
  /** Serves the price that waits, as the guardian. */
  readonly confirmPrice: (feed: FeedChoice) => Promise<TransactionReceipt>;
  /** Drops the price that waits, as the guardian. */
  readonly vetoPrice: (feed: FeedChoice) => Promise<TransactionReceipt>;
  /**
   * Revokes a signer, as the owner: what it has signed is void.
   * @param options.signerNumber Default: the first.
   * @param options.sinceDay Prices for days before this one stay in the history. Default: 0, none.
   */
  readonly revokeSigner: (options?: { signerNumber?: number; sinceDay?: number }) => Promise<TransactionReceipt>;
  /** Adds a signer, as the owner, and goes to the time from which it is usable. Its prices are given to `bring`. */
  readonly addSigner: (
    options?: Pick<SignedPriceFactoryOptions, "secretKey" | "layout">,
  ) => Promise<SignedPriceFactory>;
};

type TestOracleParts = Pick<TestOracle, "deployment" | "prices" | "accounts"> & { readonly testChain: TestChain };

const QUARANTINE_BAND = 1_000;

export function createTestOracle({ testChain, deployment, prices, accounts }: TestOracleParts): TestOracle {
  const { chain, publicClient } = testChain.connection;
  const address = deployment.oracle;
  const clock = createChainClock(testChain);
  const contractOf = (account: LocalAccount): OracleContract => {
    const transport = custom({ request: publicClient.request }, { retryCount: 0 });
    const wallet = createWalletClient({ account, chain, transport });
    return getContract({ address, abi: homePriceOracleAbi, client: { public: publicClient, wallet } });
  };
  const contract = contractOf(accounts.carrier);
  const { write: asOwner } = contractOf(accounts.owner);
  const { write: asGuardian } = contractOf(accounts.guardian);

  const mined = async (sent: Promise<Hash>) => await publicClient.waitForTransactionReceipt({ hash: await sent });
  const idOf = (feed: FeedChoice) => feedIdChosen(feed, prices.rentalOffset);
  const waitingSince = async (feedId: bigint) => (await contract.read.pendingPrice([feedId])).waitingSince;

  const sign = async (price: PriceToSign) => prices.sign(price, await clock.now());
  const bring = async (...toBring: readonly (PriceToSign | SignedUpdate)[]): Promise<BroughtPrices> => {
    const now = await clock.now();
    const updates = toBring.map((price) => ("update" in price ? price : prices.sign(price, now)));
    const call = [updates.map(({ update }) => update)] as const;
    // The latest block of an idle chain is old: at its time, prices of now would come from the future.
    const pending = { account: accounts.carrier, blockTag: "pending" } as const;
    const { result: stored } = await contract.simulate.updatePrices(call, pending).catch((error: unknown) => {
      const data = revertDataOf(error);
      const described = data && describeOracleError(data);
      throw described ? new UpdateRefusedError(described) : error;
    });
    const gas = await contract.estimateGas.updatePrices(call, pending);
    return { updates, stored, receipt: await mined(contract.write.updatePrices(call, { gas })) };
  };

  return {
    address,
    contract,
    deployment,
    prices,
    clock,
    accounts,
    sign,
    signInvalid: async (reason, price) => prices.signInvalid(reason, price, await clock.now()),
    bring,
    pause: () => mined(asGuardian.pause()),
    unpause: () => mined(asOwner.unpause()),
    pauseFeed: (feed) => mined(asGuardian.pauseFeed([idOf(feed)])),
    unpauseFeed: (feed) => mined(asOwner.unpauseFeed([idOf(feed)])),
    setBand: (basisPoints, feed) => mined(asOwner.setBands([[idOf(feed)], basisPoints])),
    quarantine: async (price) => {
      const feedId = idOf(price);
      const stored = await contract.read.priceUnsafe([feedId]);
      if (stored.price === 0n) {
        throw new NotQuarantinedError(feedId, "a feed's first price has no band", "Bring a price of this feed first.");
      }
      if (stored.day >= editionAt((await clock.now()) * 1_000n).day) await clock.nextEdition();
      const [band] = await contract.read.bandOf([feedId]);
      if (band === 0 || band > QUARANTINE_BAND) await mined(asOwner.setBands([[feedId], QUARANTINE_BAND]));
      const double = stored.price * 2n;
      const update = await sign({ ...price, price: price.price ?? (double < PRICE_LIMIT ? double : 1n) });
      await bring(update);
      const pending = await contract.read.pendingPrice([feedId]);
      if (pending.waitingSince === 0n || pending.price.publishTime !== update.publishTime) {
        throw new NotQuarantinedError(
          feedId,
          `${update.price} is within the band around ${stored.price} (8 decimals)`,
          "Give a price that is further away, or none.",
        );
      }
      return pending;
    },
    confirmPrice: async (feed) => {
      const feedId = idOf(feed);
      return await mined(asGuardian.confirmPrice([feedId, await waitingSince(feedId)]));
    },
    vetoPrice: async (feed) => {
      const feedId = idOf(feed);
      return await mined(asGuardian.vetoPrice([feedId, await waitingSince(feedId)]));
    },
    revokeSigner: ({ signerNumber = prices.signerNumber, sinceDay = 0 } = {}) =>
      mined(asOwner.revokeSigner([signerNumber, sinceDay])),
    addSigner: async (options = {}) => {
      const signerNumber = (await contract.read.signerCount()) + 1;
      const { rentalOffset, maxExpiryAfterDateSeconds } = prices;
      const added = new SignedPriceFactory({ ...options, signerNumber, rentalOffset, maxExpiryAfterDateSeconds });
      await mined(asOwner.proposeSigner([added.publicKey, toOnChainLayout(added.layout), 0n]));
      const delay = await contract.read.SIGNER_DELAY();
      if (delay > 0n) await clock.advance(delay);
      return added;
    },
  };
}
