import { Readable } from "node:stream";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { type Answer, detailAnswer, serverErrorAnswer } from "./answer.ts";

/** Bytes of the largest body that is read; a thousand ids take some ten thousand. */
const MAX_BODY_BYTES = 1_048_576;

/** A request before anybody has looked at it. */
export type ReceivedRequest = {
  /** The header as it came. */
  readonly authorization: string | undefined;
  /** Address of whoever has connected. */
  readonly remoteAddress: string;
  /** Scheme and authority under which the client reached the service. */
  readonly origin: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly bodyText: string;
};

/** A request with what became of it. */
export type AnsweredRequest = Pick<ReceivedRequest, "authorization" | "path" | "query" | "bodyText"> & {
  readonly method: string;
  readonly status: number;
  /** By the service's clock, Unix milliseconds; absent when the clock broke down. */
  readonly receivedAtMs?: bigint;
  /** Present when the service itself broke down. */
  readonly error?: unknown;
};

/** What answers at a path. */
export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Parameters in braces: `/v1/market_metrics/{id}/all_cash`. */
  readonly path: string;
  handle(request: ReceivedRequest): Answer | Promise<Answer>;
};

export type HttpServerOptions = {
  readonly routes: readonly Route[];
  /** Unix milliseconds, for the Date header of answers that bring none of their own. */
  readonly nowMs: () => bigint;
  /** Called once an answer is ready. */
  readonly onAnswered: (request: AnsweredRequest) => void;
};

/**
 * The HTTP side that all routes share: bodies as text whatever their type, errors in the service's shapes, 404 for a
 * path that nothing answers at and 405 for a method that nothing there takes.
 */
export function createHttpServer({ routes, nowMs, onAnswered }: HttpServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  const arrivals = new WeakMap<object, { receivedAtMs: bigint }>();
  const failures = new WeakMap<object, { error: unknown }>();
  app.addHook("onRequest", async (request, reply) => {
    const receivedAtMs = nowMs();
    arrivals.set(request, { receivedAtMs });
    reply.header("date", dateHeader(receivedAtMs));
  });
  app.addHook("onSend", async (request, reply) => {
    const { authorization, path, query, bodyText } = receivedRequest(request);
    onAnswered({
      method: request.method,
      path,
      query,
      authorization,
      bodyText,
      status: reply.statusCode,
      ...arrivals.get(request),
      ...failures.get(request),
    });
  });

  for (const { method, path, handle } of routes) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) =>
      send(reply, await handle(receivedRequest(request)));
    app.route({ method, url: routerPathOf(path), handler });
  }
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(receivedRequest(request).path, routes);
    if (allowed.length === 0) return send(reply, detailAnswer(404, "Not Found"));
    return send(reply, { ...detailAnswer(405, "Method Not Allowed"), headers: { allow: allowed.join(", ") } });
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = answerToError(error);
    if (answer.status === 500) failures.set(request, { error });
    return send(reply, answer);
  });
  return app;
}

/** The Date header of RFC 9110, section 6.6.1. */
export function dateHeader(timeMs: bigint): string {
  return new Date(Number(timeMs)).toUTCString();
}

function receivedRequest(request: FastifyRequest): ReceivedRequest {
  const [path = ""] = request.url.split("?", 1);
  return {
    authorization: request.headers.authorization,
    remoteAddress: request.socket.remoteAddress ?? "",
    origin: `${request.protocol}://${request.host}`,
    path,
    pathParameters: request.params as Record<string, string>,
    query: new URLSearchParams(request.url.slice(path.length)),
    bodyText: typeof request.body === "string" ? request.body : "",
  };
}

function send(reply: FastifyReply, { status, contentType, text, headers = {}, isCutOff }: Answer): FastifyReply {
  reply.code(status).type(contentType).headers(headers);
  if (!isCutOff) return reply.send(text);
  const bytes = Buffer.from(text);
  return reply.header("content-length", bytes.length).send(Readable.from(firstHalfOf(bytes)));
}

/** A stream that fails half-way takes its connection with it. */
function* firstHalfOf(bytes: Buffer): Generator<Buffer> {
  yield bytes.subarray(0, bytes.length / 2);
  throw new Error("cut off on purpose");
}

/** The methods that are taken at a path. */
function methodsAt(path: string, routes: readonly Route[]): string[] {
  const steps = path.split("/");
  const isAt = (route: Route) => {
    const wanted = route.path.split("/");
    return (
      wanted.length === steps.length &&
      wanted.every((step, index) => step === steps[index] || (/^\{\w+\}$/.test(step) && steps[index] !== ""))
    );
  };
  return routes.filter(isAt).map(({ method }) => method);
}

/** The router writes `:id` where the specification writes `{id}`. */
function routerPathOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** The server's own refusals (a body that is too large) have a status; anything else is a defect of ours. */
function answerToError(error: unknown): Answer {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return error instanceof Error && status >= 400 && status < 500
    ? detailAnswer(status, error.message)
    : serverErrorAnswer();
}
