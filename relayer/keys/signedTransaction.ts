import {
  type Address,
  type Hex,
  isAddressEqual,
  parseTransaction,
  recoverTransactionAddress,
  type Signature,
  serializeTransaction,
  type TransactionSerializedEIP1559,
} from "viem";
import { RemoteSignerError } from "./keyErrors.ts";
import type { UnsignedTransaction } from "./transactionSigner.ts";

/** Half of the order of secp256k1: nodes do not take a signature with a larger s (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Checks what a signer elsewhere gave for a transaction, and puts it together anew from the transaction that was meant and
 * the signature alone: nothing else of the answer goes any further.
 * @throws RemoteSignerError that names what is not as it was asked for.
 */
export async function checkSignedTransaction(
  answer: Hex | undefined,
  asked: UnsignedTransaction,
  sender: Address,
  host: string,
): Promise<Hex> {
  const wrong = (what: string, hint: string) =>
    new RemoteSignerError("REMOTE_SIGNER_ANSWER_WRONG", `the remote signer ${host} ${what}; nothing was sent`, hint);
  const parsed = parse(answer);
  if (!parsed) {
    throw wrong(
      "answers with something that is no signed EIP-1559 transaction",
      "Check that remoteSignerUrl (HOMEPRICE_REMOTE_SIGNER_URL) is that of a signer for Ethereum accounts.",
    );
  }
  const difference = differenceBetween(parsed.transaction, asked);
  if (difference) {
    throw wrong(
      `has signed another transaction than it was asked to: ${difference}`,
      difference.startsWith("chainId")
        ? "Set the signer up for this chain (Web3Signer: --chain-id)."
        : "Do not use this signer until it is clear why it does that.",
    );
  }
  const signed = serializeTransaction(asked, parsed.signature) as TransactionSerializedEIP1559;
  const signedBy = await recoverTransactionAddress({ serializedTransaction: signed }).catch(() => undefined);
  if (!signedBy || !isAddressEqual(signedBy, sender) || BigInt(parsed.signature.s) > MAX_S) {
    throw wrong(
      `has not signed with the key of ${sender}`,
      "Give the signer this key, or give the relayer the address of the key that it has.",
    );
  }
  return signed;
}

type ParsedTransaction = ReturnType<typeof parseTransaction<TransactionSerializedEIP1559>>;

function parse(answer: Hex | undefined): { transaction: ParsedTransaction; signature: Signature } | undefined {
  if (!answer?.startsWith("0x02")) return undefined;
  try {
    const transaction = parseTransaction(answer as TransactionSerializedEIP1559);
    const { r, s, yParity } = transaction as ParsedTransaction & Partial<Signature>;
    return r && s && (yParity === 0 || yParity === 1) ? { transaction, signature: { r, s, yParity } } : undefined;
  } catch {
    return undefined;
  }
}

/** The first field that is not as it was asked for. */
function differenceBetween(signed: ParsedTransaction, asked: UnsignedTransaction): string | undefined {
  const fields: [name: string, signed: unknown, asked: unknown][] = [
    ["chainId", signed.chainId, asked.chainId],
    ["nonce", signed.nonce ?? 0, asked.nonce],
    ["to", signed.to?.toLowerCase(), asked.to.toLowerCase()],
    ["value", signed.value ?? 0n, asked.value],
    ["gas", signed.gas ?? 0n, asked.gas],
    ["maxFeePerGas", signed.maxFeePerGas ?? 0n, asked.maxFeePerGas],
    ["maxPriorityFeePerGas", signed.maxPriorityFeePerGas ?? 0n, asked.maxPriorityFeePerGas],
    ["accessList", signed.accessList?.length ?? 0, 0],
  ];
  const differing = fields.find(([, is, should]) => is !== should);
  if (differing) return `${differing[0]} is ${differing[1]}, not ${differing[2]}`;
  // Too long to be shown.
  return (signed.data ?? "0x") === asked.data.toLowerCase() ? undefined : "data differs";
}
