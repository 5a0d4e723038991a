import { concatHex, type Hex, numberToHex } from "viem";
import { toHex } from "./hex.ts";
import { type Verdict, type Verifier, verdictNamed } from "./verifiers.ts";

/** A signed message as batches take it. */
export interface SignedMessage {
  readonly message: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The hint; not used where there are to be none. */
  readonly xOfR: bigint;
}

/** The verdicts on messages of one length, judged together. */
export async function verdictsOf(
  verifier: Verifier,
  messages: readonly SignedMessage[],
  withHints: boolean,
): Promise<Verdict[]> {
  const messageLength = BigInt(messages[0]?.message.length ?? 0);
  const records = messages.map(({ message, signature, xOfR }) =>
    concatHex([toHex(message), toHex(signature), withHints ? numberToHex(xOfR, { size: 32 }) : "0x"]),
  );
  const signedMessages: Hex = `0x${records.map((record) => record.slice(2)).join("")}`;
  const answer = withHints
    ? await verifier.read.verifyBatchWithHints([messageLength, signedMessages])
    : await verifier.read.verifyBatch([messageLength, signedMessages]);
  return [...Buffer.from(answer.slice(2), "hex")].map(verdictNamed);
}
