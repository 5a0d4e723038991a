import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type RpcCall = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };

/**
 * What a node says instead of the chain behind it: an error of JSON-RPC, another result, a bare HTTP status, a text that is
 * no JSON, nothing at all, the beginning of an answer, or a connection that breaks.
 */
export type Intervention =
  | { error: { code: number; message: string; data?: unknown } }
  | { result: unknown }
  | { status: number; headers?: Record<string, string> }
  | { text: string }
  | "hang"
  | "stall"
  | "break";

export type RpcProxy = {
  /** With a path that looks like an access key, as the addresses of hosted nodes have one. */
  readonly url: string;
  /** Methods called so far. */
  readonly calls: string[];
  /** Looks at each call before the chain does; whoever returns nothing lets it through. */
  onCall: (call: RpcCall) => Intervention | undefined | Promise<Intervention | undefined>;
  /** The same once the chain has answered. */
  onAnswer: (call: RpcCall) => Intervention | undefined | Promise<Intervention | undefined>;
};

/** What the addresses of the proxies hold and no output may show. */
export const RPC_KEY = "k3y-0f-the-rpc-endpoint";

/** A node that misbehaves on demand in front of a chain; closed when the test ends. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const proxy = { calls: [] as string[], onCall: () => undefined, onAnswer: () => undefined } as Omit<RpcProxy, "url">;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      answer(Buffer.concat(chunks).toString(), response).catch(() => response.destroy());
    });
  });
  const answer = async (body: string, response: ServerResponse) => {
    const call: RpcCall = { params: [], ...JSON.parse(body) };
    proxy.calls.push(call.method);
    let intervention = await proxy.onCall(call);
    let text = "";
    if (!intervention) {
      const answered = await fetch(target, { method: "POST", body, headers: { "content-type": "application/json" } });
      text = await answered.text();
      intervention = await proxy.onAnswer(call);
    }
    if (intervention === "break") return response.destroy();
    if (intervention === "hang") return undefined;
    if (intervention === "stall") return response.writeHead(200, { "content-type": "application/json" }).write("{");
    if (intervention && "status" in intervention) {
      return response.writeHead(intervention.status, intervention.headers).end("no");
    }
    if (intervention && "text" in intervention) text = intervention.text;
    else if (intervention) text = JSON.stringify({ jsonrpc: "2.0", id: call.id, ...intervention });
    return response.writeHead(200, { "content-type": "application/json" }).end(text);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/${RPC_KEY}` });
}
