import {
  type Account,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbiParameters,
  stringToHex,
} from "viem";
import { type CallErrorType, type ReadContractErrorType, readContract } from "viem/actions";
import { erc7412AdapterAbi } from "../relayer/chain/abi/erc7412AdapterAbi.ts";
import { type BatchExecutor, simulateBatch } from "./batchSimulation.ts";
import type { CheckedUpdate } from "./checkUpdate.ts";
import { decodeOracleError } from "./decodeOracleError.ts";
import type { FeedId } from "./feedId.ts";
import { type FreshnessNeed, fetchFreshUpdates } from "./fetchFreshUpdates.ts";
import type { GetUpdatesErrorType } from "./getUpdates.ts";
import { OracleRevertError } from "./oracleRevertError.ts";
import type { PreparedCall } from "./preparedCall.ts";
import { CallRevertedError, OracleResolverError } from "./resolverErrors.ts";
import type { SdkClient } from "./sdkClient.ts";
import type { UpdateNotFreshEnoughError, UpdateNotServedError } from "./updateErrors.ts";
import type { UpdateSource } from "./updateSource.ts";

/** `oracleId` of this project's adapters: "HOMEPRICE" in ASCII, followed by zeros. */
export const HOME_PRICE_ORACLE_ID: Hex = stringToHex("HOMEPRICE", { size: 32 });

export type ResolveOracleDataParameters = {
  /** Address of the oracle that the adapters read. */
  readonly oracle: Address;
  /** ERC-7412 adapters that are fulfilled. Whatever another contract asks for is refused. */
  readonly oracleContracts: readonly Address[];
  readonly source: UpdateSource;
  /** What is going to be sent, or read. */
  readonly call: { readonly to: Address; readonly data: Hex; readonly value?: bigint | undefined };
  /** Who is going to send it. Default: the client's account. */
  readonly account?: Account | Address | undefined;
  /**
   * Who makes the calls of the batch: the `account` itself (`sendCalls`, a smart account; the default), or `multicall`,
   * whom the called contract then sees as its caller.
   */
  readonly executor?: BatchExecutor | undefined;
  /**
   * Contract with Multicall3's `aggregate3Value`; simulating a batch needs one. Default: Multicall3's usual address.
   */
  readonly multicall?: Address | undefined;
  /** How many times the call may ask for data. Default 8. */
  readonly maxDepth?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ResolveOracleDataReturnType = {
  /** `fulfillOracleQuery` once for each adapter that asked, then the call: for `sendCalls`, or {@link toMulticall}. */
  readonly calls: readonly PreparedCall[];
  readonly updates: readonly CheckedUpdate[];
  /** What the call returns after them. */
  readonly data: Hex;
};

export type ResolveOracleDataErrorType =
  | OracleResolverError
  | OracleRevertError
  | CallRevertedError
  | UpdateNotFreshEnoughError
  | UpdateNotServedError
  | GetUpdatesErrorType
  | ReadContractErrorType
  | CallErrorType;

const DEFAULT_MAX_DEPTH = 8;

/** `maxAge` of a query that does not bound the age: the price has to be unexpired. */
const ANY_AGE = 2n ** 256n - 1n;

/** `oracleQuery` of the adapters. */
const QUERY = parseAbiParameters("uint64 feedId, uint256 maxAge, uint32 minDay");

/** `signedOffchainData` of the adapters. */
const SIGNED_DATA = parseAbiParameters("bytes[] updates");

/**
 * Resolves a call by ERC-7412 (https://eips.ethereum.org/EIPS/eip-7412): simulates it, and when it is reverted with
 * `OracleDataRequired`, fetches and checks the price that is asked for, puts `fulfillOracleQuery` before it, and tries
 * again. Only configured adapters are fulfilled, only if they carry this project's `oracleId` and read the given
 * oracle, and never for a fee. Nothing is sent.
 *
 * @throws OracleResolverError when a query is not fulfilled; OracleRevertError or CallRevertedError when the call fails
 *   for another reason; what `withFreshPrice` throws when no good price is to be had.
 * @example
 * const { calls } = await resolveOracleData(client, {
 *   oracle,
 *   oracleContracts: [adapter],
 *   source: gatewaySource({ url: "https://gateway.example.com" }),
 *   call: { to: market, data: encodeFunctionData({ abi, functionName: "borrow", args: [amount] }) },
 *   account,
 * });
 * await walletClient.sendCalls({ calls });
 */
export async function resolveOracleData(
  client: SdkClient,
  parameters: ResolveOracleDataParameters,
): Promise<ResolveOracleDataReturnType> {
  const { oracle, source, account = client.account, executor = "account", multicall, signal } = parameters;
  const { maxDepth = DEFAULT_MAX_DEPTH } = parameters;
  const call: PreparedCall = { ...parameters.call, value: parameters.call.value ?? 0n };
  const trusted = new Set<Address>();
  const asked = new Set<Hex>();
  const found = new Map<Address, CheckedUpdate[]>();

  for (let depth = 0; ; depth += 1) {
    const calls = [...[...found].map(([adapter, updates]) => toFulfillment(adapter, updates)), call];
    const outcomes = await simulateBatch(client, calls, { account, executor, multicall });
    const query = queryOf(outcomes);
    if (!query) {
      return { calls, updates: [...found.values()].flat(), data: outcomes.at(-1)?.returnData ?? "0x" };
    }
    const { oracleContract, oracleQuery } = query;
    if (depth >= maxDepth) {
      throw new OracleResolverError("RESOLVER_TOO_DEEP", `the call asks for data more than ${maxDepth} times`, query);
    }
    if (!trusted.has(oracleContract)) {
      await checkContract(client, query, parameters);
      trusted.add(oracleContract);
    }
    refuseFee(query);
    const key: Hex = `${oracleContract}${oracleQuery.slice(2)}`;
    if (asked.has(key)) throw repeated(query);
    asked.add(key);

    const updates = await fetchFreshUpdates(client, { oracle, needs: [readQuery(query)], source, signal });
    const before = found.get(oracleContract) ?? [];
    if (updates.some(({ update }) => before.some((earlier) => earlier.update === update))) throw repeated(query);
    if (updates.length > 0) found.set(oracleContract, [...before, ...updates]);
  }
}

type OracleQuery = { readonly oracleContract: Address; readonly oracleQuery: Hex; readonly feeRequired: bigint };

/** What the last call asks for; `undefined` when all go through. */
function queryOf(outcomes: Awaited<ReturnType<typeof simulateBatch>>): OracleQuery | undefined {
  const index = outcomes.findIndex(({ success }) => !success);
  const failed = outcomes[index];
  if (!failed) return undefined;
  const decoded = decodeOracleError(failed.returnData);
  if (!decoded) throw new CallRevertedError(failed.returnData);
  if (decoded.name !== "OracleDataRequired" || index < outcomes.length - 1) throw new OracleRevertError(decoded);
  const [oracleContract, oracleQuery, feeRequired] = decoded.args;
  return { oracleContract: getAddress(oracleContract), oracleQuery, feeRequired };
}

/** Any contract can make a call ask for anything: only what is configured, and is what it should be, gets an answer. */
async function checkContract(
  client: SdkClient,
  query: OracleQuery,
  { oracle, oracleContracts }: ResolveOracleDataParameters,
): Promise<void> {
  const { oracleContract } = query;
  if (!oracleContracts.some((configured) => isAddressEqual(configured, oracleContract))) {
    const message = `the call asks for data of ${oracleContract}, which is not one of the configured oracle contracts`;
    throw new OracleResolverError("ORACLE_CONTRACT_NOT_CONFIGURED", message, query);
  }
  const contract = { address: oracleContract, abi: erc7412AdapterAbi } as const;
  const oracleId = await readContract(client, { ...contract, functionName: "oracleId" }).catch((error: unknown) => {
    if (hasAnswered(error)) return "none";
    throw error;
  });
  if (oracleId !== HOME_PRICE_ORACLE_ID) {
    const message = `the oracle id of ${oracleContract} is ${oracleId}, not ${HOME_PRICE_ORACLE_ID}`;
    throw new OracleResolverError("WRONG_ORACLE_ID", message, query);
  }
  const read = await readContract(client, { ...contract, functionName: "ORACLE" });
  if (!isAddressEqual(read, oracle)) {
    throw new OracleResolverError("WRONG_ORACLE", `${oracleContract} reads the oracle ${read}, not ${oracle}`, query);
  }
}

/** Whether a contract is to blame for an error, and not the way to it. */
function hasAnswered(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (inner) => inner instanceof ContractFunctionRevertedError || inner instanceof ContractFunctionZeroDataError,
    ) !== null
  );
}

function refuseFee(query: OracleQuery): void {
  if (query.feeRequired === 0n) return;
  const message = `${query.oracleContract} asks for a fee of ${query.feeRequired} wei`;
  throw new OracleResolverError("ORACLE_FEE_REFUSED", message, query);
}

function readQuery(query: OracleQuery): FreshnessNeed {
  try {
    const decoded = decodeAbiParameters(QUERY, query.oracleQuery);
    // Decoding checks no ranges; encoding does.
    if (encodeAbiParameters(QUERY, decoded) !== query.oracleQuery) throw new RangeError("another encoding");
    const [feedId, maxAge, minDay] = decoded;
    return { feedId: feedId as FeedId, requirement: { minDay, maxAge: maxAge === ANY_AGE ? undefined : maxAge } };
  } catch {
    const message = `${query.oracleContract} asks for ${query.oracleQuery}, which is no query of its oracle id`;
    throw new OracleResolverError("ORACLE_QUERY_MALFORMED", message, query);
  }
}

function repeated(query: OracleQuery): OracleResolverError {
  const message = `${query.oracleContract} asks again for what it has been given: ${query.oracleQuery}`;
  return new OracleResolverError("ORACLE_QUERY_REPEATED", message, query);
}

function toFulfillment(adapter: Address, updates: readonly CheckedUpdate[]): PreparedCall {
  const signedData = encodeAbiParameters(SIGNED_DATA, [updates.map(({ update }) => update)]);
  const data = encodeFunctionData({ abi: erc7412AdapterAbi, functionName: "fulfillOracleQuery", args: [signedData] });
  return { to: adapter, data, value: 0n };
}
