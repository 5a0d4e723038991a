import { artifacts } from "hardhat";
import {
  type Abi,
  type Address,
  encodeDeployData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseEventLogs,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainConnection } from "../../relayer/chain/chainConnection.ts";
import {
  deployDeterministically,
  deterministicAddress,
  ensureProxy,
} from "../../relayer/deployment/deterministicProxy.ts";
import type { TransactionSender } from "../../relayer/deployment/transactionSender.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { FACTORIES_UNDER_TEST, type FactoryUnderTest } from "./factoriesUnderTest.ts";
import { refusalOf } from "./refusal.ts";

const SALT = numberToHex(0, { size: 32 });

let chain: TestChain;
let otherChain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  [chain, otherChain] = [await startChain(), await startChain({ chainId: 10 })];
  oracle = await chain.deployOracle();
});
afterAll(() => Promise.all([chain.close(), otherChain.close()]));

/** Deploys a factory through the deterministic proxy, as on any chain. */
async function deployThroughProxy({ publicClient, viem }: TestChain, initCode: Hex): Promise<Address> {
  const [wallet] = await viem.getWalletClients();
  const send: TransactionSender = async (_label, transaction) => {
    if (!wallet) throw new Error("no account");
    return publicClient.waitForTransactionReceipt({ hash: await wallet.sendTransaction(transaction) });
  };
  const connection: Pick<ChainConnection, "publicClient"> = { publicClient };
  await ensureProxy(connection as ChainConnection, send);
  return deployDeterministically(connection as ChainConnection, send, "deploy the factory", initCode);
}

describe.each(FACTORIES_UNDER_TEST)(
  "$factory",
  ({ factory, adapter, argumentsFor, badArguments }: FactoryUnderTest) => {
    let initCode: Hex;
    let address: Address;
    let abi: Abi;
    beforeEach(async () => {
      const artifact = await artifacts.readArtifact(factory);
      [initCode, abi] = [artifact.bytecode as Hex, artifact.abi as Abi];
      address = await deployThroughProxy(chain, initCode);
    });

    /** Where an adapter has to be, computed from published code alone. */
    const computedAddress = async (args: readonly unknown[]) => {
      const artifact = await artifacts.readArtifact(adapter);
      const code = encodeDeployData({ abi: artifact.abi as Abi, bytecode: artifact.bytecode as Hex, args });
      return getContractAddress({
        opcode: "CREATE2",
        from: deterministicAddress(initCode),
        salt: SALT,
        bytecode: code,
      });
    };

    it("has the same address on every chain, known beforehand, and puts adapters at the same addresses", async () => {
      const expected = deterministicAddress(initCode);
      expect(address).toBe(expected);
      expect(await deployThroughProxy(otherChain, initCode)).toBe(expected);
      const args = argumentsFor(oracle.address);
      for (const { publicClient } of [chain, otherChain]) {
        const found = await publicClient.readContract({ address, abi, functionName: "adapterAddress", args });
        expect(found).toBe(await computedAddress(args));
      }
    });

    it("deploys an adapter once, and finds it from then on", async () => {
      const args = argumentsFor(oracle.address);
      const expected = await computedAddress(args);
      const { publicClient, viem } = chain;
      const [wallet] = await viem.getWalletClients();
      const deploy = async () => {
        const { request, result } = await publicClient.simulateContract({
          account: wallet?.account ?? null,
          address,
          abi,
          functionName: "deploy",
          args,
        });
        const hash = await wallet?.writeContract(request);
        const { logs } = await publicClient.getTransactionReceipt({ hash: hash ?? "0x" });
        return { result, events: parseEventLogs({ abi, logs, eventName: "AdapterDeployed" }) };
      };

      expect(await publicClient.getCode({ address: expected })).toBeUndefined();
      const first = await deploy();
      expect(first.result).toBe(expected);
      expect(first.events).toMatchObject([{ args: { oracle: expect.any(String), adapter: expected } }]);
      const code = await publicClient.getCode({ address: expected });
      expect(code?.length).toBeGreaterThan(2);
      expect(await deploy()).toEqual({ result: expected, events: [] });
      expect(await publicClient.getCode({ address: expected })).toBe(code);
    });

    it("refuses what the adapter refuses, with its error", async () => {
      const { args, error } = badArguments(oracle.address);
      const errors = (await artifacts.readArtifact(adapter)).abi as Abi;
      const call = chain.publicClient.simulateContract({ address, abi, functionName: "deploy", args });
      expect(await refusalOf(call, errors)).toEqual(error);
    });
  },
);
