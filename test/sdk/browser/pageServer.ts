import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type PageServer = { readonly url: string; readonly close: () => Promise<void> };

export type PageRoutes = {
  /** The page's only script, an ES module. */
  readonly script: string;
  /** The chain behind /rpc: a page may call only where it came from. */
  readonly rpcUrl: string;
  /** Answers the gateway's route: the feed ids that are asked for. */
  readonly answerUpdates: (feedIds: readonly string[]) => Promise<unknown>;
};

/** Serves a page, its gateway, and its way to the chain, from one origin. */
export async function startPageServer({ script, rpcUrl, answerUpdates }: PageRoutes): Promise<PageServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://page");
    switch (url.pathname) {
      case "/":
        return send(response, "text/html", '<!doctype html><script type="module" src="/page.js"></script>');
      case "/page.js":
        return send(response, "text/javascript", script);
      case "/rpc": {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString();
        const answered = await fetch(rpcUrl, { method: "POST", body, headers: { "content-type": "application/json" } });
        return send(response, "application/json", await answered.text());
      }
      case "/v1/updates/latest": {
        const feedIds = (url.searchParams.get("ids") ?? "").split(",");
        return send(response, "application/json", JSON.stringify(await answerUpdates(feedIds)));
      }
      default:
        return response.writeHead(404).end();
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function send(response: ServerResponse, contentType: string, body: string): void {
  response.writeHead(200, { "content-type": contentType }).end(body);
}
