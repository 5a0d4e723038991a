import type { ChainContext } from "./chainContext.ts";

const DAY_MS = 86_400_000n;
/** Days whose cost tells what a day costs. */
const REMEMBERED_DAYS = 7n;

/**
 * For how many days a balance lasts, at what a day of the last week has cost; `undefined` as long as nothing has been
 * spent in it. Whole days and tenths.
 */
export async function balanceRunway(
  { journal, access, signer, nowMs }: ChainContext,
  balanceWei: bigint,
): Promise<number | undefined> {
  if (!signer) return undefined;
  const sinceMs = nowMs() - REMEMBERED_DAYS * DAY_MS;
  const { spentWei, firstSpentAtMs } = await journal.spending(access.chain.id, signer.address, sinceMs);
  if (spentWei === 0n || firstSpentAtMs === undefined) return undefined;
  // A relayer that has begun yesterday has a day's cost behind it, not a week's.
  const days = (nowMs() - firstSpentAtMs) / DAY_MS + 1n;
  const costOfDay = spentWei / (days < REMEMBERED_DAYS ? days : REMEMBERED_DAYS);
  return costOfDay === 0n ? undefined : Number((balanceWei * 10n) / costOfDay) / 10;
}
