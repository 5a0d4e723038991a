import type { Attempt } from "../journal/journal.ts";
import type { DeliveredTransaction } from "./deliveryReport.ts";

/** An attempt as a report shows it: the transaction that was mined, or the newest one as long as none is. */
export function toDeliveredTransaction({
  transactions,
  nonce,
  openedAtMs,
  mined,
  state,
  updates,
}: Attempt): DeliveredTransaction {
  const newest = transactions.at(-1);
  if (!newest) throw new RangeError(`nonce ${nonce} has no transaction`);
  return {
    hash: mined?.hash ?? newest.hash,
    nonce,
    openedAtMs,
    gasUsed: mined?.gasUsed,
    costWei: mined && mined.gasUsed * mined.effectiveGasPrice,
    isFinal: state === "final",
    feedIds: updates.map(({ feedId }) => feedId),
  };
}
