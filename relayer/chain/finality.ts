import { HomePriceError } from "../errors/HomePriceError.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { describeRpcError, isNodeOutOfReach } from "./rpcError.ts";

/** When a block counts as final: by the chain's own `finalized` tag, or with that many blocks on top of it. */
export type Finality = "finalized" | number;

/** A node does not say which block is final. */
export class FinalityUnknownError extends HomePriceError {
  constructor(host: string, error: unknown) {
    super("FINALITY_UNKNOWN", `${host} does not say which block is final: ${describeRpcError(error)}`, {
      hint: "Configure after how many blocks one counts as final (finality), where the chain or its nodes have no `finalized` tag.",
      cause: error,
    });
  }
}

/**
 * Number of the newest block that is final. The first block of a chain always is.
 * @throws FinalityUnknownError
 */
export async function readFinalBlock({ publicClient, host }: ChainConnection, finality: Finality): Promise<bigint> {
  if (finality !== "finalized") {
    const head = await publicClient.getBlockNumber({ cacheTime: 0 });
    const depth = BigInt(finality);
    return head > depth ? head - depth : 0n;
  }
  try {
    const { number } = await publicClient.getBlock({ blockTag: "finalized" });
    return number;
  } catch (error) {
    if (isNodeOutOfReach(error)) throw error;
    throw new FinalityUnknownError(host, error);
  }
}
