import {
  type Abi,
  type Account,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataErrorType,
  encodeFunctionData,
  type Hex,
} from "viem";
import { type CallErrorType, call as callContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import type { InvalidIdError } from "../relayer/message/feedId.ts";
import type { InvalidDayError } from "./calendarDay.ts";
import type { CheckedUpdate } from "./checkUpdate.ts";
import { type DecodedOracleError, decodeOracleError } from "./decodeOracleError.ts";
import type { FeedId } from "./feedId.ts";
import { fetchFreshUpdates } from "./fetchFreshUpdates.ts";
import type { FreshnessRequirement } from "./freshnessRequirement.ts";
import type { GetUpdatesErrorType } from "./getUpdates.ts";
import { isCurable, needsUpdate } from "./needsUpdate.ts";
import { OracleRevertError } from "./oracleRevertError.ts";
import type { PreparedCall, PullRequest, WriteRequest, Writing } from "./preparedCall.ts";
import type { SdkClient } from "./sdkClient.ts";
import type { UpdateNotFreshEnoughError, UpdateNotServedError } from "./updateErrors.ts";
import type { UpdateSource } from "./updateSource.ts";

type CommonParameters = {
  /** Address of the oracle that the call reads. */
  readonly oracle: Address;
  readonly source: UpdateSource;
  readonly signal?: AbortSignal | undefined;
};

/** What is known of the feeds that the call reads. */
type KnownFeeds = FreshnessRequirement & {
  /** Feeds that the call reads. */
  readonly feedIds: readonly FeedId[];
  readonly account?: undefined;
};

/**
 * Nothing is known: simulating the call tells which feeds need an update, and the call's own rules how fresh they have
 * to be.
 */
type UnknownFeeds = {
  readonly feedIds?: undefined;
  readonly maxAge?: undefined;
  readonly minDay?: undefined;
  /** Who is going to send the call. Default: the client's account. */
  readonly account?: Account | Address | undefined;
};

/** Of a call that takes the updates itself, as those of a `HomePriceConsumer` do. */
export type WithFreshPricePullParameters<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = CommonParameters &
  (KnownFeeds | UnknownFeeds) & {
    /** `args` is a function of the updates. */
    readonly call: PullRequest<abi, functionName, args>;
  };

/** Of any other call: the updates go before it. */
export type WithFreshPriceBatchParameters<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = CommonParameters & KnownFeeds & { readonly call: WriteRequest<abi, functionName, args> };

export type WithFreshPriceReturnType<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = {
  /** Only those that the call needs; none when everything is fresh. */
  readonly updates: readonly CheckedUpdate[];
  /** The call for `writeContract`, with the updates filled in where it takes them. */
  readonly request: WriteRequest<abi, functionName, args>;
  /**
   * `updatePrices` for `writeContract`, to be sent before `request` by those who cannot send several calls at once;
   * `undefined` when the call takes the updates itself, or needs none.
   */
  readonly updateRequest: WriteRequest<typeof homePriceOracleAbi, "updatePrices"> | undefined;
  /** Everything that has to be sent, in order: for `sendCalls`, a smart account, or {@link toMulticall}. */
  readonly calls: readonly PreparedCall[];
};

export type WithFreshPriceErrorType =
  | GetUpdatesErrorType
  | UpdateNotFreshEnoughError
  | UpdateNotServedError
  | OracleRevertError
  | InvalidDayError
  | InvalidIdError
  | CallErrorType
  | EncodeFunctionDataErrorType;

/** Feeds that simulating a call may ask for, one after the other. */
const MAX_DISCOVERED_FEEDS = 16;

/**
 * Makes a call ready to be sent whose price is fresh when it runs: finds out which of the feeds need a newer price,
 * fetches only these, checks them, and makes sure that the oracle is going to serve them. Nothing is sent.
 *
 * A call that takes `bytes[] updates` gives `args` as a function of them and comes back as one `request`. Any other
 * call comes back with `updatePrices` before it, in `calls`.
 *
 * A price that meets the requirement is left as it is, even if the service has a newer or revised one. What may follow
 * from two prices being alive at once is told in `HomePriceConsumer`.
 *
 * @throws OracleRevertError when no newer price could help (FeedPaused, FeedQuarantined, UnknownFeed);
 *   UpdateNotFreshEnoughError, UpdateNotServedError; what `getUpdates` throws.
 * @example
 * const { request } = await withFreshPrice(client, {
 *   oracle,
 *   feedIds: [salesFeedId(101n)],
 *   minDay: "2026-03-02",
 *   source: gatewaySource({ url: "https://gateway.example.com" }),
 *   call: { address: market, abi, functionName: "borrow", args: (updates) => [updates, amount] },
 * });
 * await walletClient.writeContract(request);
 * @example
 * const { calls } = await withFreshPrice(client, {
 *   oracle,
 *   feedIds: [salesFeedId(101n)],
 *   maxAge: 86_400n,
 *   source,
 *   call: { address: vault, abi, functionName: "liquidate", args: [borrower] },
 * });
 * await walletClient.sendCalls({ calls });
 */
export async function withFreshPrice<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  const args extends ContractFunctionArgs<abi, Writing, functionName>,
>(
  client: SdkClient,
  parameters: WithFreshPricePullParameters<abi, functionName, args>,
): Promise<WithFreshPriceReturnType<abi, functionName, args>>;
export async function withFreshPrice<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  const args extends ContractFunctionArgs<abi, Writing, functionName>,
>(
  client: SdkClient,
  parameters: WithFreshPriceBatchParameters<abi, functionName, args>,
): Promise<WithFreshPriceReturnType<abi, functionName, args>>;
export async function withFreshPrice(
  client: SdkClient,
  parameters: CommonParameters & (KnownFeeds | UnknownFeeds) & { readonly call: AnyCall },
): Promise<AnyResult> {
  const { oracle, source, signal } = parameters;
  const { args: given, ...contract } = parameters.call;
  const takesUpdates = typeof given === "function";
  const fill = (updates: readonly CheckedUpdate[]): FilledCall => ({
    ...contract,
    args: takesUpdates ? given(updates.map(({ update }) => update)) : given,
  });

  let updates: readonly CheckedUpdate[];
  if (parameters.feedIds) {
    const { maxAge, minDay } = parameters;
    const requirement = { maxAge, minDay };
    const wanted = [...new Set(parameters.feedIds)];
    const stale = await Promise.all(
      wanted.map((feedId) => needsUpdate(client, { oracle, feedId, requirement, blockTag: "pending" })),
    );
    const needs = wanted.filter((_, index) => stale[index]).map((feedId) => ({ feedId, requirement }));
    updates = await fetchFreshUpdates(client, { oracle, needs, source, signal });
  } else {
    updates = await discoverUpdates(client, parameters, (found) => prepare(fill(found)));
  }

  const request = fill(updates);
  if (takesUpdates || updates.length === 0) {
    return { updates, request, updateRequest: undefined, calls: [prepare(request)] };
  }
  const updateRequest = {
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "updatePrices",
    args: [updates.map(({ update }) => update)],
  } as const;
  return { updates, request, updateRequest, calls: [prepare(updateRequest), prepare(request)] };
}

/** A call of any contract, once the types of its caller are checked. */
type FilledCall = {
  readonly address: Address;
  readonly abi: Abi | readonly unknown[];
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly value?: bigint | undefined;
};
type AnyCall = Omit<FilledCall, "args"> & {
  readonly args: readonly unknown[] | ((updates: readonly Hex[]) => readonly unknown[]);
};
type AnyResult = Omit<WithFreshPriceReturnType<Abi, string>, "request"> & { readonly request: FilledCall };

/** Simulates a call with ever more updates, until it asks for none any more. */
async function discoverUpdates(
  client: SdkClient,
  { oracle, source, account = client.account, signal }: CommonParameters & UnknownFeeds,
  prepareWith: (updates: readonly CheckedUpdate[]) => PreparedCall,
): Promise<readonly CheckedUpdate[]> {
  const updates: CheckedUpdate[] = [];
  const asked = new Set<FeedId>();
  for (;;) {
    const failure = await simulate(client, prepareWith(updates), account);
    if (!failure) return updates;
    const feedId = feedToBring(failure);
    if (feedId === undefined || asked.has(feedId) || asked.size === MAX_DISCOVERED_FEEDS) {
      throw new OracleRevertError(failure);
    }
    asked.add(feedId);
    const needs = [{ feedId, requirement: requirementOf(failure) }];
    updates.push(...(await fetchFreshUpdates(client, { oracle, needs, source, signal })));
  }
}

/** The oracle's error with which a call would be reverted; `undefined` when it goes through. */
async function simulate(
  client: SdkClient,
  { to, data, value }: PreparedCall,
  account: Account | Address | undefined,
): Promise<DecodedOracleError | undefined> {
  try {
    await callContract(client, { to, data, value, blockTag: "pending", ...(account && { account }) });
    return undefined;
  } catch (error) {
    const decoded = decodeOracleError(error);
    if (!decoded) throw error;
    return decoded;
  }
}

/** All errors that a newer price does away with begin with the feed. */
function feedToBring({ name, args }: DecodedOracleError): FeedId | undefined {
  const feedId: unknown = args[0];
  return isCurable(name) && typeof feedId === "bigint" ? (feedId as FeedId) : undefined;
}

/** What the call wants, as far as its error says so. */
function requirementOf(error: DecodedOracleError): FreshnessRequirement {
  if (error.name === "PriceTooOld") return { maxAge: error.args[2] };
  return error.name === "PriceDayTooEarly" ? { minDay: error.args[2] } : {};
}

function prepare({ address, abi, functionName, args, value }: FilledCall): PreparedCall {
  return { to: address, data: encodeFunctionData({ abi: abi as Abi, functionName, args }), value: value ?? 0n };
}
