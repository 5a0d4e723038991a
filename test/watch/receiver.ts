import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Received = { readonly method: string; readonly path: string; readonly type: string; readonly body: string };

/** What a receiver does with a request: answers with a status and a text, or never. */
export type Reaction =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "hang";

/** Secret parts of a URL, which must not turn up anywhere. */
export const SECRET_PATH = "/hooks/T0S3cr3tPath/B9x8y7z6";
export const SECRET_QUERY = "?token=s3cr3t-query-value";

/** A webhook or heartbeat receiver: a real HTTP server, closed when the test ends, that can fail, hang and come back. */
export class Receiver {
  readonly received: Received[] = [];
  reaction: Reaction = { status: 200, body: "ok" };
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => {
      receiver.#server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(async () => {
      receiver.#server.closeAllConnections();
      await new Promise((resolve) => {
        receiver.#server.close(resolve);
      });
    });
    return receiver;
  }

  get host(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** With everything that a real one hides in its path and query. */
  get url(): string {
    return this.host + SECRET_PATH + SECRET_QUERY;
  }

  /** The bodies that came, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: a body's shape is what the tests assert.
  get bodies(): any[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.received.push({
      method: request.method ?? "",
      path: request.url ?? "",
      type: request.headers["content-type"] ?? "",
      body: Buffer.concat(chunks).toString(),
    });
    if (this.reaction === "hang") return;
    response.writeHead(this.reaction.status, this.reaction.headers);
    response.end(this.reaction.body ?? "");
  }
}
