import { type Hex, keccak256, numberToHex } from "viem";
import { type Intervention, type RpcCall, type RpcProxy, startRpcProxy } from "../chain/rpcProxy.ts";

/** What RPC endpoints do wrong. */
export const ENDPOINT_FAULTS = [
  "dead port",
  "status 500",
  "hanging",
  "other chain id",
  "frozen long ago",
  "frozen just now",
  "transactions dropped",
  "no receipts",
  "nonce too high",
  "nonce too low",
  "fees too high",
  "fees too low",
] as const;

export type EndpointFault = (typeof ENDPOINT_FAULTS)[number];

/** A port that nobody listens on: the discard service's. */
const DEAD_URL = "http://127.0.0.1:9";
const ABSURD_WEI = 10n ** 16n;
const NONCES_AHEAD = 7;

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/**
 * An endpoint of a chain that shows one of the faults, closed when the test ends.
 * @param longAgo Number of a block that is minutes old.
 */
export async function startFaultyEndpoint(fault: EndpointFault, rpcUrl: string, longAgo: bigint): Promise<string> {
  if (fault === "dead port") return DEAD_URL;
  const proxy = await startRpcProxy(rpcUrl);
  const ask = askerOf(rpcUrl);
  if (fault === "frozen long ago") showFrozen(proxy, ask, longAgo);
  else if (fault === "frozen just now") showFrozen(proxy, ask, BigInt((await ask("eth_blockNumber", [])) as Hex));
  else proxy.onCall = (call) => interventionOf(fault, call, ask);
  return proxy.url;
}

async function interventionOf(fault: EndpointFault, call: RpcCall, ask: Ask): Promise<Intervention | undefined> {
  const { method, params } = call;
  switch (fault) {
    case "status 500":
      return { status: 500 };
    case "hanging":
      return "hang";
    case "other chain id":
      return method === "eth_chainId" ? { result: "0x1" } : undefined;
    case "transactions dropped":
      return method === "eth_sendRawTransaction" ? { result: keccak256(params[0] as Hex) } : undefined;
    case "no receipts":
      return method === "eth_getTransactionReceipt" ? { result: null } : undefined;
    case "nonce too high":
      if (method !== "eth_getTransactionCount") return undefined;
      return { result: numberToHex(Number((await ask(method, params)) as Hex) + NONCES_AHEAD) };
    case "nonce too low":
      return method === "eth_getTransactionCount" ? { result: "0x0" } : undefined;
    case "fees too high":
      return withFees(call, ask, ABSURD_WEI);
    case "fees too low":
      return withFees(call, ask, 0n);
    default:
      return undefined;
  }
}

/** The fees that a node names, wherever it does. */
async function withFees({ method, params }: RpcCall, ask: Ask, wei: bigint): Promise<Intervention | undefined> {
  const fee = numberToHex(wei);
  if (method === "eth_gasPrice" || method === "eth_maxPriorityFeePerGas") return { result: fee };
  if (method !== "eth_feeHistory") return undefined;
  const history = (await ask(method, params)) as { baseFeePerGas: Hex[]; reward?: Hex[][] };
  return {
    result: {
      ...history,
      baseFeePerGas: history.baseFeePerGas.map(() => fee),
      reward: history.reward?.map((rewards) => rewards.map(() => fee)),
    },
  };
}

/** Where the block stands among a method's parameters. */
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getTransactionCount: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
};

/** A node that has stopped at a block: it answers as it could have then, and takes transactions that it never mines. */
function showFrozen(proxy: RpcProxy, ask: Ask, block: bigint): void {
  const isLater = (blockNumber: unknown) => typeof blockNumber === "string" && BigInt(blockNumber) > block;
  proxy.onCall = async ({ method, params }) => {
    if (method === "eth_blockNumber") return { result: numberToHex(block) };
    if (method === "eth_sendRawTransaction") return { result: keccak256(params[0] as Hex) };
    const position = BLOCK_PARAMETER[method];
    if (position !== undefined) {
      const asked = params[position];
      if (isNumber(asked)) return isLater(asked) ? { result: null } : undefined;
      const frozen = [...params];
      while (frozen.length < position) frozen.push(null);
      frozen[position] = numberToHex(block);
      return answerOf(() => ask(method, frozen));
    }
    if (method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash") {
      const found = (await ask(method, params)) as { blockNumber?: Hex } | null;
      return found && isLater(found.blockNumber) ? { result: null } : undefined;
    }
    return undefined;
  };
}

function isNumber(block: unknown): boolean {
  return typeof block === "string" && block.startsWith("0x");
}

/** What the chain says, an error too. */
async function answerOf(ask: () => Promise<unknown>): Promise<Intervention> {
  try {
    return { result: await ask() };
  } catch (error) {
    return { error: error as { code: number; message: string } };
  }
}

/** @returns A function that throws the error of the JSON-RPC answer as it stands there. */
export function askerOf(rpcUrl: string): Ask {
  return async (method, params) => {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    if (error !== undefined) throw error;
    return result;
  };
}
