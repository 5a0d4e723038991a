import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type TransactionReceipt,
} from "viem";
import { ed25519VerifierFactoryAbi } from "../chain/abi/ed25519VerifierFactoryAbi.ts";
import { homePriceOracleAbi } from "../chain/abi/homePriceOracleAbi.ts";
import { type ChainConnection, LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import { toOnChainLayout } from "../chain/packedLayout.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import { codeHashAt, type Deployment } from "./addressBook.ts";
import { readArtifact } from "./contractArtifact.ts";
import { deployDeterministically, ensureProxy } from "./deterministicProxy.ts";
import { createTransactionSender, TransactionFailedError, type TransactionSender } from "./transactionSender.ts";

const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";
const ONE_DAY_SECONDS = 86_400;
const SIX_HOURS_SECONDS = 21_600;

export type DeployOptions = {
  readonly connection: ChainConnection;
  /** Pays; owns the oracle unless `owner` is given. */
  readonly account: LocalAccount;
  readonly signerPublicKey: Ed25519PublicKey;
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateSeconds: number;
  /** Default 6 hours. */
  readonly quarantineDelaySeconds?: number | undefined;
  /** The band of feeds for which none is set, basis points a day. Default 0: none. */
  readonly defaultBandBasisPoints?: number | undefined;
  /** Default 24 hours, or 0 on the local chain. */
  readonly signerDelaySeconds?: number | undefined;
  readonly owner?: Address | undefined;
  readonly guardian?: Address | undefined;
  readonly receiptTimeoutMs: number;
  readonly onMined?: (label: string, receipt: TransactionReceipt) => void;
};

export type DeployResult = {
  readonly deployment: Deployment;
  /** Empty when everything was there already: same arguments, same addresses. */
  readonly transactions: readonly { label: string; hash: Hex; gasUsed: bigint }[];
};

/**
 * Deploys what an oracle consists of: the deterministic proxy where the chain lacks it, the verifier factory after its
 * parts, the signer's verifier and its tables, the oracle. Each has an address that follows from what it is, so that a deployment that
 * was broken off is simply run again.
 * @throws UnfundedSenderError, TransactionFailedError, HomePriceError (CONTRACTS_NOT_BUILT)
 */
export async function deployOracle(options: DeployOptions): Promise<DeployResult> {
  const { connection, account, signerPublicKey, onMined } = options;
  const { chain, publicClient } = connection;
  const transactions: { label: string; hash: Hex; gasUsed: bigint }[] = [];
  let block = await publicClient.getBlockNumber();
  const send = createTransactionSender(connection, account, options.receiptTimeoutMs, (label, receipt) => {
    transactions.push({ label, hash: receipt.transactionHash, gasUsed: receipt.gasUsed });
    block = receipt.blockNumber;
    onMined?.(label, receipt);
  });

  const factoryArtifacts = await readFactoryArtifacts();
  const oracleArtifact = await readArtifact("HomePriceOracle.sol", "HomePriceOracle");

  await ensureProxy(connection, send);
  const factory = await deployFactory(connection, send, factoryArtifacts);
  const verifier = await deployVerifier(connection, factory, signerPublicKey, send);

  const configuration = {
    owner: options.owner ?? account.address,
    guardian: options.guardian ?? ZERO_ADDRESS,
    verifierFactory: factory,
    signerDelay: BigInt(options.signerDelaySeconds ?? (chain.id === LOCAL_CHAIN_ID ? 0 : ONE_DAY_SECONDS)),
    rentalOffset: options.rentalOffset,
    maxExpiryAfterDate: BigInt(options.maxExpiryAfterDateSeconds),
    quarantineDelay: BigInt(options.quarantineDelaySeconds ?? SIX_HOURS_SECONDS),
    defaultBand: BigInt(options.defaultBandBasisPoints ?? 0),
    signers: [{ publicKey: signerPublicKey.hex, messageLayout: toOnChainLayout(options.layout), validFrom: 0n }],
  };
  const initCode = encodeDeployData({
    abi: homePriceOracleAbi,
    bytecode: oracleArtifact.bytecode,
    args: [configuration],
  });
  const oracle = await deployDeterministically(connection, send, "deploy the oracle", initCode);
  const codeHash = await codeHashAt(connection, oracle);
  if (!codeHash) throw new TransactionFailedError("deploy the oracle", "there is no code at its address afterwards");

  return {
    deployment: {
      chainId: chain.id,
      oracle,
      codeHash,
      block: block.toString(),
      verifierFactory: factory,
      signer: { number: 1, publicKey: signerPublicKey.hex, verifier },
      constructorArguments: {
        ...configuration,
        signerDelay: configuration.signerDelay.toString(),
        rentalOffset: configuration.rentalOffset.toString(),
        maxExpiryAfterDate: configuration.maxExpiryAfterDate.toString(),
        quarantineDelay: configuration.quarantineDelay.toString(),
        defaultBand: configuration.defaultBand.toString(),
        signers: configuration.signers.map((signer) => ({ ...signer, validFrom: signer.validFrom.toString() })),
      },
    },
    transactions,
  };
}

/** What every verifier shares: the generated contracts, and the fields for them in the factory's argument. */
const VERIFIER_PARTS = {
  sha512Of138Bytes: { name: "Sha512Of138Bytes", label: "deploy SHA-512 of one message" },
  sha512OfTwo138Bytes: { name: "Sha512OfTwo138Bytes", label: "deploy SHA-512 of two messages" },
  template: { name: "Ed25519VerifierTemplate", label: "deploy the verifiers' template" },
  batchVerifier: { name: "Ed25519BatchVerifier", label: "deploy the batch verifier" },
  lowerTableOfBase: { name: "LowerTableOfBase", label: "deploy the base point's lower table" },
  upperTableOfBase: { name: "UpperTableOfBase", label: "deploy the base point's upper table" },
} as const;

type VerifierPart = keyof typeof VERIFIER_PARTS;

async function readFactoryArtifacts() {
  const parts = await Promise.all(
    (Object.keys(VERIFIER_PARTS) as VerifierPart[]).map(async (part) => {
      const { name, label } = VERIFIER_PARTS[part];
      return { part, label, initCode: (await readArtifact(`ed25519/generated/${name}.sol`, name)).bytecode };
    }),
  );
  return { factory: await readArtifact("ed25519/Ed25519VerifierFactory.sol", "Ed25519VerifierFactory"), parts };
}

/** The verifier factory, after its parts: each is a transaction of its own, because together they exceed one's gas. */
async function deployFactory(
  connection: ChainConnection,
  send: TransactionSender,
  { factory, parts }: Awaited<ReturnType<typeof readFactoryArtifacts>>,
): Promise<Address> {
  const addresses: [VerifierPart, Address][] = [];
  for (const { part, label, initCode } of parts) {
    addresses.push([part, await deployDeterministically(connection, send, label, initCode)]);
  }
  const initCode = encodeDeployData({ ...factory, args: [Object.fromEntries(addresses)] });
  return await deployDeterministically(connection, send, "deploy the verifier factory", initCode);
}

/**
 * The signer's verifier, and the tables with which it judges large batches: each in a transaction of its own, because
 * together, or with the oracle, they could exceed one transaction's gas.
 */
async function deployVerifier(
  { publicClient }: ChainConnection,
  factory: Address,
  { hex }: Ed25519PublicKey,
  send: TransactionSender,
): Promise<Address> {
  const contract = { address: factory, abi: ed25519VerifierFactoryAbi } as const;
  const verifier = await publicClient.readContract({ ...contract, functionName: "verifierAddress", args: [hex] });
  const lowerTable = await publicClient.readContract({
    ...contract,
    functionName: "batchTableAddress",
    args: [hex, false],
  });
  for (const { label, functionName, address } of [
    { label: "deploy the signer's verifier", functionName: "deploy", address: verifier },
    { label: "deploy the signer's tables for large batches", functionName: "deployBatchTables", address: lowerTable },
  ] as const) {
    if (await publicClient.getCode({ address })) continue;
    await send(label, { to: factory, data: encodeFunctionData({ ...contract, functionName, args: [hex] }) });
  }
  return verifier;
}
