import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Address,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  type TransactionSerializableEIP1559,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { onTestFinished } from "vitest";

/** What a signer that misbehaves signs instead, or says. */
export type Misbehaviour =
  | { readonly sign: Partial<TransactionSerializableEIP1559> }
  | { readonly signWith: Hex }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number }
  | { readonly text: string }
  | "hang"
  | "break";

export type SigningServer = {
  /** With a user, a password and a path, as such a server may have them. */
  readonly url: string;
  readonly address: Address;
  readonly calls: { readonly method: string; readonly params: readonly unknown[]; readonly authorization: string }[];
  misbehaviour: Misbehaviour | undefined;
};

/** What the address of the server holds and no output may show. */
export const SERVER_PASSWORD = "p4ss-0f-the-signer";

const METHOD_NOT_FOUND = { code: -32_601, message: "Method not found" };
const NO_SUCH_ACCOUNT = { code: -32_000, message: "No unlocked account matches the Sender" };
const INVALID_PARAMS = { code: -32_602, message: "Invalid params" };

type TransactionParameter = Record<"from" | "to" | "data", Hex> &
  Record<"gas" | "nonce" | "value" | "maxFeePerGas" | "maxPriorityFeePerGas", Hex | undefined>;

/**
 * A signer that speaks what Web3Signer documents: `eth_accounts` and `eth_signTransaction` over JSON-RPC, quantities in
 * hex, the signed bytes as the result. As there, the chain is the server's own setting, and not the caller's.
 */
export async function startSigningServer(privateKey: Hex, chainId = 31_337): Promise<SigningServer> {
  const account = privateKeyToAccount(privateKey);
  const state = { address: account.address, calls: [], misbehaviour: undefined } as Omit<SigningServer, "url">;

  async function answerTo(method: string, params: readonly unknown[]): Promise<object> {
    const { misbehaviour } = state;
    if (typeof misbehaviour === "object" && ("result" in misbehaviour || "error" in misbehaviour)) return misbehaviour;
    if (method === "eth_accounts") return { result: [account.address.toLowerCase()] };
    if (method !== "eth_signTransaction") return { error: METHOD_NOT_FOUND };
    const asked = params[0] as TransactionParameter;
    if (params.length !== 1 || asked.nonce === undefined) return { error: INVALID_PARAMS };
    if (!isAddressEqual(asked.from, account.address)) return { error: NO_SUCH_ACCOUNT };
    const transaction: TransactionSerializableEIP1559 = {
      type: "eip1559",
      chainId,
      to: asked.to,
      data: asked.data,
      nonce: hexToNumber(asked.nonce),
      gas: hexToBigInt(asked.gas ?? "0x15f90"),
      value: hexToBigInt(asked.value ?? "0x0"),
      maxFeePerGas: hexToBigInt(asked.maxFeePerGas ?? "0x0"),
      maxPriorityFeePerGas: hexToBigInt(asked.maxPriorityFeePerGas ?? "0x0"),
    };
    const isOther = typeof misbehaviour === "object" && "sign" in misbehaviour;
    const signer = typeof misbehaviour === "object" && "signWith" in misbehaviour ? misbehaviour.signWith : undefined;
    const with_ = signer ? privateKeyToAccount(signer) : account;
    return { result: await with_.signTransaction({ ...transaction, ...(isOther && misbehaviour.sign) }) };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      state.calls.push({ method, params, authorization: request.headers.authorization ?? "" });
      const { misbehaviour } = state;
      if (misbehaviour === "hang") return;
      if (misbehaviour === "break") response.destroy();
      else if (misbehaviour && "status" in misbehaviour) response.writeHead(misbehaviour.status).end("no");
      else if (misbehaviour && "text" in misbehaviour) response.writeHead(200).end(misbehaviour.text);
      else {
        const body = JSON.stringify({ jsonrpc: "2.0", id, ...(await answerTo(method, params)) });
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: `http://relayer:${SERVER_PASSWORD}@127.0.0.1:${port}/${SERVER_PASSWORD}` });
}
