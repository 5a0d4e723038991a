import type { Address, Hex } from "viem";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";

/** A signer that the oracle accepts now. */
export type UsableSigner = {
  readonly number: number;
  readonly publicKey: Hex;
  /** As stored: the packed fields and the hash of the constant bytes. */
  readonly layout: bigint;
  readonly constantsHash: Hex;
};

/** The signers that the oracle accepts now, newest first. */
export async function readUsableSigners({ publicClient }: ChainConnection, oracle: Address): Promise<UsableSigner[]> {
  const contract = { address: oracle, abi: homePriceOracleAbi } as const;
  const numbers = await publicClient.readContract({ ...contract, functionName: "usableSigners" });
  return Promise.all(
    numbers.map(async (number) => {
      const { publicKey, messageLayout, constantsHash } = await publicClient.readContract({
        ...contract,
        functionName: "signerInfo",
        args: [number],
      });
      return { number, publicKey, layout: messageLayout, constantsHash };
    }),
  );
}
