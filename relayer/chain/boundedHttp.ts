import { http, TimeoutError, type Transport } from "viem";
import { hostOf } from "./rpcError.ts";

/** Between two tries of a call. Milliseconds. */
const RETRY_DELAY_MS = 150;

/**
 * JSON-RPC over HTTP, of which no call takes longer than it may: neither a body that never ends nor a `Retry-After` of
 * hours keeps the caller waiting, both of which viem's own timeout leaves open.
 * @param timeoutMs Longest duration of a call, repetitions included.
 */
export function boundedHttp(
  url: string,
  { timeoutMs, retryCount }: { timeoutMs: number; retryCount: number },
): Transport {
  const unbounded = http(url, { timeout: timeoutMs, retryCount, retryDelay: RETRY_DELAY_MS });
  return (parameters) => {
    const transport = unbounded(parameters);
    const request = async (call: { method: string; params?: unknown }, options: object = {}) => {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), timeoutMs);
      try {
        return await transport.request(call as never, { ...options, signal: deadline.signal });
      } catch (error) {
        if (!deadline.signal.aborted) throw error;
        throw new TimeoutError({ body: { method: call.method }, url: hostOf(url) });
      } finally {
        clearTimeout(timer);
      }
    };
    return { ...transport, request: request as typeof transport.request };
  };
}
