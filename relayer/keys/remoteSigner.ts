import { type Address, type Client, createClient, type Hex, isAddressEqual, numberToHex, RpcRequestError } from "viem";
import { boundedHttp } from "../chain/boundedHttp.ts";
import { describeRpcError, hostOf } from "../chain/rpcError.ts";
import { RemoteSignerError } from "./keyErrors.ts";
import { checkSignedTransaction } from "./signedTransaction.ts";
import type { TransactionSigner, UnsignedTransaction } from "./transactionSigner.ts";

/** A signer in another process, which can be asked whether it has the key. */
export type RemoteSigner = TransactionSigner & {
  /**
   * Asks for the accounts that it signs for.
   * @throws RemoteSignerError
   */
  readonly checkAccount: () => Promise<void>;
};

/** Repetitions of a call that was not answered: signing twice is signing the same. */
const RETRY_COUNT = 1;

/**
 * Signs through a server that speaks Ethereum's `eth_signTransaction`, as Web3Signer does in front of vaults, cloud key
 * services and hardware modules. What comes back is checked field by field before it counts: neither a server that is set
 * up for another chain nor one that has been taken over can have the relayer send anything else than it asked for.
 * @param url May hold a user and a password; only its host is ever printed.
 */
export function remoteSigner({
  url,
  address,
  timeoutMs,
}: {
  url: string;
  address: Address;
  timeoutMs: number;
}): RemoteSigner {
  const host = hostOf(url);
  const client = createClient({ transport: boundedHttp(url, { timeoutMs, retryCount: RETRY_COUNT }) });
  return {
    address,
    signTransaction: async (transaction) => {
      const answer = await ask(client, host, "eth_signTransaction", [toParameter(transaction, address)]);
      return checkSignedTransaction(rawTransactionOf(answer), transaction, address, host);
    },
    checkAccount: async () => {
      const answer = await ask(client, host, "eth_accounts", []);
      const accounts = Array.isArray(answer) ? answer.filter(isAddressText) : [];
      if (accounts.some((account) => isAddressEqual(account, address))) return;
      throw new RemoteSignerError(
        "REMOTE_SIGNER_ACCOUNT_MISSING",
        `the remote signer ${host} does not have the key of ${address}`,
        "Give the signer this key, or give the relayer an address that the signer has (eth_accounts).",
      );
    },
  };
}

/** The fields that Web3Signer documents, and the chain for signers that do not have it in a configuration of their own. */
function toParameter(transaction: UnsignedTransaction, from: Address) {
  const { chainId, to, data, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    from,
    to,
    data,
    value: numberToHex(value),
    nonce: numberToHex(nonce),
    gas: numberToHex(gas),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
    chainId: numberToHex(chainId),
  };
}

async function ask(client: Client, host: string, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await client.request({ method, params } as never);
  } catch (error) {
    const answered = answeredError(error);
    if (answered) {
      throw new RemoteSignerError(
        "REMOTE_SIGNER_REFUSED",
        `the remote signer ${host} refuses ${method}: ${describeRpcError(answered.message)} (${answered.code})`,
        "See the signer's log: it has to hold the key of this address and to be set up for this chain.",
      );
    }
    throw new RemoteSignerError(
      "REMOTE_SIGNER_UNREACHABLE",
      `the remote signer ${host} does not answer ${method}: ${describeRpcError(error)}`,
      "Check that it runs, that remoteSignerUrl (HOMEPRICE_REMOTE_SIGNER_URL) is right, and the network between.",
    );
  }
}

/** What the signer itself said, where it said something. */
function answeredError(error: unknown): { code: number; message: string } | undefined {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof RpcRequestError) return { code: inner.code, message: inner.details };
  }
  return undefined;
}

/** Web3Signer answers with the bytes alone, nodes with an object that has them in `raw`. */
function rawTransactionOf(answer: unknown): Hex | undefined {
  const raw = typeof answer === "object" && answer !== null && "raw" in answer ? answer.raw : answer;
  return typeof raw === "string" && /^0x([0-9a-fA-F]{2})+$/.test(raw) ? (raw.toLowerCase() as Hex) : undefined;
}

function isAddressText(value: unknown): value is Address {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}
