import { BaseError, type Hex, HttpRequestError, LimitExceededRpcError, TimeoutError } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** Scheme and host of a URL: the only parts of it that are ever printed, because the rest may hold a key. */
export function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return "(not a URL)";
  }
}

/** What went wrong between us and a node, in one line, with every URL cut down to its host. */
export function describeRpcError(error: unknown): string {
  const text =
    error instanceof BaseError
      ? [error.shortMessage, deepestDetails(error)].filter(Boolean).join(" ")
      : error instanceof Error
        ? error.message
        : String(error);
  return text
    .replace(/(?:https?|wss?):\/\/[^\s"'<>)]+/gi, (url) => hostOf(url))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 400);
}

/** The revert data of a failed call, if the node gave any. */
export function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  let data: Hex | undefined;
  error.walk((inner) => {
    const candidate = (inner as { data?: unknown }).data;
    const hex =
      typeof candidate === "object" && candidate !== null ? (candidate as { data?: unknown }).data : candidate;
    if (typeof hex === "string" && /^0x([0-9a-fA-F]{2})*$/.test(hex)) data = hex as Hex;
    return false;
  });
  return data;
}

/** What the innermost cause says, where viem's own sentence does not already hold it. */
function deepestDetails(error: BaseError): string {
  const { details } = error;
  return details && !error.shortMessage.includes(details) ? `(${details})` : "";
}

/** A call to the chain failed for a reason that no other error of ours names. */
export class RpcFailedError extends HomePriceError {
  constructor(error: unknown) {
    super("RPC_FAILED", describeRpcError(error), {
      hint: "Check the node behind rpcUrl (HOMEPRICE_RPC_URL); several endpoints can be given.",
    });
  }
}

/** Runs something that calls the chain; what fails there becomes an error of ours, without URLs. */
export async function namingRpcErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BaseError) throw new RpcFailedError(error);
    throw error;
  }
}

/** Whether a node did not answer at all: asking for less would not help. A request that was too large is no such case. */
export function isNodeOutOfReach(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return Boolean(
    error.walk(
      (inner) =>
        inner instanceof TimeoutError ||
        inner instanceof LimitExceededRpcError ||
        (inner instanceof HttpRequestError && inner.status !== 413),
    ),
  );
}
