import { join } from "node:path";
import type { Address, Hex } from "viem";
import type { TestChain } from "../oracle/oracleFixture.ts";

/** viem carries Multicall3's code for chains that lack it, but does not export it. */
const VIEM_CONTRACTS = join(import.meta.dirname, "..", "..", "node_modules/viem/_esm/constants/contracts.js");

/** Deploys the real Multicall3. */
export async function deployMulticall3({ mined, accounts }: TestChain): Promise<Address> {
  const { multicall3Bytecode } = (await import(VIEM_CONTRACTS)) as { multicall3Bytecode: Hex };
  const { contractAddress } = await mined(() => accounts.other.sendTransaction({ data: multicall3Bytecode }));
  if (!contractAddress) throw new Error("Multicall3 was not deployed");
  return contractAddress;
}
