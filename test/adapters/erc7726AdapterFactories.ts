import { artifacts } from "hardhat";
import type { Address } from "viem";
import {
  deployDeterministically,
  deterministicAddress,
  ensureProxy,
} from "../../relayer/deployment/deterministicProxy.ts";
import type { TestChain } from "../oracle/oracleFixture.ts";

type FactoryName = "QuoteAdapterFactory" | "MorphoAdapterFactory" | "ERC7412AdapterFactory";

/** Deploys a factory of adapters through the real deterministic proxy, and says where it has to be. */
export async function deployThroughProxy(chain: TestChain, name: FactoryName): Promise<Address> {
  const { bytecode } = await artifacts.readArtifact(name);
  const { publicClient, mined, accounts } = chain;
  const connection = { publicClient } as unknown as Parameters<typeof ensureProxy>[0];
  const send: Parameters<typeof ensureProxy>[1] = (_label, transaction) =>
    mined(() => accounts.relayer.sendTransaction(transaction));
  await ensureProxy(connection, send);
  const address = await deployDeterministically(connection, send, name, bytecode as Address);
  if (address !== deterministicAddress(bytecode as Address)) throw new Error("the proxy deployed elsewhere");
  return address;
}
