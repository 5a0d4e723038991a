import hre from "hardhat";
import { type Address, createTestClient, type Hex, http, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type ChainConnection, connectChain } from "../../relayer/chain/chainConnection.ts";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import { deployDeterministically, ensureProxy } from "../../relayer/deployment/deterministicProxy.ts";
import { createTransactionSender, type TransactionSender } from "../../relayer/deployment/transactionSender.ts";
import { LOCAL_OWNER_KEY } from "../../relayer/local/localChain.ts";

/** The rules by which gas is counted. Osaka made MODEXP dearer (EIP-7883) and bounded transactions (EIP-7825). */
export const HARDFORKS = ["osaka", "prague"] as const;
export type Hardfork = (typeof HARDFORKS)[number];

/**
 * 2026-03-03 13:00:00 UTC, half an hour after the day's prices come out. The date is the second of the three that share a
 * slot of the history.
 */
export const NOW_MS = Date.UTC(2026, 2, 3, 13);

export const RECEIPT_TIMEOUT_MS = 30_000;

/** A chain in this process, the same each time it is started. */
export type BenchmarkChain = {
  readonly connection: ChainConnection;
  /** Sends every transaction. */
  readonly account: LocalAccount;
  readonly send: TransactionSender;
  /** The contract `ExecutionGasHarness`, through which calls are measured. */
  readonly harness: Address;
  /** The contract `TwoReadsHarness`, which makes a call twice. */
  readonly twoReadsHarness: Address;
  /** Sets the clock, which goes on from there. */
  readonly setTime: (timeMs: bigint) => Promise<void>;
  /** Deploys a contract at the address that follows from its code. */
  readonly deploy: (label: string, initCode: Hex) => Promise<Address>;
  readonly close: () => Promise<void>;
};

/**
 * Starts a chain that has the deterministic proxy. Contracts come by way of it, so their addresses, which are data of
 * transactions whose zero bytes are cheaper, depend on nothing but the contracts.
 *
 * The chain's clock runs. That changes no figure: all that the oracle does with the time is to compare it, and prices
 * are signed hours away from the bounds.
 */
export async function startBenchmarkChain(
  hardfork: Hardfork,
  { allowUnlimitedContractSize = false } = {},
): Promise<BenchmarkChain> {
  const override = { hardfork, initialDate: new Date(NOW_MS), allowUnlimitedContractSize };
  const server = await hre.network.createServer({ network: "default", override }, "127.0.0.1", 0);
  const { address, port } = await server.listen();
  const rpcUrl = `http://${address}:${port}`;
  const connection = await connectChain({ rpcUrls: [rpcUrl], timeoutMs: RECEIPT_TIMEOUT_MS });
  const testClient = createTestClient({ mode: "hardhat", transport: http(rpcUrl) });
  const account = privateKeyToAccount(LOCAL_OWNER_KEY);
  const send = createTransactionSender(connection, account, RECEIPT_TIMEOUT_MS, () => {});
  await ensureProxy(connection, send);

  const deploy = (label: string, initCode: Hex) => deployDeterministically(connection, send, label, initCode);
  const execution = await readArtifact("testing/ExecutionGasHarness.sol", "ExecutionGasHarness");
  const twoReads = await readArtifact("testing/benchmark/TwoReadsHarness.sol", "TwoReadsHarness");
  return {
    connection,
    account,
    send,
    deploy,
    harness: await deploy("deploy the harness", execution.bytecode),
    twoReadsHarness: await deploy("deploy the harness of reads", twoReads.bytecode),
    setTime: async (timeMs) => {
      await testClient.setNextBlockTimestamp({ timestamp: timeMs / 1000n });
      await testClient.mine({ blocks: 1 });
    },
    close: () => server.close(),
  };
}
