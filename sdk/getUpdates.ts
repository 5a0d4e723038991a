import type { Address } from "viem";
import type { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { feedOf, InvalidIdError } from "../relayer/message/feedId.ts";
import { type CheckedUpdate, checkUpdate } from "./checkUpdate.ts";
import type { FeedId } from "./feedId.ts";
import { type GetUpdateRulesErrorType, getUpdateRules, type UpdateRules } from "./getUpdateRules.ts";
import type { ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";
import { UpdateMissingError, UpdateRefusedError } from "./updateErrors.ts";
import type { SourceAnswer, UpdateSource } from "./updateSource.ts";

export type GetUpdatesParameters<allowFailure extends boolean = false> = ReadAt & {
  /** Address of the oracle that the updates are for: its signers and rules decide. */
  readonly oracle: Address;
  readonly feedIds: readonly FeedId[];
  readonly source: UpdateSource;
  /** Whether a feed without a good update is reported beside the others. Default: the first one is thrown. */
  readonly allowFailure?: allowFailure | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Why there is no good update of a feed. */
export type UpdateFailure = {
  readonly feedId: FeedId;
  /** UpdateRefusedError, UpdateMissingError, or what the source says of this feed. */
  readonly error: HomePriceError;
};

/** In the order of the feeds that were asked for. */
export type GetUpdatesReturnType<allowFailure extends boolean = false> = allowFailure extends true
  ? { readonly updates: readonly CheckedUpdate[]; readonly failures: readonly UpdateFailure[] }
  : readonly CheckedUpdate[];

/** GatewayError and ServiceError, among others, are HomePriceErrors. */
export type GetUpdatesErrorType =
  | UpdateRefusedError
  | UpdateMissingError
  | InvalidIdError
  | HomePriceError
  | GetUpdateRulesErrorType;

/**
 * The latest signed prices of feeds, each checked as the oracle would: what a source gives is not trusted.
 *
 * @throws UpdateRefusedError, UpdateMissingError unless `allowFailure`; InvalidIdError for a feed that the oracle
 *   cannot have; what the source throws when it fails as a whole.
 * @example
 * const updates = await getUpdates(client, { oracle, feedIds: [salesFeedId(101n)], source: gatewaySource({ url }) });
 * await walletClient.writeContract({
 *   address: oracle,
 *   abi: homePriceOracleAbi,
 *   functionName: "updatePrices",
 *   args: [updates.map(({ update }) => update)],
 * });
 */
export async function getUpdates<allowFailure extends boolean = false>(
  client: SdkClient,
  { oracle, feedIds, source, allowFailure, signal, ...at }: GetUpdatesParameters<allowFailure>,
): Promise<GetUpdatesReturnType<allowFailure>> {
  const rules = await getUpdateRules(client, { oracle, ...at });
  const { updates, failures } = await fetchChecked(rules, { feedIds, source, signal });
  if (allowFailure) return { updates, failures } as GetUpdatesReturnType<allowFailure>;
  const [failure] = failures;
  if (failure) throw failure.error;
  return updates as readonly CheckedUpdate[] as GetUpdatesReturnType<allowFailure>;
}

/** Asks a source and checks what it gives by rules that are known already. */
export async function fetchChecked(
  rules: UpdateRules,
  { feedIds, source, signal }: Pick<GetUpdatesParameters, "feedIds" | "source" | "signal">,
): Promise<GetUpdatesReturnType<true>> {
  const wanted = [...new Set(feedIds)];
  for (const feedId of wanted) {
    if (!feedOf(feedId, rules.rentalOffset)) throw new InvalidIdError("feed id", feedId, rules.rentalOffset);
  }
  const updates: CheckedUpdate[] = [];
  const failures: UpdateFailure[] = [];
  if (wanted.length === 0) return { updates, failures };
  const answer = await source.fetchUpdates({ feedIds: wanted, rentalOffset: rules.rentalOffset, signal });
  for (const feedId of wanted) {
    const update = chooseUpdate(feedId, answer, rules, source.name);
    if ("error" in update) failures.push({ feedId, error: update.error });
    else updates.push(update);
  }
  return { updates, failures };
}

/** The newest good update of a feed, or why there is none. */
function chooseUpdate(
  feedId: FeedId,
  { received, failures }: SourceAnswer,
  rules: UpdateRules,
  sourceName: string,
): CheckedUpdate | { readonly error: HomePriceError } {
  let newest: CheckedUpdate | undefined;
  let error = failures.find((failure) => failure.feedId === feedId)?.error;
  for (const candidate of received.filter((entry) => entry.feedId === feedId)) {
    const checked = checkUpdate({ feedId, update: candidate.update, rules, stated: candidate.stated });
    if (!checked.ok) error ??= new UpdateRefusedError(feedId, checked.refusal, sourceName);
    else if (!newest || checked.value.publishTimeMs > newest.publishTimeMs) newest = checked.value;
  }
  return newest ?? { error: error ?? new UpdateMissingError(feedId, sourceName) };
}
