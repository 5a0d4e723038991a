import { type Chain, createPublicClient, type Transport } from "viem";
import type { EndpointHealth } from "./chainAccess.ts";
import { type ChainConnection, LOCAL_CHAIN_ID } from "./chainConnection.ts";
import type { Sighting } from "./judgeEndpoints.ts";
import { describeRpcError, isNodeOutOfReach } from "./rpcError.ts";

/** One RPC endpoint of a chain, and what is known of it. */
export type Endpoint = {
  readonly url: string;
  /** Scheme and host; with a number, where several endpoints have the same. */
  readonly host: string;
  /** Calls that go through it are counted. */
  readonly transport: Transport;
  /** Once the chain is known. */
  connection: ChainConnection | undefined;
  sighting: Sighting | undefined;
  /** `undefined` as long as nobody has looked. */
  state: EndpointHealth["state"] | undefined;
  reason: string;
  calls: number;
  failures: number;
  setBack: SetBack | undefined;
  /** It let us wait; until then nobody waits for it, as long as there are others. Unix milliseconds. */
  restsUntilMs: number;
};

/** Why an endpoint comes last for a while: a call that it did not answer, or what was reported of it. */
export type SetBack = {
  readonly atMs: number;
  readonly reason: string;
  /** How often in a row, none longer than that while after the one before. */
  readonly times: number;
};

/** How long an endpoint that failed or was reported comes last. Milliseconds. */
export const SET_BACK_MS = 300_000;

/** From so many times on, an endpoint that answers all the same is told of. */
export const TOLD_TIMES = 3;

export function setBack(endpoint: Endpoint, atMs: number, reason: string, times = 1): void {
  const before = isSetBack(endpoint, atMs) ? (endpoint.setBack?.times ?? 0) : 0;
  endpoint.setBack = { atMs, reason, times: before + times };
}

export function isSetBack(endpoint: Endpoint, nowMs: number): boolean {
  return endpoint.setBack !== undefined && nowMs - endpoint.setBack.atMs < SET_BACK_MS;
}

export function createEndpoint(url: string, host: string, transport: Transport, nowMs: () => number): Endpoint {
  const endpoint: Endpoint = {
    url,
    host,
    transport: counted,
    connection: undefined,
    sighting: undefined,
    state: undefined,
    reason: "not asked yet",
    calls: 0,
    failures: 0,
    setBack: undefined,
    restsUntilMs: 0,
  };
  function counted(parameters: Parameters<Transport>[0]): ReturnType<Transport> {
    const inner = transport(parameters);
    const request = async (...call: Parameters<typeof inner.request>) => {
      endpoint.calls += 1;
      try {
        return await inner.request(...call);
      } catch (error) {
        // A revert, or a method that it does not know, is an answer.
        if (isNodeOutOfReach(error)) {
          endpoint.failures += 1;
          setBack(endpoint, nowMs(), describeRpcError(error));
        }
        throw error;
      }
    };
    return { ...inner, request: request as typeof inner.request };
  }
  return endpoint;
}

/**
 * Asks an endpoint for its chain and its newest block.
 * @throws what the endpoint answers instead, or TypeError when the answer makes no sense.
 */
export async function sightEndpoint({ transport }: Endpoint): Promise<Sighting> {
  const client = createPublicClient({ transport, cacheTime: 0 });
  const [chainId, block] = await Promise.all([client.getChainId(), client.getBlock({ includeTransactions: false })]);
  if (!Number.isSafeInteger(chainId) || chainId <= 0) throw new TypeError("it does not say which chain it has");
  if (typeof block.number !== "bigint" || typeof block.timestamp !== "bigint") {
    throw new TypeError("it does not say which block is its newest");
  }
  return { chainId, headBlock: block.number, headTime: block.timestamp };
}

/** The connection to an endpoint, always the same. */
export function connectionTo(endpoint: Endpoint, chain: Chain): ChainConnection {
  endpoint.connection ??= {
    chain,
    publicClient: createPublicClient({
      chain,
      transport: endpoint.transport,
      pollingInterval: chain.id === LOCAL_CHAIN_ID ? 100 : 2_000,
      cacheTime: 0,
    }),
    rpcUrl: endpoint.url,
    host: endpoint.host,
  };
  return endpoint.connection;
}
