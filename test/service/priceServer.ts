import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from "../../relayer/service/serviceClient.ts";

/** A key that looks like no other text of the tests, so that it is found wherever it leaks. */
export const API_KEY = "k3y-0f-the-tests-8c1f+/=";

/** One request as the server saw it. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Market ids of a latest request. */
  readonly marketIds: readonly number[];
};

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

/** Answers a request; JSON unless `body` is text. Whoever returns nothing has written to the response itself. */
export type Handler = (
  request: SeenRequest,
  response: ServerResponse,
  number: number,
) => Answer | undefined | Promise<Answer | undefined>;

export type PriceServer = { readonly url: string; readonly requests: SeenRequest[] };

/** An HTTP server on a free port of this machine, closed when the test ends. */
export async function startServer(handler: Handler): Promise<PriceServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void answer(incoming, response);
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(incoming.url ?? "/", "http://server");
    const request: SeenRequest = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body,
      marketIds: body.startsWith("{") ? (JSON.parse(body)["svc_ids"] ?? []) : [],
    };
    requests.push(request);
    const answered = await handler(request, response, requests.length);
    if (!answered) return;
    response.writeHead(answered.status ?? 200, { "content-type": "application/json", ...answered.headers });
    response.end(typeof answered.body === "string" ? answered.body : JSON.stringify(answered.body ?? {}));
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A client with delays that tests can afford. */
export function testClient(apiUrl: string, options: Partial<ServiceClientOptions> = {}): ServiceClient {
  return createServiceClient({
    apiUrl,
    apiKey: API_KEY,
    timeoutMs: 5_000,
    minRetryDelayMs: 1,
    maxRetryDelayMs: 2_000,
    ...options,
  });
}

/** An item as the service writes it by default. */
export function priceItem(marketId: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    svc_id: marketId,
    date: "2026-03-02",
    price: 216.94,
    publish_timestamp: 1_772_454_600_000,
    expiry: 1_772_544_600_000,
    signature: "ab".repeat(64),
    public_key: "cd".repeat(32),
    message: "ef".repeat(74),
    ...changes,
  };
}

/** The answer with one price for each market. */
export function latestAnswer(marketIds: readonly number[]): Answer {
  return {
    body: {
      items: marketIds.map((marketId) => priceItem(marketId)),
      account: { est_credits_used: marketIds.length, est_remaining_credits: 997 },
    },
  };
}

/** `count` market ids from 1,000,001 on. */
export function manyMarkets(count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => 1_000_001n + BigInt(index));
}

/** What a promise is rejected with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("the promise was fulfilled");
}
