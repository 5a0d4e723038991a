import { type Address, encodeDeployData, type LocalAccount } from "viem";
import { homeValueReaderAbi } from "../chain/abi/homeValueReaderAbi.ts";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { readArtifact } from "../deployment/contractArtifact.ts";
import { deployDeterministically } from "../deployment/deterministicProxy.ts";
import { createTransactionSender } from "../deployment/transactionSender.ts";

/** Feeds in one call. */
const FEEDS_PER_CALL = 200;

/** Deploys the example reader over an oracle. */
export async function deployConsumer(
  connection: ChainConnection,
  account: LocalAccount,
  oracle: Address,
  receiptTimeoutMs: number,
): Promise<Address> {
  const { bytecode } = await readArtifact("examples/HomeValueReader.sol", "HomeValueReader");
  const send = createTransactionSender(connection, account, receiptTimeoutMs, () => {});
  const initCode = encodeDeployData({ abi: homeValueReaderAbi, bytecode, args: [oracle] });
  return deployDeterministically(connection, send, "deploy the example reader", initCode);
}

/** Current prices (8 decimals) as a contract of a protocol reads them. The feeds must all have one. */
export async function readThroughConsumer(
  { publicClient }: ChainConnection,
  consumer: Address,
  feedIds: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  const prices = new Map<bigint, bigint>();
  for (let start = 0; start < feedIds.length; start += FEEDS_PER_CALL) {
    const chunk = feedIds.slice(start, start + FEEDS_PER_CALL);
    const values = await publicClient.readContract({
      address: consumer,
      abi: homeValueReaderAbi,
      functionName: "pricesOf",
      args: [chunk],
    });
    chunk.forEach((feedId, index) => {
      const value = values[index];
      if (value !== undefined) prices.set(feedId, value);
    });
  }
  return prices;
}
