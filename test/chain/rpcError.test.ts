import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  BaseError,
  createPublicClient,
  encodeErrorResult,
  HttpRequestError,
  http,
  RpcRequestError,
  TimeoutError,
} from "viem";
import { describe, expect, test } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { describeRpcError, hostOf, revertDataOf } from "../../relayer/chain/rpcError.ts";
import { RPC_KEY, startRpcProxy } from "./rpcProxy.ts";

const URLS = [
  `https://rpc.example/v2/${RPC_KEY}`,
  `https://rpc.example:8443/?apikey=${RPC_KEY}&x=1`,
  `https://user:${RPC_KEY}@rpc.example/`,
  `wss://rpc.example/${RPC_KEY}#${RPC_KEY}`,
  `HTTPS://RPC.EXAMPLE/v2/${RPC_KEY}`,
];

describe("of a URL", () => {
  test.each(URLS)("%s only scheme and host are shown", (url) => {
    expect(hostOf(url)).toMatch(/^(https|wss):\/\/rpc\.example(:8443)?$/);
  });

  test("what is no URL is not shown", () => {
    expect(hostOf(RPC_KEY)).toBe("(not a URL)");
    expect(hostOf("")).toBe("(not a URL)");
  });
});

describe("an error is told without the key in the URL", () => {
  test.each(URLS)("%s, wherever it stands", (url) => {
    const errors = [
      new Error(`could not reach ${url}: refused`),
      new Error(`(${url})`),
      new Error(`"${url}", ${url}; ${url}`),
      new HttpRequestError({ url, status: 502, details: `upstream ${url} is down` }),
      new TimeoutError({ url, body: { method: "eth_call" } }),
      new RpcRequestError({ url, body: {}, error: { code: -32_000, message: `see ${url}` } }),
      new BaseError("outer", { cause: new HttpRequestError({ url, details: url }) }),
      url,
    ];
    for (const error of errors) expect(describeRpcError(error)).not.toContain(RPC_KEY);
  });

  test("from a real connection", async () => {
    const proxy = await startRpcProxy("http://127.0.0.1:9");
    const client = createPublicClient({ transport: http(proxy.url, { retryCount: 0 }) });
    const { host } = new URL(proxy.url);
    for (const intervention of [
      { status: 503 },
      "break",
      { error: { code: -32_000, message: `at ${proxy.url}` } },
    ] as const) {
      proxy.onCall = () => intervention;
      const error = await client.getBlockNumber().catch((error: unknown) => error);
      expect(String(error)).not.toBe("");
      expect(describeRpcError(error)).not.toContain(RPC_KEY);
      expect(describeRpcError(error).length).toBeGreaterThan(10);
    }
    const refused = createServer();
    await new Promise<void>((resolve) => {
      refused.listen(0, resolve);
    });
    const { port } = refused.address() as AddressInfo;
    await new Promise((resolve) => {
      refused.close(resolve);
    });
    const nobody = createPublicClient({ transport: http(`http://127.0.0.1:${port}/${RPC_KEY}`, { retryCount: 0 }) });
    const error = await nobody.getBlockNumber().catch((error: unknown) => error);
    expect(describeRpcError(error)).not.toContain(RPC_KEY);
    expect(host).toMatch(/^127/);
  });

  test("in one line of limited length", () => {
    const text = describeRpcError(new Error(`first\n  second\t${"x".repeat(1_000)}`));
    expect(text).toMatch(/^first second x+$/);
    expect(text.length).toBeLessThanOrEqual(400);
  });
});

describe("revert data", () => {
  const data = encodeErrorResult({ abi: homePriceOracleAbi, errorName: "NoUsableSigner" });
  const rpcError = (data: unknown) =>
    new BaseError("call failed", {
      cause: new RpcRequestError({ url: "http://a", body: {}, error: { code: 3, message: "reverted", data } }),
    });

  test.each([
    ["as text", data],
    ["nested, as some nodes have it", { data, txHash: "0x12" }],
  ])("is found %s", (_, shape) => {
    expect(revertDataOf(rpcError(shape))).toBe(data);
  });

  test.each([[undefined], ["Reverted 0x"], [{ data: 7 }], ["0x123"]])("is not found in %j", (shape) => {
    expect(revertDataOf(rpcError(shape))).toBeUndefined();
  });

  test("is not looked for in other errors", () => {
    expect(revertDataOf(new Error("no"))).toBeUndefined();
    expect(revertDataOf(undefined)).toBeUndefined();
  });
});
