import { inspect } from "node:util";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { createServiceClient, type ServiceClientOptions } from "../../relayer/service/serviceClient.ts";
import { ServiceConfigurationError } from "../../relayer/service/serviceErrors.ts";
import { API_KEY, latestAnswer, startServer, testClient } from "./priceServer.ts";

function creationError(options: Partial<ServiceClientOptions>): ServiceConfigurationError {
  try {
    createServiceClient({ apiUrl: "https://prices.example", apiKey: API_KEY, ...options });
  } catch (error) {
    if (error instanceof ServiceConfigurationError) return error;
    throw error;
  }
  throw new Error("the client was created");
}

describe("the API key", () => {
  test.each([`Bearer ${API_KEY}`, `bearer ${API_KEY}`, `BEARER\t${API_KEY}`, ` Bearer  ${API_KEY}`, "Bearer"])(
    "%j is refused: the raw key is wanted",
    (apiKey) => {
      const error = creationError({ apiKey });
      expect(error).toMatchObject({ kind: "configuration", code: "INVALID_API_KEY" });
      expect(error.message).toMatch(/Bearer.*raw key/);
      expect(inspect(error)).not.toContain(API_KEY);
    },
  );

  test.each(["", " ", `${API_KEY}\n`, ` ${API_KEY}`, `${API_KEY} x`, `${API_KEY}\u0000`, `${API_KEY}\u0085`, "ключ"])(
    "%j is refused",
    (apiKey) => {
      const error = creationError({ apiKey });
      expect(error).toMatchObject({ kind: "configuration", code: "INVALID_API_KEY" });
      expect(error.message).toContain("raw key");
      expect(inspect(error)).not.toContain(API_KEY);
    },
  );

  test.each(["BearerOfBadNews", "a", "x'\"\\;"])("%j is a key", (apiKey) => {
    expect(() => createServiceClient({ apiUrl: "https://prices.example", apiKey })).not.toThrow();
  });

  test("cannot be read from the client", () => {
    const client = testClient("https://prices.example");
    expect(inspect(client, { showHidden: true, depth: 9 })).not.toContain(API_KEY);
    expect(JSON.stringify(client)).not.toContain(API_KEY);
    expect(Object.values(client).join()).not.toContain(API_KEY);
  });
});

describe("the API URL", () => {
  test.each(["", "prices.example", "ftp://prices.example", "file:///etc/passwd", "https://", "//prices.example"])(
    "%j is refused",
    (apiUrl) => {
      expect(creationError({ apiUrl })).toMatchObject({ kind: "configuration", code: "INVALID_API_URL" });
    },
  );

  test("with a password is refused without showing it", () => {
    const error = creationError({ apiUrl: "https://user:hunter2@prices.example/v9?token=s3cret" });
    expect(error).toMatchObject({ kind: "configuration", code: "INVALID_API_URL" });
    expect(error.message).toContain("https://prices.example");
    expect(inspect(error)).not.toMatch(/user:|hunter2|s3cret|v9/);
  });

  test("keeps a path and a query of its own, and shows neither", async () => {
    const server = await startServer(() => latestAnswer([]));
    const client = testClient(`${server.url}/gate/?token=s3cret#top`);
    await client.request({ method: "GET", path: "/v1/x", creditsAtMost: 0, query: { query: "New York & co" } });
    expect(server.requests[0]?.path).toBe("/gate/v1/x");
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({ token: "s3cret", query: "New York & co" });
    expect(client.origin).toBe(server.url);
    expect(inspect(client, { showHidden: true, depth: 9 })).not.toContain("s3cret");
  });

  test("a warning goes out when the key would travel unencrypted", () => {
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn() };
    createServiceClient({ apiUrl: "http://127.0.0.1:8080", apiKey: API_KEY, log });
    createServiceClient({ apiUrl: "https://prices.example", apiKey: API_KEY, log });
    expect(log.warn).not.toHaveBeenCalled();
    createServiceClient({ apiUrl: "http://prices.example", apiKey: API_KEY, log });
    expect(log.warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain(API_KEY);
  });
});

describe("other options", () => {
  test("an idPrefix that is no word is refused", () => {
    expect(creationError({ idPrefix: 'x"' })).toMatchObject({ kind: "configuration", code: "INVALID_SERVICE_OPTIONS" });
  });

  test("response fields that are none are refused by name", () => {
    const error = creationError({ responseFields: { signature: "signed..signature" } });
    expect(error).toMatchObject({ kind: "configuration", code: "INVALID_SERVICE_OPTIONS" });
    expect(error.message).toContain("signature");
  });

  test("the market id's field follows the prefix unless it is given", () => {
    const options = { apiUrl: "https://prices.example", apiKey: API_KEY };
    expect(createServiceClient(options).responseFields.marketId).toBe("svc_id");
    expect(createServiceClient({ ...options, idPrefix: "acme" }).responseFields.marketId).toBe("acme_id");
    const responseFields = { marketId: "market.id" };
    expect(createServiceClient({ ...options, idPrefix: "acme", responseFields }).responseFields.marketId).toBe(
      "market.id",
    );
  });

  test("a pino logger is a log", async () => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
    const server = await startServer((_request, _response, number) =>
      number === 1 ? { status: 503 } : latestAnswer([]),
    );
    await testClient(`${server.url}?token=s3cret`, { log }).request({ method: "GET", path: "/v1/x", creditsAtMost: 0 });
    const log1 = lines.map((line) => JSON.parse(line));
    expect(log1.map(({ level }) => level)).toEqual([20, 40, 20]);
    expect(log1[1]).toMatchObject({ code: "API_UNAVAILABLE", attempt: 1 });
    expect(lines.join("")).not.toMatch(/s3cret/);
    expect(lines.join("")).not.toContain(API_KEY);
  });
});
