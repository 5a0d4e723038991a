import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServiceClientOptions } from "../../relayer/service/serviceClient.ts";
import {
  CreditsExhaustedError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnavailableError,
  ServiceUnreachableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../../relayer/service/serviceErrors.ts";
import { API_KEY, type Handler, type PriceServer, rejectionOf, startServer, testClient } from "./priceServer.ts";

const REQUEST = {
  method: "POST",
  path: "/v1/price_feed/latest",
  body: '{"svc_ids":[5826765]}',
  creditsAtMost: 1,
} as const;

/** Sends one request to a server and returns the error and the server. Everything that fails passes the checks for secrets. */
async function failure(
  handler: Handler,
  options: Partial<ServiceClientOptions> = {},
): Promise<{ error: ServiceError; server: PriceServer }> {
  const server = await startServer(handler);
  const error = await rejectionOf(testClient(`${server.url}/?token=s3cret`, options).request(REQUEST));
  if (!(error instanceof ServiceError)) throw error;
  const printed = inspect(error, { showHidden: true, depth: 9 }) + JSON.stringify(error);
  expect(printed).not.toContain(API_KEY);
  expect(printed).not.toContain("s3cret");
  expect(error.message).toContain(`POST /v1/price_feed/latest at ${server.url} `);
  expect(error.hint).not.toBe("");
  return { error, server };
}

/** The address of a server that is gone. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}

describe("a request", () => {
  test("carries the raw key and JSON", async () => {
    const server = await startServer(() => ({ body: { items: [] } }));
    expect(await testClient(server.url).request(REQUEST)).toEqual({ items: [] });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "POST", path: REQUEST.path, body: REQUEST.body });
    expect(request?.headers).toMatchObject({
      authorization: API_KEY,
      accept: "application/json",
      "content-type": "application/json",
    });
  });

  test("reads compressed answers, a byte order mark, and numbers exactly", async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync('\ufeff{"price":12345678901.12345678}'));
      return undefined;
    });
    expect(await testClient(server.url).request(REQUEST)).toEqual({ price: "12345678901.12345678" });
  });

  test("takes JSON under another content type, because the body proves itself", async () => {
    const server = await startServer(() => ({ headers: { "content-type": "text/html" }, body: '{"items":[]}' }));
    expect(await testClient(server.url).request(REQUEST)).toEqual({ items: [] });
  });
});

describe("an answer that is an error", () => {
  const pydantic = [
    { type: "greater_than", loc: ["body", "svc_ids", 3], msg: "Input should be greater than 0", input: -1 },
    { type: "missing", loc: ["body"], msg: "Field required" },
  ];

  test.each([
    [401, { detail: "Invalid API key" }, UnauthorizedError, "API_UNAUTHORIZED", "401: Invalid API key"],
    [401, "", UnauthorizedError, "API_UNAUTHORIZED", "answered 401"],
    [403, { detail: "Upgrade your plan" }, ForbiddenError, "API_FORBIDDEN", "403: Upgrade your plan"],
    [404, { detail: "Not Found" }, NotFoundError, "API_NOT_FOUND", "404: Not Found"],
    [404, "", NotFoundError, "API_NOT_FOUND", "answered 404"],
    [400, { detail: "price must be positive" }, InvalidRequestError, "API_INVALID_REQUEST", "400: price must be"],
    [
      422,
      { detail: "expiry is in the past" },
      InvalidRequestError,
      "API_INVALID_REQUEST",
      "422: expiry is in the past",
    ],
    [
      422,
      { detail: pydantic },
      InvalidRequestError,
      "API_INVALID_REQUEST",
      "422: body.svc_ids.3: Input should be greater than 0 (and 1 more)",
    ],
    [422, { detail: [{ msg: "bad" }] }, InvalidRequestError, "API_INVALID_REQUEST", "answered 422: bad"],
    [422, { detail: [] }, InvalidRequestError, "API_INVALID_REQUEST", "answered 422"],
    [422, { detail: [7, null] }, InvalidRequestError, "API_INVALID_REQUEST", "answered 422"],
    [422, { error: "no such market" }, InvalidRequestError, "API_INVALID_REQUEST", "422: no such market"],
    [400, "plain words", InvalidRequestError, "API_INVALID_REQUEST", "400: plain words"],
    [400, "[1", InvalidRequestError, "API_INVALID_REQUEST", "400: [1"],
    [429, { error: "Credit limit reached" }, CreditsExhaustedError, "API_CREDITS_EXHAUSTED", "429: Credit limit"],
    [429, { detail: "You have no CREDITS left" }, CreditsExhaustedError, "API_CREDITS_EXHAUSTED", "no CREDITS left"],
    [405, { detail: "Method Not Allowed" }, UnexpectedResponseError, "API_UNEXPECTED_RESPONSE", "405: Method Not"],
    [413, "<html>too large</html>", UnexpectedResponseError, "API_UNEXPECTED_RESPONSE", "answered 413"],
  ])("%i %j is not retried", async (status, body, type, code, words) => {
    const { error, server } = await failure(() => ({ status, body }));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ name: type.name, code, status, retryable: false, kind: "failure" });
    expect(error.message).toContain(words);
    expect(server.requests).toHaveLength(1);
  });

  test.each([500, 502, 503, 504, 599])("%i is retried, then thrown", async (status) => {
    const { error, server } = await failure(() => ({ status, body: { detail: "oops" } }), { retries: 2 });
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ code: "API_UNAVAILABLE", status, retryable: true });
    expect(server.requests).toHaveLength(3);
  });

  test("5xx twice, then success", async () => {
    const server = await startServer((_request, _response, number) =>
      number < 3 ? { status: 502, body: "<html>" } : { body: { items: [1] } },
    );
    expect(await testClient(server.url).request(REQUEST)).toEqual({ items: [1] });
    expect(server.requests).toHaveLength(3);
  });

  test("a 404 page for browsers is not the service's 'nothing found'", async () => {
    const { error } = await failure(() => ({ status: 404, body: "<!doctype html><h1>nginx</h1>" }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("not the service's API");
  });

  test("foreign text is short, on one line, and holds no key", async () => {
    const echoes = `bad key ${API_KEY} (${encodeURIComponent(API_KEY)})\r\n\u001b[31mred\u202e`;
    const { error } = await failure(() => ({ status: 400, body: { detail: `${echoes}${"x".repeat(5_000)}` } }));
    expect(error.message).toContain("bad key [API key] ([API key]) [31mred");
    expect(error.message).not.toMatch(/\p{C}/u);
    expect(error.message.length).toBeLessThan(420);
  });

  test("the key does not survive the cut", async () => {
    for (let length = 270; length < 300; length += 5) {
      const { error } = await failure(() => ({ status: 400, body: { detail: `${"x".repeat(length)}${API_KEY}` } }));
      expect(error.message).not.toContain(API_KEY.slice(0, 4));
    }
  });

  test("keeps its status when its text does not arrive", async () => {
    const { error } = await failure((_request, response) => {
      response.writeHead(403, { "content-length": "1000" });
      response.write('{"detail":');
      setTimeout(() => response.destroy(), 5);
      return undefined;
    });
    expect(error).toBeInstanceOf(ForbiddenError);
  });
});

describe("429", () => {
  test("with Retry-After is retried no sooner, then succeeds", async () => {
    // Retry-After knows whole seconds only; this clock stands just before the next one, so that the wait is short.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 2, 2, 12, 29, 59, 940) });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { "retry-after": "Mon, 02 Mar 2026 12:30:00 GMT" };
    const times: number[] = [];
    const server = await startServer((_request, _response, number) => {
      times.push(performance.now());
      return number === 1 ? { status: 429, headers, body: { error: "Rate Limit Exceeded" } } : { body: { items: [] } };
    });
    expect(await testClient(server.url).request(REQUEST)).toEqual({ items: [] });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(58);
  });

  test("with a Retry-After date in the past is retried at once", async () => {
    const headers = { "retry-after": new Date(Date.now() - 60_000).toUTCString() };
    const server = await startServer((_request, _response, number) =>
      number === 1 ? { status: 429, headers, body: { error: "Rate Limit Exceeded" } } : { body: {} },
    );
    await testClient(server.url).request(REQUEST);
    expect(server.requests).toHaveLength(2);
  });

  test("without Retry-After is retried with the usual delays", async () => {
    const { error, server } = await failure(() => ({ status: 429, body: { error: "Rate Limit Exceeded" } }));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ code: "API_RATE_LIMITED", status: 429, retryable: true });
    expect(error.message).toContain("Rate Limit Exceeded");
    expect(server.requests).toHaveLength(4);
  });

  test("with a longer Retry-After than we wait for says how long", async () => {
    const headers = { "retry-after": "3600" };
    const { error, server } = await failure(() => ({ status: 429, headers, body: { error: "Rate Limit Exceeded" } }));
    expect(error).toMatchObject({ code: "API_RATE_LIMITED", retryAfterMs: 3_600_000 });
    expect(error.message).toContain("3600 s");
    expect(server.requests).toHaveLength(1);
  });
});

describe("no complete answer", () => {
  test("nobody listens", async () => {
    const error = await rejectionOf(testClient(await closedPort()).request(REQUEST));
    expect(error).toBeInstanceOf(ServiceUnreachableError);
    expect(error).toMatchObject({ code: "API_UNREACHABLE", retryable: true });
    expect((error as Error).message).toContain("cannot be reached: ECONNREFUSED");
  });

  test("whatever another fetch fails with holds no key", async () => {
    const fetch = () => Promise.reject(new TypeError(`cannot send ${API_KEY}`, { cause: API_KEY }));
    const error = await rejectionOf(testClient("https://prices.example", { fetch, retries: 0 }).request(REQUEST));
    expect(error).toBeInstanceOf(ServiceUnreachableError);
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(API_KEY);
  });

  test("the host does not exist", async () => {
    const error = await rejectionOf(testClient("http://nowhere.invalid", { retries: 0 }).request(REQUEST));
    expect(error).toBeInstanceOf(ServiceUnreachableError);
    expect((error as Error).message).toMatch(/http:\/\/nowhere\.invalid cannot be reached: (ENOTFOUND|EAI_AGAIN)/);
  });

  test("the connection breaks before an answer: retried", async () => {
    const { error, server } = await failure((_request, response) => {
      response.destroy();
      return undefined;
    });
    expect(error).toBeInstanceOf(ServiceUnreachableError);
    expect(server.requests).toHaveLength(4);
  });

  test.each(["before the headers", "within the body"])(
    "the answer stops %s: retried, each attempt with its own time",
    async (where) => {
      const { error, server } = await failure(
        (_request, response) => {
          if (where === "within the body") response.writeHead(200).write('{"items":');
          return undefined;
        },
        { timeoutMs: 30, retries: 2 },
      );
      expect(error).toBeInstanceOf(ServiceTimeoutError);
      expect(error).toMatchObject({ code: "API_TIMEOUT", retryable: true });
      expect(error.message).toContain("within 30 ms");
      expect(server.requests).toHaveLength(3);
    },
  );

  test("the body breaks off: retried, then success", async () => {
    const server = await startServer((_request, response, number) => {
      if (number === 3) return { body: { items: [] } };
      const length = number === 1 ? { "content-length": "1000" } : { connection: "close" };
      response.writeHead(200, { "content-type": "application/json", ...length });
      response.write('{"items":[{"svc');
      // The second body ends properly, in the middle of its JSON.
      if (number === 1) setTimeout(() => response.destroy(), 5);
      else response.end();
      return undefined;
    });
    expect(await testClient(server.url).request(REQUEST)).toEqual({ items: [] });
    expect(server.requests).toHaveLength(3);
  });

  test("the body breaks off every time", async () => {
    const { error, server } = await failure(() => ({ body: '{"items":[' }), { retries: 1 });
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ code: "API_UNEXPECTED_RESPONSE", status: 200, retryable: true });
    expect(server.requests).toHaveLength(2);
  });
});

describe("an answer that is none", () => {
  test.each([
    ["a page for browsers", "<html><body>Welcome</body></html>", "text/html; charset=utf-8", "no JSON (text/html)"],
    ["an empty body", "", "application/json", "an empty body"],
    ["words", "OK", "text/plain", "no JSON (text/plain)"],
  ])("%s is refused and not retried", async (_name, body, contentType, words) => {
    const { error, server } = await failure(() => ({ headers: { "content-type": contentType }, body }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, retryable: false });
    expect(error.message).toContain(words);
    expect(server.requests).toHaveLength(1);
  });

  test("brackets without end are refused", async () => {
    const { error } = await failure(() => ({ body: "[".repeat(500_000) }), { retries: 0 });
    expect(error).toBeInstanceOf(UnexpectedResponseError);
  });

  test("a body over the limit is cut off, not retried", async () => {
    const { error, server } = await failure(() => ({ body: { items: "x".repeat(5_000) } }), {
      maxResponseBytes: 1_000,
    });
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("more than 1000 bytes");
    expect(server.requests).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])("a %i redirect is not followed, so that the key stays here", async (status) => {
    const other = await startServer(() => ({ body: { items: [] } }));
    const { error, server } = await failure(() => ({ status, headers: { location: `${other.url}/x?key=s3cret` } }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain(`redirect to ${other.url},`);
    expect(server.requests).toHaveLength(1);
    expect(other.requests).toHaveLength(0);
  });
});

describe("the caller's signal", () => {
  test.each(["the request's", "the client's"])("%s ends a request that hangs, with its reason", async (whose) => {
    const controller = new AbortController();
    const server = await startServer(() => {
      setTimeout(() => controller.abort(new Error("enough")), 5);
      return undefined;
    });
    const { signal } = controller;
    const client = testClient(server.url, whose === "the client's" ? { signal } : {});
    const error = await rejectionOf(client.request(whose === "the client's" ? REQUEST : { ...REQUEST, signal }));
    expect(error).toEqual(new Error("enough"));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["a Retry-After", { status: 429, headers: { "retry-after": "2" }, body: { error: "Rate Limit Exceeded" } }],
    ["a delay", { status: 503 }],
  ])("ends the wait for %s", async (_name, answer) => {
    const controller = new AbortController();
    const server = await startServer(() => {
      setTimeout(() => controller.abort(), 10);
      return answer;
    });
    const started = performance.now();
    const client = testClient(server.url, { minRetryDelayMs: 1_500 });
    const error = await rejectionOf(client.request({ ...REQUEST, signal: controller.signal }));
    expect(error).toMatchObject({ name: "AbortError" });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(server.requests).toHaveLength(1);
  });

  test("that has fired already sends nothing", async () => {
    const server = await startServer(() => ({ body: {} }));
    const error = await rejectionOf(testClient(server.url).request({ ...REQUEST, signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: "AbortError" });
    expect(server.requests).toHaveLength(0);
  });
});
