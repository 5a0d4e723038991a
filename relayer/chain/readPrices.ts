import type { Address } from "viem";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";

/** What the oracle holds for a feed. Times in Unix seconds, rounded down by the contract. */
export type StoredPrice = {
  /** 8 decimals; 0 when nothing is stored or its signer is revoked. */
  readonly price: bigint;
  readonly publishTime: bigint;
  readonly expiry: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
};

/** Feeds in one call: far below what a node lets an eth_call spend, at some 3,000 gas a feed. */
const FEEDS_PER_CALL = 500;

/** Whatever is stored for each feed, served or not. */
export async function readPrices(
  { publicClient }: ChainConnection,
  oracle: Address,
  feedIds: readonly bigint[],
): Promise<Map<bigint, StoredPrice>> {
  const stored = new Map<bigint, StoredPrice>();
  for (let start = 0; start < feedIds.length; start += FEEDS_PER_CALL) {
    const chunk = feedIds.slice(start, start + FEEDS_PER_CALL);
    const prices = await publicClient.readContract({
      address: oracle,
      abi: homePriceOracleAbi,
      functionName: "pricesUnsafe",
      args: [chunk],
    });
    chunk.forEach((feedId, index) => {
      const price = prices[index];
      if (price) stored.set(feedId, price);
    });
  }
  return stored;
}
