import type { Address, ContractFunctionParameters } from "viem";
import { multicall, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { toDate } from "./calendarDay.ts";
import type { CheckedUpdate } from "./checkUpdate.ts";
import { decodeOracleError } from "./decodeOracleError.ts";
import type { FeedId } from "./feedId.ts";
import type { ContractPrice } from "./feedPrice.ts";
import { type FreshnessRequirement, minDayOf } from "./freshnessRequirement.ts";
import { getUpdateRules } from "./getUpdateRules.ts";
import { fetchChecked } from "./getUpdates.ts";
import { OracleRevertError } from "./oracleRevertError.ts";
import type { SdkClient } from "./sdkClient.ts";
import { UpdateNotFreshEnoughError, UpdateNotServedError } from "./updateErrors.ts";
import type { UpdateSource } from "./updateSource.ts";

/** A feed, and how fresh its price has to be. */
export type FreshnessNeed = { readonly feedId: FeedId; readonly requirement: FreshnessRequirement };

export type FetchFreshUpdatesParameters = {
  readonly oracle: Address;
  /** Feeds whose stored price is not fresh enough, each once. */
  readonly needs: readonly FreshnessNeed[];
  readonly source: UpdateSource;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Fetches the updates of feeds that need one, and makes sure that with them the oracle serves what is needed. A feed
 * that somebody else has served meanwhile needs none any more.
 */
export async function fetchFreshUpdates(
  client: SdkClient,
  { oracle, needs, source, signal }: FetchFreshUpdatesParameters,
): Promise<readonly CheckedUpdate[]> {
  if (needs.length === 0) return [];
  const feedIds = needs.map(({ feedId }) => feedId);
  const [rules, stored] = await Promise.all([
    getUpdateRules(client, { oracle }),
    readContract(client, {
      address: oracle,
      abi: homePriceOracleAbi,
      functionName: "pricesUnsafe",
      args: [feedIds],
      blockTag: "pending",
    }),
  ]);
  const { updates, failures } = await fetchChecked(rules, { feedIds, source, signal });
  if (failures[0]) throw failures[0].error;

  updates.forEach((update, index) => {
    const problem = whyNotFresh(update, needs[index]?.requirement ?? {}, rules.nowMs, stored[index]?.day ?? 0);
    if (problem) throw new UpdateNotFreshEnoughError(update.feedId, problem, source.name);
  });

  const needed: CheckedUpdate[] = [];
  for (let start = 0; start < updates.length; start += UPDATES_PER_SIMULATION) {
    const chunk = updates.slice(start, start + UPDATES_PER_SIMULATION);
    const requirements = chunk.map((_, index) => needs[start + index]?.requirement ?? {});
    needed.push(...(await keepServed(client, oracle, chunk, requirements)));
  }
  return needed;
}

/** All of them go into one call whose size nodes limit (EIP-3860: 49,152 bytes), with some 500 bytes an update. */
const UPDATES_PER_SIMULATION = 50;

/**
 * Brings updates and reads their feeds, in one simulated call: whether a price is served is decided by the feed's band
 * and the guardian, too. Leaves out the updates that change nothing.
 */
async function keepServed(
  client: SdkClient,
  oracle: Address,
  updates: readonly CheckedUpdate[],
  requirements: readonly FreshnessRequirement[],
): Promise<readonly CheckedUpdate[]> {
  const contract = { address: oracle, abi: homePriceOracleAbi } as const;
  // A client that batches its reads would tear these calls apart.
  const { batch: _batch, ...unbatched } = client;
  const calls: ContractFunctionParameters[] = [
    { ...contract, functionName: "updatePrices", args: [updates.map(({ update }) => update)] },
    ...updates.map(({ feedId }, index) => {
      const maxAge = requirements[index]?.maxAge;
      return maxAge === undefined
        ? { ...contract, functionName: "latestPrice", args: [feedId] }
        : { ...contract, functionName: "priceNoOlderThan", args: [feedId, maxAge] };
    }),
  ];
  const [brought, ...reads] = await multicall(unbatched, {
    contracts: calls,
    deployless: true,
    batchSize: 0,
    blockTag: "pending",
  });
  if (brought?.status !== "success") {
    const decoded = decodeOracleError(brought?.error);
    throw decoded ? new OracleRevertError(decoded, brought?.error) : brought?.error;
  }
  const taken = brought.result as readonly boolean[];
  return updates.filter((update, index) => {
    const read = reads[index];
    if (read?.status === "failure" && !decodeOracleError(read.error)) throw read.error;
    const served = read?.status === "success" ? (read.result as ContractPrice) : undefined;
    if (!served || served.day < minDayOf(requirements[index] ?? {})) throw new UpdateNotServedError(update.feedId);
    return taken[index];
  });
}

/** What is wrong with a good update that still does not help; `undefined`: it does. */
function whyNotFresh(
  { day, date, publishTimeMs }: CheckedUpdate,
  requirement: FreshnessRequirement,
  nowMs: bigint,
  storedDay: number,
): string | undefined {
  const minDay = minDayOf(requirement);
  if (day < minDay) return `is of ${date}, before ${toDate(minDay)}`;
  if (day < storedDay) return `is of ${date}, before ${toDate(storedDay)}, which the oracle has`;
  const ageSeconds = (nowMs - publishTimeMs) / 1000n;
  if (requirement.maxAge !== undefined && ageSeconds > requirement.maxAge) {
    return `is ${ageSeconds} s old, more than ${requirement.maxAge} s`;
  }
  return undefined;
}
