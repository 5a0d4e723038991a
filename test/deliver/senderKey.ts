import { type Hex, numberToHex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import type { OracleChain } from "../chain/oracleChain.ts";

/** The key of a new sender with some native currency. */
export async function newSenderKey({ request }: Pick<OracleChain, "request">, ether: string): Promise<Hex> {
  const key = generatePrivateKey();
  await request("hardhat_setBalance", [privateKeyToAddress(key), numberToHex(parseEther(ether))]);
  return key;
}
