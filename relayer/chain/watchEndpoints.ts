import { type Chain, defineChain } from "viem";
import type { Logger } from "../logging/logger.ts";
import { type Endpoint, setBack, sightEndpoint } from "./endpoint.ts";
import { chainIdOfMost, judgeEndpoints } from "./judgeEndpoints.ts";
import { describeRpcError } from "./rpcError.ts";
import { settleSoon } from "./settleSoon.ts";

/** How long the slower endpoints are waited for once one has answered. Milliseconds. */
export const PATIENCE_MS = 3_000;

/** How long nobody waits for an endpoint that did not answer in that time. Milliseconds. */
export const REST_MS = 60_000;

export const TOO_SLOW = "it does not answer in time";

/** What is known of a chain's endpoints. */
export type EndpointWatch = {
  /** Looks at all of them at once; several callers at a time share one look. */
  readonly examine: () => Promise<void>;
  /** Those that could be used at the last look. */
  readonly usable: () => Endpoint[];
  /** Nobody waits for an endpoint that kept us waiting until it has rested, as long as there are others. */
  readonly letRest: (endpoint: Endpoint) => void;
  /** Once it is known. */
  readonly chain: () => Chain | undefined;
  /** Whether the last look found none that can be used. */
  readonly wasUnreachable: () => boolean;
};

export function watchEndpoints({
  endpoints,
  expectedChainId,
  nowMs,
  log,
}: {
  endpoints: readonly Endpoint[];
  expectedChainId: number | undefined;
  nowMs: () => number;
  log: Logger | undefined;
}): EndpointWatch {
  let chain: Chain | undefined = expectedChainId === undefined ? undefined : chainOf(expectedChainId);
  let examination: Promise<void> | undefined;
  let wasUnreachable = false;

  const usable = () => endpoints.filter(({ state }) => state === "usable");

  function letRest(endpoint: Endpoint): void {
    Object.assign(endpoint, { state: "unreachable", reason: TOO_SLOW, restsUntilMs: nowMs() + REST_MS });
    setBack(endpoint, nowMs(), TOO_SLOW);
  }

  async function examineSome(some: readonly Endpoint[]): Promise<void> {
    const hasRightChain = (chainId: number) => chain === undefined || chainId === chain.id;
    const settled = await settleSoon(some.map(sightEndpoint), PATIENCE_MS, ({ chainId }) => hasRightChain(chainId));
    some.forEach((endpoint, index) => {
      const outcome = settled[index];
      endpoint.sighting = outcome && "value" in outcome ? outcome.value : undefined;
      if (endpoint.sighting) return;
      endpoint.state = "unreachable";
      if (outcome && "error" in outcome) endpoint.reason = describeRpcError(outcome.error);
      else letRest(endpoint);
    });
    const sightings = endpoints.map(({ sighting }) => sighting);
    const chainId = chain?.id ?? chainIdOfMost(sightings);
    if (chainId === undefined) return;
    chain ??= chainOf(chainId);
    const judgements = judgeEndpoints(sightings, { chainId, nowMs: nowMs() });
    endpoints.forEach((endpoint, index) => {
      Object.assign(endpoint, judgements[index]);
    });
  }

  async function examineAll(): Promise<void> {
    const before = endpoints.map(({ state }) => state);
    const awake = endpoints.filter(({ restsUntilMs }) => restsUntilMs <= nowMs());
    const resting = endpoints.filter((endpoint) => !awake.includes(endpoint));
    for (const endpoint of resting) endpoint.sighting = undefined;
    await examineSome(awake);
    if (usable().length === 0 && resting.length > 0) await examineSome(resting);
    wasUnreachable = usable().length === 0;
    endpoints.forEach(({ host, state, reason }, index) => {
      if (state === before[index]) return;
      if (state === "usable") log?.debug({ host }, "an RPC endpoint is usable");
      else log?.warn({ host, state }, `an RPC endpoint is not usable: ${reason}`);
    });
  }

  return {
    usable,
    letRest,
    chain: () => chain,
    wasUnreachable: () => wasUnreachable,
    examine: () => {
      examination ??= examineAll().finally(() => {
        examination = undefined;
      });
      return examination;
    },
  };
}

function chainOf(id: number): Chain {
  return defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
}
