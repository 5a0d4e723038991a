import type { Address, LocalAccount, TransactionReceipt } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { readArtifact } from "./contractArtifact.ts";
import { deployDeterministically, ensureProxy } from "./deterministicProxy.ts";
import { createTransactionSender } from "./transactionSender.ts";

/** The interfaces for which there are adapters, and the factories of these. */
const FACTORIES = {
  chainlink: "ChainlinkAdapterFactory",
  pyth: "PythAdapterFactory",
  erc7726: "QuoteAdapterFactory",
  morpho: "MorphoAdapterFactory",
  erc7412: "ERC7412AdapterFactory",
} as const;

export type AdapterKind = keyof typeof FACTORIES;
export type AdapterFactories = Readonly<Record<AdapterKind, Address>>;

export type DeployAdapterFactoriesOptions = {
  readonly connection: ChainConnection;
  /** Pays; has no say in the factories, nor has anybody else. */
  readonly account: LocalAccount;
  readonly receiptTimeoutMs: number;
  readonly onMined?: (label: string, receipt: TransactionReceipt) => void;
};

/**
 * Deploys the factories of all adapters, those that are not there yet. They take no arguments and hold nothing of a
 * chain or of an oracle: each has one address on all chains.
 * @throws UnfundedSenderError, TransactionFailedError, HomePriceError (CONTRACTS_NOT_BUILT)
 */
export async function deployAdapterFactories({
  connection,
  account,
  receiptTimeoutMs,
  onMined = () => {},
}: DeployAdapterFactoriesOptions): Promise<AdapterFactories> {
  const send = createTransactionSender(connection, account, receiptTimeoutMs, onMined);
  await ensureProxy(connection, send);
  const addresses: [AdapterKind, Address][] = [];
  for (const kind of Object.keys(FACTORIES) as AdapterKind[]) {
    const { bytecode } = await readArtifact(`adapters/${kind}/${FACTORIES[kind]}.sol`, FACTORIES[kind]);
    addresses.push([
      kind,
      await deployDeterministically(connection, send, `deploy the ${kind} adapters' factory`, bytecode),
    ]);
  }
  return Object.fromEntries(addresses) as AdapterFactories;
}
