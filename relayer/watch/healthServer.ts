import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { listenError } from "../errors/listenErrors.ts";
import type { Health } from "./health.ts";
import { readListenAddress } from "./listenAddress.ts";

/** What /healthz answers. */
export type HealthAnswer = Health & {
  /** Whether every wanted feed was current at the last look; null while a chain has not been looked at. */
  readonly allCurrent: boolean | null;
  /** ISO 8601; null before the first. */
  readonly lastRunEnd: string | null;
  readonly nextRunDue: string | null;
  readonly version: string;
};

export type HealthServerOptions = {
  /** `host:port`. */
  readonly listen: string;
  readonly health: () => HealthAnswer;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

export type HealthServer = { readonly url: string; close(): Promise<void> };

/** Nobody sends these requests a body. */
const MAX_BODY_BYTES = 1_024;

/**
 * Answers GET /metrics, /healthz and /livez, and nothing else. Nothing it says is secret, and nothing can be changed
 * through it; it is meant for the local network all the same.
 * @throws ListenError when the address cannot be had, HomePriceError when it is none.
 */
export async function startHealthServer({ listen, health, metrics }: HealthServerOptions): Promise<HealthServer> {
  const { host, port } = readListenAddress(listen);
  // Connections that scrapers keep open must not hold up the end.
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.addHook("onSend", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  app.get("/livez", async () => ({ ok: true }));
  app.get("/healthz", async (_request, reply) => {
    const answer = health();
    return reply.code(answer.ok ? 200 : 503).send(answer);
  });
  app.get("/metrics", async (_request, reply) => {
    const { contentType, text } = await metrics();
    return reply.type(contentType).send(text);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === "GET") return reply.code(404).send({ error: "Not Found" });
    return reply.code(405).header("allow", "GET").send({ error: "Method Not Allowed" });
  });
  // What went wrong is for the log of whoever calls, not for whoever asks.
  app.setErrorHandler(async (_error, _request, reply) => reply.code(500).send({ error: "Internal Server Error" }));
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(host, port, error);
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => app.close() };
}
