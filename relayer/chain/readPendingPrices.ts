import type { Address } from "viem";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";

/** A price outside its feed's band, which is not served yet. Times in Unix seconds, rounded down by the contract. */
export type PendingPrice = {
  /** 8 decimals. */
  readonly price: bigint;
  readonly publishTime: bigint;
  readonly expiry: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** When it becomes the latest price by itself. */
  readonly servedFrom: bigint;
};

/** Feeds in one call, whose answer of 320 bytes a feed comes in the place of a contract's code: 24,576 bytes (EIP-170). */
const FEEDS_PER_CALL = 50;

/** What waits, of the feeds for which something does. */
export async function readPendingPrices(
  { publicClient }: ChainConnection,
  oracle: Address,
  feedIds: readonly bigint[],
): Promise<Map<bigint, PendingPrice>> {
  const pending = new Map<bigint, PendingPrice>();
  for (let start = 0; start < feedIds.length; start += FEEDS_PER_CALL) {
    const chunk = feedIds.slice(start, start + FEEDS_PER_CALL);
    const answers = await publicClient.multicall({
      contracts: chunk.map((feedId) => ({
        address: oracle,
        abi: homePriceOracleAbi,
        functionName: "pendingPrice" as const,
        args: [feedId] as const,
      })),
      allowFailure: false,
      // A local chain has no multicall contract.
      deployless: true,
      batchSize: 0,
    });
    chunk.forEach((feedId, index) => {
      const answer = answers[index];
      if (answer && answer.servedFrom !== 0n) pending.set(feedId, { ...answer.price, servedFrom: answer.servedFrom });
    });
  }
  return pending;
}
