import { type Hex, keccak256, type Transport } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";
import type { Condition } from "../watch/condition.ts";
import { type Answer, agreementOf } from "./agreement.ts";
import { boundedHttp } from "./boundedHttp.ts";
import type { Agreement, ChainAccess, EndpointHealth } from "./chainAccess.ts";
import { type ChainConnection, RpcUnreachableError, WrongChainError } from "./chainConnection.ts";
import { connectionTo, createEndpoint, type Endpoint, isSetBack, setBack, TOLD_TIMES } from "./endpoint.ts";
import { type Disagreements, recordDisagreements, toConditions } from "./endpointConditions.ts";
import { hostOf } from "./rpcError.ts";
import { settleSoon } from "./settleSoon.ts";
import { PATIENCE_MS, TOO_SLOW, watchEndpoints } from "./watchEndpoints.ts";

export type OpenChainOptions = {
  readonly rpcUrls: readonly string[];
  /** That of most endpoints otherwise, as found at the first look. */
  readonly expectedChainId?: number | undefined;
  /** Longest duration of one call, repetitions included. */
  readonly timeoutMs: number;
  readonly log?: Logger | undefined;
  /** How to reach an endpoint; HTTP otherwise. */
  readonly transportOf?: ((rpcUrl: string) => Transport) | undefined;
  /** Unix milliseconds; the clock of this process otherwise. */
  readonly nowMs?: (() => number) | undefined;
};

/** Repetitions of a call that failed in a way that may pass. */
const RETRY_COUNT = 1;

/** Opens a chain through all of its endpoints. Nothing is asked yet. */
export function openChain(options: OpenChainOptions): ChainAccess {
  const { rpcUrls, expectedChainId, timeoutMs, log, nowMs = Date.now } = options;
  const transportOf = options.transportOf ?? ((url) => boundedHttp(url, { timeoutMs, retryCount: RETRY_COUNT }));
  const endpoints = rpcUrls.map((url, index) =>
    createEndpoint(url, distinctHost(rpcUrls, index), transportOf(url), nowMs),
  );
  const disagreements: Disagreements = new Map();
  const watch = watchEndpoints({ endpoints, expectedChainId, nowMs, log });
  const { usable } = watch;
  let pinned: Endpoint | undefined;

  /** In which order endpoints are to be used: those that failed or were reported last, the latest of them at the end. */
  function inOrder(some: readonly Endpoint[]): Endpoint[] {
    const now = nowMs();
    const rank = (endpoint: Endpoint) => {
      if (isSetBack(endpoint, now)) return endpoint.setBack?.atMs ?? 0;
      return endpoint === pinned ? -1 : 0;
    };
    return some.toSorted((a, b) => rank(a) - rank(b));
  }

  async function pin(): Promise<ChainConnection> {
    await watch.examine();
    const [next] = inOrder(usable());
    const chain = watch.chain();
    if (!next || !chain) throw noneUsable();
    if (next !== pinned) log?.debug({ host: next.host, before: pinned?.host }, "using another RPC endpoint");
    pinned = next;
    return connectionTo(next, chain);
  }

  function noneUsable(): HomePriceError {
    const chain = watch.chain();
    const wrong = endpoints.find(({ state }) => state === "wrong-chain");
    const isNoneOther = endpoints.every(({ state, sighting }) => state === "wrong-chain" || !sighting);
    if (wrong?.sighting && chain && isNoneOther) {
      return new WrongChainError(wrong.host, wrong.sighting.chainId, chain.id);
    }
    return new RpcUnreachableError(endpoints.map(({ host, reason }) => `${host}: ${reason}`));
  }

  /** Endpoints to ask, the pinned one first. */
  async function endpointsToAsk(): Promise<{ endpoint: Endpoint; connection: ChainConnection }[]> {
    if (!pinned || usable().length === 0) await pin();
    const first = pinned;
    const chain = watch.chain();
    const others = inOrder(usable()).filter((endpoint) => endpoint !== first);
    const all = first && usable().includes(first) ? [first, ...others] : others;
    return all.flatMap((endpoint) => (chain ? [{ endpoint, connection: connectionTo(endpoint, chain) }] : []));
  }

  /** Asks all, and lets those rest that keep us waiting. */
  async function askAll<T>(
    asked: readonly { endpoint: Endpoint; connection: ChainConnection }[],
    read: (connection: ChainConnection) => Promise<T>,
  ) {
    const questions = asked.map(async ({ connection }): Promise<T> => read(connection));
    const settled = await settleSoon(questions, PATIENCE_MS);
    settled.forEach((outcome, index) => {
      const endpoint = asked[index]?.endpoint;
      if (!outcome && endpoint) watch.letRest(endpoint);
    });
    return settled;
  }

  return {
    get chain() {
      const chain = watch.chain();
      if (chain) return chain;
      throw new HomePriceError("CHAIN_UNKNOWN", "no RPC endpoint has said yet which chain it has", {
        hint: "Set chainId (HOMEPRICE_CHAIN_ID), so that it is known without asking.",
      });
    },
    pin,
    report: (connection, reason) => {
      const endpoint = endpoints.find(({ host }) => host === connection.host);
      if (!endpoint) return;
      setBack(endpoint, nowMs(), reason, TOLD_TIMES);
      log?.warn({ host: endpoint.host }, `an RPC endpoint did badly: ${reason}`);
    },
    agree: async <T>(question: string, read: (connection: ChainConnection) => Promise<T>): Promise<Agreement<T>> => {
      const asked = await endpointsToAsk();
      const settled = await askAll(asked, read);
      const answers: Answer<T>[] = [];
      settled.forEach((outcome, index) => {
        const host = asked[index]?.endpoint.host;
        if (host !== undefined && outcome && "value" in outcome) answers.push({ host, value: outcome.value });
      });
      if (answers.length === 0) {
        const failed = settled.find((outcome) => outcome !== undefined && "error" in outcome);
        throw failed && "error" in failed ? failed.error : noneUsable();
      }
      const agreement = agreementOf(answers);
      if (recordDisagreements(disagreements, question, agreement, nowMs())) {
        const { hosts, otherHosts } = agreement;
        log?.warn({ question, hosts, otherHosts }, "RPC endpoints contradict each other");
      }
      return agreement;
    },
    broadcast: async (rawTransaction) => {
      const asked = await endpointsToAsk().catch(() => []);
      if (asked.length === 0) {
        return { taken: [], refused: endpoints.map(({ host, reason }) => ({ host, error: new Error(reason) })) };
      }
      const settled = await askAll(asked, (connection) => handOver(connection, rawTransaction));
      const taken: string[] = [];
      const refused: { host: string; error: unknown }[] = [];
      asked.forEach(({ endpoint: { host } }, index) => {
        const outcome = settled[index];
        if (outcome && "value" in outcome) taken.push(host);
        else refused.push({ host, error: outcome?.error ?? new Error(TOO_SLOW) });
      });
      return { taken, refused };
    },
    health: () => endpoints.map(toHealth),
    conditions: (): Condition[] =>
      toConditions({ endpoints, wasUnreachable: watch.wasUnreachable(), nowMs: nowMs(), disagreements }),
  };
}

/**
 * Hands a transaction to a node. One that says no may have it all the same: from another node, from an earlier try of
 * ours whose answer was lost, or in a block already. Each kind of node has words of its own for that, so it is asked.
 */
async function handOver({ publicClient }: ChainConnection, rawTransaction: Hex): Promise<void> {
  const hash = keccak256(rawTransaction);
  try {
    const answered = await publicClient.sendRawTransaction({ serializedTransaction: rawTransaction });
    if (answered !== hash) throw new TypeError("it answered with the hash of another transaction");
  } catch (error) {
    const isKnown = await publicClient.getTransaction({ hash }).then(
      () => true,
      () => false,
    );
    if (!isKnown) throw error;
  }
}

function toHealth({ host, state = "unreachable", reason, sighting, calls, failures }: Endpoint): EndpointHealth {
  const { headBlock, headTime } = sighting ?? {};
  return { host, state, reason, headBlock, headTime, calls, failures };
}

/** Two keys at one provider have the same host: the second is told apart by a number. */
function distinctHost(rpcUrls: readonly string[], index: number): string {
  const host = hostOf(rpcUrls[index] ?? "");
  const before = rpcUrls.slice(0, index).filter((url) => hostOf(url) === host).length;
  return before === 0 ? host : `${host} (${before + 1})`;
}
