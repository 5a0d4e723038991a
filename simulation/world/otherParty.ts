import { bytesToHex, encodeFunctionData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import type { Feed } from "../../relayer/message/feedId.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import type { ChainWorld } from "./chainWorld.ts";
import type { PriceServiceWorld } from "./priceServiceWorld.ts";

/** Somebody else who brings the service's prices: the well-known third development account. */
const ACCOUNT = privateKeyToAccount("0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a");

export const OTHER_PARTY = ACCOUNT.address;

const GAS_LIMIT = 8_000_000n;

/** Brings the prices of some feeds to a chain. Answers how many were sent. */
export async function bringPrices(
  { chain, oracle, fees, specification }: ChainWorld,
  service: PriceServiceWorld,
  feeds: readonly Feed[],
  nowMs: number,
): Promise<number> {
  await chain.catchUp();
  const updates = feeds.flatMap((feed) => {
    const signed = service.signedPrice(feed, nowMs);
    return signed ? [bytesToHex(encodeUpdate(signed.message, signed.signature))] : [];
  });
  if (updates.length === 0) return 0;
  const baseFeePerGas = fees.baseFeePerGasAt(nowMs);
  const { nonce } = await chain.account(OTHER_PARTY);
  const raw = await ACCOUNT.signTransaction({
    type: "eip1559",
    chainId: specification.chainId,
    to: oracle,
    data: encodeFunctionData({ abi: homePriceOracleAbi, functionName: "tryUpdatePrices", args: [updates] }),
    nonce: chain.mempool.nextNonce(OTHER_PARTY.toLowerCase() as `0x${string}`, nonce),
    gas: GAS_LIMIT,
    maxFeePerGas: 2n * baseFeePerGas + specification.priorityFeePerGas,
    maxPriorityFeePerGas: specification.priorityFeePerGas,
  });
  await chain.admit(raw);
  return updates.length;
}
