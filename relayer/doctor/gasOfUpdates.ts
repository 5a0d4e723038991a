import type { SendLimits } from "../chain/sendLimits.ts";

/**
 * What a transaction costs before its first update, and each update on top, as the project measures them
 * (`test/oracle/updateGas.json`, later prices with hint). First prices of feeds cost about 34,000 more each; what a
 * layer-2 chain charges for its data comes on top of either.
 */
const GAS_OF_TRANSACTION = 51_000n;
const GAS_OF_UPDATE = 69_500n;

/** Gas of bringing each of so many feeds one price, in as few transactions as the limits allow. */
export function gasOfUpdates(feeds: number, { maxUpdatesPerTransaction, maxGasPerTransaction }: SendLimits): bigint {
  const affordable = Number((maxGasPerTransaction - GAS_OF_TRANSACTION) / GAS_OF_UPDATE);
  const perTransaction = Math.max(1, Math.min(maxUpdatesPerTransaction, affordable));
  return BigInt(Math.ceil(feeds / perTransaction)) * GAS_OF_TRANSACTION + BigInt(feeds) * GAS_OF_UPDATE;
}
