import type { ChainExamination } from "./chainExamination.ts";
import { gasOfUpdates } from "./gasOfUpdates.ts";

/** What a day's updates cost on a chain, at its gas price of the moment. */
export type CostPerDay = {
  readonly chainId: number;
  readonly feeds: number;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly wei: bigint;
};

/** `undefined` without a connection. */
export async function costPerDay({ chain, connection, wanted }: ChainExamination): Promise<CostPerDay | undefined> {
  const connected = await connection();
  if (!connected) return undefined;
  const gasPrice = await connected.publicClient.getGasPrice();
  const feeds = wanted().length;
  const { maxUpdatesPerTransaction, maxGasPerTransaction } = chain;
  const gas = gasOfUpdates(feeds, { maxUpdatesPerTransaction, maxGasPerTransaction: BigInt(maxGasPerTransaction) });
  return { chainId: connected.chain.id, feeds, gas, gasPrice, wei: gas * gasPrice };
}
