import type { Hex } from "viem";
import * as z from "zod/mini";
import { toDotPath } from "zod/v4/core";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { parseDecimal } from "../relayer/message/decimalPrice.ts";
import { refused } from "../relayer/message/refusal.ts";
import { BodyTooLargeError, readBody } from "../relayer/service/readBody.ts";
import type { FeedId } from "./feedId.ts";
import { GATEWAY_PATH, type GatewayUpdate, gatewayUpdateSchema } from "./gatewayAnswer.ts";
import { UpdateRefusedError } from "./updateErrors.ts";
import type { ReceivedUpdate, SourceAnswer, SourceFailure, UpdateSource } from "./updateSource.ts";

export type GatewaySourceOptions = {
  /** Base address of the gateway, http or https. It needs no key. */
  readonly url: string;
  /** Longest wait for one attempt, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, when the gateway cannot be reached or answers 5xx or 429. Default 2. */
  readonly retries?: number | undefined;
  /** Wait before the second attempt in milliseconds, doubled for each further one. Default 300. */
  readonly retryDelayMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

export type GatewayErrorCode =
  | "INVALID_GATEWAY_URL"
  | "GATEWAY_UNREACHABLE"
  | "GATEWAY_TIMEOUT"
  | "GATEWAY_FAILED"
  | "GATEWAY_UNEXPECTED_ANSWER";

/** A gateway has not given an answer that can be read. */
export class GatewayError extends HomePriceError {
  declare readonly code: GatewayErrorCode;
  /** HTTP status, when there was an answer. */
  readonly status?: number;

  constructor(code: GatewayErrorCode, message: string, hint: string, status?: number) {
    super(code, message, { hint, kind: code === "INVALID_GATEWAY_URL" ? "configuration" : "failure" });
    if (status !== undefined) this.status = status;
  }
}

/** Feeds in one request, so that its address stays well below what servers take. */
const FEEDS_PER_REQUEST = 100;

/** Longest body that is read: some 500 bytes an update are usual. */
const MAX_BODY_BYTES = 1024 * 1024;

const TRY_ANOTHER = "Try again, or ask another gateway.";
const WRONG_ADDRESS = "Check that the URL is the base address of a gateway of this project.";

/** What an item that cannot be read may still say. */
const idOnly = z.looseObject({ feedId: gatewayUpdateSchema.shape.feedId });
const envelope = z.looseObject({ updates: z.array(z.unknown()) });

/**
 * Updates from a public gateway.
 *
 * @throws GatewayError when the address is none; its `fetchUpdates` throws it when the gateway fails.
 * @example
 * const source = gatewaySource({ url: "https://gateway.example.com" });
 * const updates = await getUpdates(client, { oracle, feedIds, source });
 */
export function gatewaySource(options: GatewaySourceOptions): UpdateSource {
  const base = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new GatewayError(
      "INVALID_GATEWAY_URL",
      "the gateway's URL is not an http or https address",
      "Give its base address, such as https://gateway.example.com.",
    );
  }
  const name = `the gateway ${base.origin}`;
  return {
    name,
    fetchUpdates: async ({ feedIds, signal }) => {
      const chunks: FeedId[][] = [];
      for (let start = 0; start < feedIds.length; start += FEEDS_PER_REQUEST) {
        chunks.push(feedIds.slice(start, start + FEEDS_PER_REQUEST));
      }
      const answers = await Promise.all(
        chunks.map(async (chunk) => readAnswer(await request(base, chunk, options, name, signal), chunk, name)),
      );
      return {
        received: answers.flatMap(({ received }) => received),
        failures: answers.flatMap(({ failures }) => failures),
      };
    },
  };
}

async function request(
  base: URL,
  feedIds: readonly FeedId[],
  options: GatewaySourceOptions,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + GATEWAY_PATH;
  // Digits and commas need no escaping.
  url.search = `ids=${feedIds.join(",")}`;
  const { retries = 2, retryDelayMs = 300 } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await requestOnce(url, options, name, signal);
    } catch (error) {
      if (attempt >= retries || !mayHeal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs * 2 ** attempt));
      signal?.throwIfAborted();
    }
  }
}

function mayHeal(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.code === "GATEWAY_UNEXPECTED_ANSWER") return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

async function requestOnce(
  url: URL,
  { timeoutMs = 10_000, fetch = globalThis.fetch }: GatewaySourceOptions,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      credentials: "omit",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status, ok } = response;
    if (!ok) {
      await response.body?.cancel();
      throw new GatewayError("GATEWAY_FAILED", `${name} answered ${status}`, TRY_ANOTHER, status);
    }
    return await readBody(response, MAX_BODY_BYTES);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    if (error instanceof BodyTooLargeError) {
      throw new GatewayError("GATEWAY_UNEXPECTED_ANSWER", `${name} answered with ${error.message}`, WRONG_ADDRESS);
    }
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new GatewayError("GATEWAY_TIMEOUT", `${name} did not answer within ${timeoutMs} ms`, TRY_ANOTHER);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError("GATEWAY_UNREACHABLE", `${name} cannot be read: ${reason}`, TRY_ANOTHER);
  }
}

/** One item that cannot be read does not hide the others; what was not asked for is passed over. */
function readAnswer(body: string, feedIds: readonly FeedId[], name: string): SourceAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new GatewayError(
      "GATEWAY_UNEXPECTED_ANSWER",
      `${name} answered with something that is no JSON`,
      WRONG_ADDRESS,
    );
  }
  const read = envelope.safeParse(answer);
  if (!read.success) {
    throw new GatewayError("GATEWAY_UNEXPECTED_ANSWER", `${name} answered without a list of updates`, WRONG_ADDRESS);
  }
  const asked = new Set<bigint>(feedIds);
  const received: ReceivedUpdate[] = [];
  const failures: SourceFailure[] = [];
  for (const item of read.data.updates) {
    const id = idOnly.safeParse(item);
    const feedId = id.success ? BigInt(id.data.feedId) : undefined;
    if (feedId === undefined || !asked.has(feedId)) continue;
    const update = gatewayUpdateSchema.safeParse(item);
    if (update.success) {
      received.push(toReceived(feedId, update.data));
    } else {
      const problems = update.error.issues.map(({ path, message }) => `${toDotPath(path)}: ${message}`);
      const { refusal } = refused("MalformedItem", problems.join("; "));
      failures.push({ feedId, error: new UpdateRefusedError(feedId, refusal, name) });
    }
  }
  return { received, failures };
}

function toReceived(feedId: bigint, item: GatewayUpdate): ReceivedUpdate {
  return {
    feedId,
    update: item.update as Hex,
    stated: {
      date: item.date,
      price: parseDecimal(item.price),
      publishTimeMs: BigInt(Date.parse(item.publishTime)),
      expiryMs: BigInt(Date.parse(item.expiry)),
      signer: item.signer,
    },
  };
}
