import { type Chain, createPublicClient, defineChain, http, type PublicClient, type Transport } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { describeRpcError, hostOf } from "./rpcError.ts";

/** One RPC endpoint that answers and has the right chain. Everything of one run goes through it. */
export type ChainConnection = {
  readonly chain: Chain;
  readonly publicClient: PublicClient<Transport, Chain>;
  /** May hold a secret; print {@link ChainConnection.host} instead. None for a chain inside this process. */
  readonly rpcUrl?: string | undefined;
  /** Scheme and host of the endpoint. */
  readonly host: string;
};

/** No RPC endpoint answers. */
export class RpcUnreachableError extends HomePriceError {
  /** For each endpoint, its host and what went wrong. */
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super("RPC_UNREACHABLE", `no RPC endpoint answers: ${failures.join("; ")}`, {
      hint: "Check that the node runs and that rpcUrl (HOMEPRICE_RPC_URL) is right; several endpoints can be given.",
    });
    this.failures = failures;
  }
}

/** An RPC endpoint has another chain than the configuration says. */
export class WrongChainError extends HomePriceError {
  constructor(host: string, found: number, expected: number) {
    super("WRONG_CHAIN", `${host} is chain ${found}, the configuration says ${expected}`, {
      kind: "configuration",
      hint: "Correct chainId (HOMEPRICE_CHAIN_ID) or rpcUrl (HOMEPRICE_RPC_URL); nothing was sent.",
    });
  }
}

/** Chain id of local development chains, whose blocks come at once. */
export const LOCAL_CHAIN_ID = 31_337;

/**
 * Connects to the first endpoint that answers. The endpoint is pinned for the whole run: a nonce read from one node and
 * a transaction sent to another do not belong together.
 * @throws RpcUnreachableError, WrongChainError
 */
export async function connectChain({
  rpcUrls,
  expectedChainId,
  timeoutMs,
}: {
  rpcUrls: readonly string[];
  expectedChainId?: number | undefined;
  timeoutMs: number;
}): Promise<ChainConnection> {
  const failures: string[] = [];
  for (const rpcUrl of rpcUrls) {
    const transport = http(rpcUrl, { timeout: timeoutMs, retryCount: 2 });
    let chainId: number;
    try {
      chainId = await createPublicClient({ transport }).getChainId();
    } catch (error) {
      failures.push(`${hostOf(rpcUrl)}: ${describeRpcError(error)}`);
      continue;
    }
    if (expectedChainId !== undefined && chainId !== expectedChainId) {
      throw new WrongChainError(hostOf(rpcUrl), chainId, expectedChainId);
    }
    const chain = defineChain({
      id: chainId,
      name: `chain ${chainId}`,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    });
    const pollingInterval = chainId === LOCAL_CHAIN_ID ? 100 : 2_000;
    return {
      chain,
      publicClient: createPublicClient({ chain, transport, pollingInterval, cacheTime: 0 }),
      rpcUrl,
      host: hostOf(rpcUrl),
    };
  }
  throw new RpcUnreachableError(failures);
}
