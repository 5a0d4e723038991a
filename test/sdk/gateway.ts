import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "viem";
import { checkUpdate } from "../../sdk/checkUpdate.ts";
import { toFeedId } from "../../sdk/feedId.ts";
import { type GatewayAnswer, toGatewayAnswer } from "../../sdk/gatewayAnswer.ts";
import type { UpdateRules } from "../../sdk/getUpdateRules.ts";

/** What a gateway does instead of answering well. */
export type GatewayFault = (response: ServerResponse, answer: GatewayAnswer) => void;

export type TestGateway = {
  readonly url: string;
  /** Feed ids of each request so far. */
  readonly asked: string[][];
  /** Puts an update into the gateway, in the place of an earlier one of that feed. */
  readonly offer: (feedId: bigint, update: Hex, rules: UpdateRules) => void;
  /** Takes them all out, and heals it. */
  readonly reset: () => void;
  fault: GatewayFault | undefined;
  readonly close: () => Promise<void>;
};

/** A gateway on a real HTTP server, which hands out the updates that it was given. */
export async function startGateway(): Promise<TestGateway> {
  const offered = new Map<string, GatewayAnswer["updates"][number]>();
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://gateway");
    if (url.pathname !== "/v1/updates/latest") return response.writeHead(404).end();
    const ids = (url.searchParams.get("ids") ?? "").split(",");
    asked.push(ids);
    const answer = { updates: ids.flatMap((id) => offered.get(id) ?? []) };
    if (gateway.fault) return gateway.fault(response, structuredClone(answer));
    return sendJson(response, answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const gateway: TestGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    offer: (id, update, rules) => {
      const feedId = toFeedId(id);
      const checked = checkUpdate({ feedId, update, rules });
      if (!checked.ok) throw new Error(checked.refusal.message);
      const [item] = toGatewayAnswer([checked.value]).updates;
      if (item) offered.set(item.feedId, item);
    },
    reset: () => {
      offered.clear();
      asked.length = 0;
      gateway.fault = undefined;
    },
    fault: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return gateway;
}

export function sendJson(response: ServerResponse, document: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
}
