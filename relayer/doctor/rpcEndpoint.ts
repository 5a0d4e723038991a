import { type ChainConnection, RpcUnreachableError } from "../chain/chainConnection.ts";
import { hostOf } from "../chain/rpcError.ts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { connectConfiguredChain } from "../configured/connectOracle.ts";

/** One of the configured RPC endpoints, and whether it answers. */
export type RpcEndpoint = {
  /** Scheme and host, with its place in the list where there are several: two may have the same host. */
  readonly name: string;
  readonly connection: ChainConnection | undefined;
  /** Why there is none. */
  readonly failure: string | undefined;
};

/**
 * Connects to every configured endpoint, whatever chain it has.
 * @throws InvalidConfigurationError when none is configured.
 */
export async function tryRpcEndpoints(chain: ChainConfiguration): Promise<RpcEndpoint[]> {
  const { rpcUrl: urls } = chain;
  if (!urls) return [await tryEndpoint(chain, "")];
  return Promise.all(
    urls.map((url, index) =>
      tryEndpoint(
        { ...chain, rpcUrl: [url], chainId: undefined },
        urls.length > 1 ? `${index + 1}. ${hostOf(url)}` : hostOf(url),
      ),
    ),
  );
}

async function tryEndpoint(chain: ChainConfiguration, name: string): Promise<RpcEndpoint> {
  try {
    return { name, connection: await connectConfiguredChain(chain), failure: undefined };
  } catch (error) {
    if (!(error instanceof RpcUnreachableError)) throw error;
    return { name, connection: undefined, failure: error.failures.join("; ") };
  }
}
