/**
 * Bytes as text. The specification does not say which encoding the service uses; the length of the text tells hex,
 * 0x-hex, base64 and base64url apart, because for the lengths that occur (32, 64, 74 bytes) no two of them coincide.
 */

const HEX = /^[0-9a-fA-F]*$/;
const HEX_PREFIX = /^0[xX]/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/;

/** The bytes that a text encodes, when it has a length that `byteLength` bytes have in one of the encodings; else `undefined`. */
export function decodeBytes(text: string, byteLength: number): Uint8Array | undefined {
  const padded = 4 * Math.ceil(byteLength / 3);
  const unpadded = Math.ceil((4 * byteLength) / 3);
  let bytes: Uint8Array | undefined;
  if (text.length === 2 * byteLength) bytes = decodeHex(text);
  else if (text.length === 2 * byteLength + 2 && HEX_PREFIX.test(text)) bytes = decodeHex(text.slice(2));
  else if (text.length === padded || text.length === unpadded) bytes = decodeBase64(text);
  return bytes?.length === byteLength ? bytes : undefined;
}

/**
 * The same where the length may be wrong, so that a message of 73 bytes can be refused as what it is: with 0x or only
 * of hex digits it is hex, otherwise base64.
 */
export function decodeBytesOfAnyLength(text: string, expectedLength: number): Uint8Array | undefined {
  const expected = decodeBytes(text, expectedLength);
  if (expected) return expected;
  // Base64 may begin with "0x" too, by chance: what is no hex behind it is tried as base64.
  const prefixed = HEX_PREFIX.test(text) ? decodeHex(text.slice(2)) : undefined;
  if (prefixed) return prefixed;
  return HEX.test(text) ? decodeHex(text) : decodeBase64(text);
}

function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !HEX.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Either alphabet, with or without padding; the unused bits of the last character must be zero (RFC 4648, section 3.5). */
function decodeBase64(text: string): Uint8Array | undefined {
  if (!BASE64.test(text) && !BASE64URL.test(text)) return undefined;
  const unpadded = text.replace(/=+$/, "");
  if (unpadded.length !== text.length && text.length % 4 !== 0) return undefined;
  const standard = unpadded.replaceAll("-", "+").replaceAll("_", "/");
  // One character left over is no byte, and atob would throw. Bits that it drops are seen by writing the bytes back.
  if (standard.length % 4 === 1) return undefined;
  const binary = atob(standard);
  if (btoa(binary).replace(/=+$/, "") !== standard) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
