import { createHash } from "node:crypto";
import { getPublicKeyAsync, Point, signAsync } from "@noble/ed25519";
import { network } from "hardhat";
import { bytesToHex, concat } from "viem";
import { afterAll, expect, it } from "vitest";

const connection = await network.create();
afterAll(() => connection.close());

/** As many random bytes as one likes, the same each time. */
function bytesOf(name: string, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, i) =>
    createHash("sha512").update(`${name} ${i}`).digest(),
  );
  return Uint8Array.from(Buffer.concat(blocks).subarray(0, length));
}

// Lengths around those at which the two hashes of a signature need another block, and that of a price message.
const LENGTHS = [0, 1, 2, 31, 32, 47, 48, 63, 64, 74, 79, 80, 127, 128, 138, 175, 176, 255, 256, 1_023];

it.each(Array.from({ length: 12 }, (_, i) => i))("signs as @noble/ed25519 does, seed %i", async (i) => {
  const seed = i === 0 ? new Uint8Array(32) : i === 1 ? new Uint8Array(32).fill(0xff) : bytesOf(`seed ${i}`, 32);
  const signer = await connection.viem.deployContract("Ed25519TestSigner", [bytesToHex(seed)]);
  expect(await signer.read.SEED()).toBe(bytesToHex(seed));
  expect(await signer.read.PUBLIC_KEY()).toBe(bytesToHex(await getPublicKeyAsync(seed)));
  for (const length of LENGTHS) {
    const message = bytesOf(`message ${i}`, length);
    const signature = await signAsync(message, seed);
    const { r, s, xOfR } = await signer.read.sign([bytesToHex(message)]);
    expect(concat([r, s])).toBe(bytesToHex(signature));
    expect(xOfR).toBe(Point.fromBytes(signature.subarray(0, 32)).toAffine().x);
  }
});
