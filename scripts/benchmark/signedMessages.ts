import { createHash } from "node:crypto";
import { bytesToHex, concat, type Hex, numberToHex } from "viem";
import { checkSignature, decodePublicKey, type Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { createMessageSigner } from "../../simulator/messageSigner.ts";

/** A key that signs, the same each time for the same name. */
export type BenchmarkSigner = {
  readonly publicKey: Ed25519PublicKey;
  readonly sign: (message: Uint8Array) => SignedMessage;
};

/** A message with its signature, as verifiers take them. */
export type SignedMessage = {
  readonly publicKey: Hex;
  readonly message: Hex;
  readonly r: Hex;
  readonly s: Hex;
  /** x of the point R: the hint. */
  readonly xOfR: bigint;
  readonly signature: Uint8Array;
};

export function benchmarkSigner(name: string): BenchmarkSigner {
  const { publicKey: bytes, sign } = createMessageSigner(bytesNamed(name, 32));
  const publicKey = decodePublicKey(bytes);
  // The same messages are signed for both hard forks and both forms, and signing takes longer than verifying in the EVM.
  const known = new Map<Hex, SignedMessage>();
  return {
    publicKey,
    sign: (bytesOfMessage) => {
      const message = bytesToHex(bytesOfMessage);
      const earlier = known.get(message);
      if (earlier !== undefined) return earlier;
      const signature = sign(bytesOfMessage);
      const check = checkSignature(publicKey, bytesOfMessage, signature);
      if (!check.valid) throw new Error(check.reason);
      const [r, s] = [bytesToHex(signature.subarray(0, 32)), bytesToHex(signature.subarray(32))];
      const signed = { publicKey: publicKey.hex, message, r, s, xOfR: check.xOfR, signature };
      known.set(message, signed);
      return signed;
    },
  };
}

/** Signatures of one key over messages of one length. */
export function signMessages(signer: BenchmarkSigner, length: number, count: number): SignedMessage[] {
  return Array.from({ length: count }, (_, index) => signer.sign(bytesNamed(`message ${index}`, length)));
}

/** What verifiers take as a batch: messages, r and s back to back, and x of R where hinted. */
export function batchOf(signed: readonly SignedMessage[], hinted: boolean): Hex {
  return concat(
    signed.flatMap(({ message, r, s, xOfR }) => [message, r, s, ...(hinted ? [numberToHex(xOfR, { size: 32 })] : [])]),
  );
}

/** Bytes that look random and are the same each time. */
export function bytesNamed(name: string, length: number): Uint8Array {
  return Uint8Array.from(createHash("shake256", { outputLength: length }).update(`home-price-oracle/${name}`).digest());
}
