import { createPublicClient, custom, defineChain, type LocalAccount, numberToHex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type ChainConnection, connectChain } from "../relayer/chain/chainConnection.ts";
import { describeRpcError } from "../relayer/chain/rpcError.ts";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";

/** An EIP-1193 provider: Hardhat's `connection.provider`, or any viem client. */
export type Provider = { request(call: { method: string; params?: unknown }): Promise<unknown> };

/**
 * A local development chain: a connection of Hardhat 3 (`await network.create()`), an EIP-1193 provider, a viem client,
 * or the URL of a node (`hardhat node`, anvil).
 */
export type DevelopmentChain = string | Provider | { readonly provider: Provider };

/** The chain does not obey the methods of development chains: it is not one, and nothing was sent to it. */
export class NotADevelopmentChainError extends HomePriceError {
  constructor(method: string, reason: string) {
    super("NOT_A_DEVELOPMENT_CHAIN", `the chain does not take ${method}: ${reason}`, {
      kind: "configuration",
      hint: "Use Hardhat's in-process network, `hardhat node` or anvil.",
    });
  }
}

/** A development chain, and what only such a chain does. */
export type TestChain = {
  readonly connection: ChainConnection;
  /** Calls a method that only development chains have. */
  readonly control: (method: string, ...params: unknown[]) => Promise<unknown>;
  /** A new account with 10,000 ether. */
  readonly newAccount: () => Promise<LocalAccount>;
};

const POLLING_INTERVAL_MS = 50;
const TIMEOUT_MS = 60_000;

/** @throws RpcUnreachableError */
export async function openTestChain(chain: DevelopmentChain): Promise<TestChain> {
  const connection =
    typeof chain === "string"
      ? await connectChain({ rpcUrls: [chain], timeoutMs: TIMEOUT_MS })
      : await connectProvider("provider" in chain ? chain.provider : chain);

  const control = async (method: string, ...params: unknown[]): Promise<unknown> => {
    try {
      return await connection.publicClient.request({ method, params } as never);
    } catch (error) {
      throw new NotADevelopmentChainError(method, describeRpcError(error));
    }
  };
  const newAccount = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await control("hardhat_setBalance", account.address, numberToHex(parseEther("10000")));
    return account;
  };
  return { connection, control, newAccount };
}

async function connectProvider(provider: Provider): Promise<ChainConnection> {
  const transport = custom({ request: (call) => provider.request(call) }, { retryCount: 0 });
  const id = await createPublicClient({ transport }).getChainId();
  const chain = defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const publicClient = createPublicClient({
    chain,
    transport,
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  });
  return { chain, publicClient, host: "in this process" };
}
