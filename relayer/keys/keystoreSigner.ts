import { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import * as Keystore from "ox/Keystore";
import { type Address, bytesToHex, hexToBytes, isAddressEqual } from "viem";
import { UnusableKeyError } from "./keyErrors.ts";
import { type KeystoreFile, MAX_SCRYPT_MEMORY, readKeystoreFile } from "./keystoreFile.ts";
import { privateKeySigner } from "./privateKeySigner.ts";
import type { TransactionSigner } from "./transactionSigner.ts";

/** Of the derived key, 16 bytes decrypt and 16 prove that the password is right. */
const DERIVED_LENGTH = 32;

/**
 * Signs with a private key from an encrypted file (Web3 Secret Storage, version 3), as wallets and nodes write them.
 * @param json The file's text.
 * @param password As it is: a line break at its end would be part of it.
 * @param address The address that it has to be the key of; not checked otherwise.
 * @throws UnusableKeyError
 */
export async function keystoreSigner({
  json,
  password,
  address,
}: {
  json: string;
  password: string;
  address?: Address | undefined;
}): Promise<TransactionSigner> {
  const file = readKeystoreFile(json);
  const derived = await deriveKey(file, password);
  const signer = privateKeySigner(decrypt(file, derived));
  const { address: named = signer.address } = file;
  for (const expected of [named, address ?? signer.address]) {
    if (isAddressEqual(expected, signer.address)) continue;
    throw new UnusableKeyError(
      "KEYSTORE_ADDRESS_DIFFERS",
      `the keystore file holds the key of ${signer.address}, not of ${expected}`,
      "Give the file of the other address, or correct the address.",
    );
  }
  return signer;
}

/**
 * Not with ox's own function, which blocks the process, or derives by scrypt with other parameters than the file's; nor
 * with Node's, which knows no scrypt of r = 1 with as large an n as the definition's own example has.
 */
async function deriveKey({ crypto }: KeystoreFile, password: string): Promise<Uint8Array> {
  const salt = hexToBytes(`0x${crypto.kdfparams.salt}`);
  if (crypto.kdf === "pbkdf2") {
    return pbkdf2Async(sha256, password, salt, { c: crypto.kdfparams.c, dkLen: DERIVED_LENGTH });
  }
  const { n, r, p } = crypto.kdfparams;
  return scryptAsync(password, salt, { N: n, r, p, dkLen: DERIVED_LENGTH, maxmem: 2 * MAX_SCRYPT_MEMORY });
}

function decrypt(file: KeystoreFile, derived: Uint8Array): string {
  try {
    return Keystore.decrypt(file, bytesToHex(derived));
  } catch {
    throw new UnusableKeyError(
      "KEYSTORE_NOT_OPENED",
      "the keystore file does not open with this password",
      "Check the password (and that its file has no line too many); if it is right, the keystore file is damaged.",
    );
  }
}
