import { createHash } from "node:crypto";
import { network } from "hardhat";
import { expect, it } from "vitest";
import { toHex } from "./hex.ts";

it("Sha512Hasher answers calldata of any length with its digest, and nothing else", async () => {
  const connection = await network.create();
  const { address } = await connection.viem.deployContract("Sha512Hasher");
  const client = await connection.viem.getPublicClient();
  for (let length = 0; length <= 300; length++) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff);
    const { data } = await client.call({ to: address, data: toHex(message) });
    expect(data, `${length} bytes`).toBe(toHex(createHash("sha512").update(message).digest()));
  }
  await connection.close();
});
