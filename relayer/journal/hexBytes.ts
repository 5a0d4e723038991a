import type { Hex } from "viem";

/** Bytes as the drivers take them. Raw transactions are long, and this is what Node does without a string a byte. */
export function toBuffer(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}
