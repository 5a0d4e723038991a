import type { Hex, TransactionReceipt } from "viem";
import type { ChainConnection } from "./chainConnection.ts";

export type ReceiptWait = {
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborting does not end the wait at once, because the money is spent already, but shortens it. */
  readonly signal?: AbortSignal | undefined;
};

/** How long a transaction is still waited for after a stop was asked for: less than service managers give a process. */
const STOPPING_WAIT_MS = 15_000;

/**
 * Waits until a transaction is mined; `undefined` when a stop was asked for and it still is not.
 * @throws viem's WaitForTransactionReceiptTimeoutError, or what the node answers.
 */
export async function waitForReceipt(
  { publicClient }: ChainConnection,
  hash: Hex,
  { timeoutMs, signal }: ReceiptWait,
): Promise<TransactionReceipt | undefined> {
  const settled = new AbortController();
  const mined = publicClient.waitForTransactionReceipt({ hash, timeout: timeoutMs });
  try {
    return await Promise.race([mined, afterAbort(signal, STOPPING_WAIT_MS, settled.signal)]);
  } finally {
    settled.abort();
    // Nobody is left to hear of it, should it fail after the wait was given up.
    mined.catch(() => {});
  }
}

/** Resolves some time after a signal aborts; never, if it does not, and leaves nothing behind once `done` aborts. */
function afterAbort(signal: AbortSignal | undefined, waitMs: number, done: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const startWaiting = () => {
      const timer = setTimeout(() => resolve(undefined), waitMs);
      done.addEventListener("abort", () => clearTimeout(timer), { once: true });
    };
    if (signal?.aborted) startWaiting();
    else signal?.addEventListener("abort", startWaiting, { once: true, signal: done });
  });
}
