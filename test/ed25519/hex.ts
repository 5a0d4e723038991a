/** Bytes of plain hex, as the vector files have it. */
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

/** 0x-hex of bytes, as contracts' arguments are given. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** Bytes, lowest first, as a number. */
export function toNumber(bytes: Uint8Array): bigint {
  return BigInt(toHex(Uint8Array.from(bytes).reverse()));
}
