import type { LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { UnusableKeyError } from "./keyErrors.ts";
import type { TransactionSigner } from "./transactionSigner.ts";

/**
 * Signs with a private key that is in this process.
 * @param privateKey 32 bytes in hex, with or without 0x.
 * @throws UnusableKeyError
 */
export function privateKeySigner(privateKey: string): TransactionSigner {
  const account = accountOf(privateKey);
  return { address: account.address, signTransaction: (transaction) => account.signTransaction(transaction) };
}

function accountOf(privateKey: string): LocalAccount {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(privateKey)?.[1];
  try {
    if (digits) return privateKeyToAccount(`0x${digits}`);
  } catch {
    // Zero, or beyond the order of the curve; what the library says of it may show the key.
  }
  throw new UnusableKeyError(
    "PRIVATE_KEY_INVALID",
    "the private key is none",
    "A private key is 32 bytes in hex, 64 digits, with or without 0x before them.",
  );
}
