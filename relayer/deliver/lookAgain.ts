import { LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import type { Attempt } from "../journal/journal.ts";
import type { ChainContext } from "./chainContext.ts";
import type { FeedPlan } from "./planDeliveries.ts";

const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;

/** While a transaction is not mined: soon at first, then less and less often. A local chain mines at once. */
const UNMINED_PAUSE_MS = 4n * SECOND_MS;
const LONGEST_UNMINED_PAUSE_MS = MINUTE_MS;
const AGE_PER_PAUSE = 8n;
const LOCAL_PAUSE_MS = SECOND_MS / 10n;
/** While a block is not final. */
const UNFINAL_PAUSE_MS = MINUTE_MS;
/** While something keeps prices from being sent: fees, the budget, an endpoint, another process. */
const BLOCKED_PAUSE_MS = MINUTE_MS;
/** A price that the oracle does not take now may be one that it takes later, but not soon. */
const FAILED_PAUSE_MS = 60n * MINUTE_MS;

/**
 * When it is worth while to look at a chain again, in Unix milliseconds; `undefined` when nothing is left to do until
 * new prices come.
 */
export function lookAgainAtMs(
  { access, nowMs }: ChainContext,
  attempts: readonly Attempt[],
  plans: readonly FeedPlan[],
  { isBlocked, hasFailed }: { readonly isBlocked: boolean; readonly hasFailed: boolean },
): bigint | undefined {
  const now = nowMs();
  const isLocal = access.chain.id === LOCAL_CHAIN_ID;
  const instants: bigint[] = [];
  const unmined = attempts.filter(({ state }) => state === "sent");
  if (unmined.length > 0) instants.push(now + (isLocal ? LOCAL_PAUSE_MS : pauseAfter(unmined, now)));
  if (attempts.some(({ state }) => state === "mined")) instants.push(now + UNFINAL_PAUSE_MS);
  if (isBlocked) instants.push(now + BLOCKED_PAUSE_MS);
  if (hasFailed) instants.push(now + FAILED_PAUSE_MS);
  for (const { pending } of plans) if (pending) instants.push(laterOf(pending.servedFrom * SECOND_MS, now + MINUTE_MS));
  // From then on the oracle serves nothing, and somebody has to be told.
  for (const { onChain } of plans) {
    const expiryMs = (onChain?.expiry ?? 0n) * SECOND_MS;
    if (onChain?.price && expiryMs > now) instants.push(expiryMs + SECOND_MS);
  }
  return instants.reduce<bigint | undefined>(
    (first, each) => (first === undefined || each < first ? each : first),
    undefined,
  );
}

/**
 * The longer the youngest of them has waited, the longer the pause: nothing is missed that a block later would not show.
 * @param unmined Lowest nonce first.
 */
function pauseAfter(unmined: readonly Attempt[], now: bigint): bigint {
  const youngest = unmined.at(-1)?.openedAtMs ?? now;
  const pause = (now - youngest) / AGE_PER_PAUSE;
  if (pause < UNMINED_PAUSE_MS) return UNMINED_PAUSE_MS;
  return pause > LONGEST_UNMINED_PAUSE_MS ? LONGEST_UNMINED_PAUSE_MS : pause;
}

function laterOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
