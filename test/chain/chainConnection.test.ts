import { afterAll, beforeAll, expect, test } from "vitest";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { type LocalChain, startLocalChain } from "../../relayer/local/localChain.ts";
import { RPC_KEY, startRpcProxy } from "./rpcProxy.ts";

let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain(0);
});
afterAll(() => chain.close());

async function problemOf(connecting: Promise<unknown>): Promise<HomePriceError> {
  const error = await connecting.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof HomePriceError)) throw new Error("connected");
  return error;
}

test("the first endpoint that answers is the connection", async () => {
  const dead = await startRpcProxy(chain.rpcUrl);
  dead.onCall = () => "break";
  const alive = await startRpcProxy(chain.rpcUrl);
  const { host, chain: connected, rpcUrl } = await connectChain({ rpcUrls: [dead.url, alive.url], timeoutMs: 5_000 });
  expect(host).toBe(new URL(alive.url).origin);
  expect(rpcUrl).toBe(alive.url);
  expect(connected.id).toBe(31_337);
  // The first is tried again, in case it was the network, and then left alone.
  expect(dead.calls.length).toBeLessThanOrEqual(3);
});

test("an endpoint of another chain stops everything", async () => {
  const proxy = await startRpcProxy(chain.rpcUrl);
  const problem = await problemOf(connectChain({ rpcUrls: [proxy.url], expectedChainId: 1, timeoutMs: 5_000 }));
  expect(problem).toMatchObject({ code: "WRONG_CHAIN", kind: "configuration" });
  expect(problem.message).toBe(`${new URL(proxy.url).origin} is chain 31337, the configuration says 1`);
});

test("no endpoint that answers: each is named, none is shown beyond its host", async () => {
  const proxies = await Promise.all([startRpcProxy(chain.rpcUrl), startRpcProxy(chain.rpcUrl)]);
  for (const proxy of proxies) proxy.onCall = () => ({ status: 401 });
  const problem = await problemOf(connectChain({ rpcUrls: proxies.map(({ url }) => url), timeoutMs: 5_000 }));
  expect(problem).toMatchObject({ code: "RPC_UNREACHABLE", kind: "failure" });
  for (const { url } of proxies) expect(problem.message).toContain(`${new URL(url).origin}: `);
  expect(problem.message + problem.hint).not.toContain(RPC_KEY);
});
