import { type Address, type Hex, type LocalAccount, numberToHex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { vi } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { type ChainConnection, connectChain, LOCAL_CHAIN_ID } from "../../relayer/chain/chainConnection.ts";
import { readPrices, type StoredPrice } from "../../relayer/chain/readPrices.ts";
import { type DeployOptions, deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { createTransactionSender } from "../../relayer/deployment/transactionSender.ts";
import { LOCAL_OWNER_KEY, startLocalChain } from "../../relayer/local/localChain.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { NOW, PUBLIC_KEY } from "../message/signedPrices.ts";

const RECEIPT_TIMEOUT_MS = 10_000;

/** A chain in this process, at the time of the tests, with an oracle whose signer is theirs. */
export type OracleChain = {
  readonly rpcUrl: string;
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly owner: LocalAccount;
  /** A sender of its own with some native currency. */
  readonly newSender: (ether?: string) => Promise<LocalAccount>;
  /** Calls a function of the oracle as its owner. */
  readonly asOwner: (data: Hex) => Promise<void>;
  readonly stored: (feedId: bigint) => Promise<StoredPrice | undefined>;
  /** A call that development chains take. */
  readonly request: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/**
 * Stops the clock of this process at {@link NOW}, and starts a chain there. The chain's time goes on: the tests keep
 * away from the bounds of time windows by more than they take.
 */
export async function startOracleChain({
  chainId = LOCAL_CHAIN_ID,
  ...options
}: Partial<DeployOptions> & { readonly chainId?: number } = {}): Promise<OracleChain> {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(NOW) });
  const chain = await startLocalChain(0, chainId);
  const connection = await connectChain({ rpcUrls: [chain.rpcUrl], timeoutMs: 30_000 });
  const owner = privateKeyToAccount(LOCAL_OWNER_KEY);
  const { deployment } = await deployOracle({
    connection,
    account: owner,
    signerPublicKey: PUBLIC_KEY,
    layout: DEFAULT_LAYOUT,
    rentalOffset: 2_000_000_000n,
    maxExpiryAfterDateSeconds: 259_200,
    receiptTimeoutMs: RECEIPT_TIMEOUT_MS,
    ...options,
  });
  const oracle = deployment.oracle as Address;
  const request = (method: string, params: readonly unknown[] = []) =>
    connection.publicClient.request({ method, params } as never) as Promise<unknown>;
  const send = createTransactionSender(connection, owner, RECEIPT_TIMEOUT_MS, () => {});
  return {
    rpcUrl: chain.rpcUrl,
    connection,
    oracle,
    owner,
    request,
    newSender: async (ether = "10") => {
      const account = privateKeyToAccount(generatePrivateKey());
      await request("hardhat_setBalance", [account.address, numberToHex(parseEther(ether))]);
      return account;
    },
    asOwner: async (data) => {
      await send("call the oracle", { to: oracle, data });
    },
    stored: async (feedId) => (await readPrices(connection, oracle, [feedId])).get(feedId),
    close: async () => {
      await chain.close();
      vi.useRealTimers();
    },
  };
}

/** The oracle's interface with its address, for reads and simulations. */
export function contractAt({ oracle }: Pick<OracleChain, "oracle">) {
  return { address: oracle, abi: homePriceOracleAbi } as const;
}
