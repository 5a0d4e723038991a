import type { ByteOrder } from "../messageLayout.ts";

/** Widths of the numbers of a message that are looked for, in bytes. */
export const NUMBER_WIDTHS = [4, 8, 16, 32] as const;

/** Widths of a signed exponent. */
export const EXPONENT_WIDTHS = [1, 2, 4] as const;

export const BYTE_ORDERS: readonly ByteOrder[] = ["little", "big"];

/** Whether an unsigned number goes into so many bytes. */
export function fitsInto(width: number, value: bigint): boolean {
  return value >= 0n && value < 1n << BigInt(8 * width);
}

/** An unsigned number in so many bytes; `undefined` when it does not fit. */
export function integerToBytes(value: bigint, width: number, byteOrder: ByteOrder): Uint8Array | undefined {
  if (!fitsInto(width, value)) return undefined;
  const bytes = new Uint8Array(width);
  let rest = value;
  for (let index = 0; index < width; index += 1) {
    bytes[byteOrder === "little" ? index : width - 1 - index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** The unsigned number in `width` bytes from `offset` on. */
export function bytesToInteger(bytes: Uint8Array, offset: number, width: number, byteOrder: ByteOrder): bigint {
  let value = 0n;
  for (let index = 0; index < width; index += 1) {
    const place = byteOrder === "big" ? offset + index : offset + width - 1 - index;
    value = (value << 8n) | BigInt(bytes[place] ?? 0);
  }
  return value;
}
