import type { Site, SiteAnswer, SiteRequest } from "../network/simulatedNetwork.ts";
import { BadStatus, type Endpoint } from "./endpoint.ts";
import { RpcRefusal } from "./rpcRefusal.ts";

type RpcCall = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] };

/** Longest and shortest way of a request to a node, in milliseconds. */
const LATENCY_MS = [5, 120] as const;

/** An endpoint as JSON-RPC over HTTP. */
export function endpointSite(endpoint: Endpoint): Site {
  return {
    kind: "rpc",
    latencyMs: LATENCY_MS,
    describe: (request) => `${callOf(request).method} ${endpoint.url}`,
    async answer(request): Promise<SiteAnswer> {
      const { id, method, params = [] } = callOf(request);
      try {
        return json(200, { jsonrpc: "2.0", id, result: await endpoint.request(method, params) });
      } catch (error) {
        if (error instanceof BadStatus) return { status: error.status, contentType: "text/plain", text: error.message };
        if (isRpcError(error)) return json(200, { jsonrpc: "2.0", id, error: errorOf(error) });
        throw error;
      }
    },
  };
}

function callOf({ body }: SiteRequest): RpcCall {
  return JSON.parse(body) as RpcCall;
}

/** What a node says, or the EVM in its own words; anything else is a defect of the simulation. */
function isRpcError(error: unknown): error is Error & { code: number; data?: unknown } {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

/** The EVM puts the revert data into an object; nodes give it as it is. */
function errorOf(error: Error & { code: number; data?: unknown }): object {
  const { code, message, data } = error;
  if (error instanceof RpcRefusal || data === undefined) return { code, message, ...(data !== undefined && { data }) };
  const bytes = typeof data === "object" && data !== null && "data" in data ? data.data : data;
  return { code, message, data: bytes };
}

function json(status: number, body: object): SiteAnswer {
  return { status, contentType: "application/json", text: JSON.stringify(body) };
}
