import { type FastifyInstance, fastify } from "fastify";
import { type Answer, detailAnswer, serverErrorAnswer } from "./answer.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";

/** Bytes of the largest body that is read; a thousand ids take some ten thousand. */
const MAX_BODY_BYTES = 1_048_576;

/** A request for an endpoint before anybody has looked at it. */
export type ReceivedRequest = {
  /** The header as it came. */
  readonly authorization: string | undefined;
  /** Scheme and authority under which the client reached the service. */
  readonly origin: string;
  readonly query: URLSearchParams;
  readonly bodyText: string;
};

export type RequestLogEntry = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Present when the service itself broke down. */
  readonly error?: unknown;
};

export type HttpServerOptions = {
  readonly endpoints: readonly Endpoint[];
  readonly respond: (endpoint: Endpoint, request: ReceivedRequest) => Promise<Answer>;
  readonly log: (entry: RequestLogEntry) => void;
};

/** The HTTP side that all endpoints share: bodies as text whatever their type, errors in the service's shapes. */
export function createHttpServer({ endpoints, respond, log }: HttpServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  const failures = new WeakMap<object, { error: unknown }>();
  app.addHook("onSend", async (request, reply) => {
    log({ method: request.method, path: pathOf(request.url), status: reply.statusCode, ...failures.get(request) });
  });

  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        const answer = await respond(endpoint, {
          authorization: request.headers.authorization,
          origin: `${request.protocol}://${request.host}`,
          query: new URL(request.url, "http://localhost").searchParams,
          bodyText: typeof request.body === "string" ? request.body : "",
        });
        return reply.code(answer.status).type(answer.contentType).send(answer.text);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isKnown = endpoints.some(({ path }) => path === pathOf(request.url));
    const answer = isKnown ? detailAnswer(405, "Method Not Allowed") : detailAnswer(404, "Not Found");
    return reply.code(answer.status).type(answer.contentType).send(answer.text);
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = answerToError(error);
    if (answer.status === 500) failures.set(request, { error });
    return reply.code(answer.status).type(answer.contentType).send(answer.text);
  });
  return app;
}

/** The server's own refusals (a body that is too large) have a status; anything else is a defect of ours. */
function answerToError(error: unknown): Answer {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return error instanceof Error && status >= 400 && status < 500
    ? detailAnswer(status, error.message)
    : serverErrorAnswer();
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}
