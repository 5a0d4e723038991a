import { createHash } from "node:crypto";
import { artifacts } from "hardhat";
import { concat, getAddress, getContractAddress, type Hex, keccak256, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSignature, decodePublicKey } from "../../relayer/message/ed25519.ts";
import { toHex } from "./hex.ts";
import { signerNamed } from "./signers.ts";
import { startVerifiers, type Verifiers, verdictOf } from "./verifiers.ts";

let chain: Verifiers;
beforeAll(async () => {
  chain = await startVerifiers();
});
afterAll(() => chain.connection.close());

describe("Ed25519VerifierFactory", () => {
  it("deploys a verifier at the address that it computes, and says so", async () => {
    const { publicKey } = signerNamed("deployed");
    const hex = toHex(publicKey);
    const address = await chain.factory.read.verifierAddress([hex]);
    expect(await chain.publicClient.getCode({ address })).toBeUndefined();

    const hash = await chain.factory.write.deploy([hex]);
    const { logs, gasUsed } = await chain.publicClient.getTransactionReceipt({ hash });
    process.stdout.write(`gas: factory.deploy ${gasUsed}\n`);
    expect(gasUsed).toBeLessThan(3_000_000n);

    const events = parseEventLogs({ abi: chain.factory.abi, logs });
    expect(events.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      { eventName: "VerifierDeployed", args: { publicKey: hex, verifier: getAddress(address) } },
    ]);
    const verifier = await chain.viem.getContractAt("Ed25519Verifier", address);
    expect(await verifier.read.publicKey()).toBe(hex);
  });

  it("computes the address of EIP-1014, with salt 0", async () => {
    const hex = toHex(signerNamed("addressed").publicKey);
    const { bytecode } = await artifacts.readArtifact("Ed25519Verifier");
    const expected = getContractAddress({
      opcode: "CREATE2",
      from: chain.factory.address,
      salt: `0x${"00".repeat(32)}`,
      bytecodeHash: keccak256(concat([bytecode as Hex, hex])),
    });
    expect(await chain.factory.read.verifierAddress([hex])).toBe(expected);
  });

  it("returns the existing verifier when asked again, and emits nothing", async () => {
    const hex = toHex(signerNamed("asked twice").publicKey);
    await chain.factory.write.deploy([hex]);
    const { result } = await chain.factory.simulate.deploy([hex]);
    expect(result).toBe(await chain.factory.read.verifierAddress([hex]));
    const hash = await chain.factory.write.deploy([hex]);
    const receipt = await chain.publicClient.getTransactionReceipt({ hash });
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toEqual([]);
  });

  it("passes on why a key is bad, with the key", async () => {
    const bad = [
      ["NonCanonicalPublicKey", `0xee${"ff".repeat(30)}7f`],
      ["PublicKeyNotOnCurve", `0x02${"00".repeat(31)}`],
      ["PublicKeyNotPrimeOrder", `0x01${"00".repeat(31)}`],
    ] as const;
    for (const [error, key] of bad) {
      const reverted = chain.factory.simulate.deploy([key]);
      await chain.viem.assertions.revertWithCustomErrorWithArgs(reverted, chain.factory, error, [key]);
    }
  });
});

describe("Ed25519Verifier", () => {
  it("answers for its own key only, and within bounds of gas", async () => {
    const signer = signerNamed("own");
    const message = Uint8Array.from(createHash("sha512").update("message").digest()).slice(0, 60);
    const priceMessage = Uint8Array.from([...message, ...message]).slice(0, 74);
    const signature = signer.sign(priceMessage);
    const check = checkSignature(decodePublicKey(signer.publicKey), priceMessage, signature);
    if (!check.valid) throw new Error(check.reason);

    const verifier = await chain.verifierOf(signer.publicKey);
    const other = await chain.verifierOf(signerNamed("other").publicKey);
    if (typeof verifier === "string" || typeof other === "string") throw new Error("a key was refused");
    expect(await verdictOf(verifier, priceMessage, signature)).toBe("Valid");
    expect(await verdictOf(verifier, priceMessage, signature, check.xOfR)).toBe("Valid");
    expect(await verdictOf(other, priceMessage, signature)).toBe("InvalidSignature");
    expect(await verdictOf(other, priceMessage, signature, check.xOfR)).toBe("InvalidSignature");

    const harness = await chain.viem.deployContract("Ed25519Harness");
    const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))];
    const hex = toHex(signer.publicKey);
    const gas = await harness.read.gasOfVerification([hex, toHex(priceMessage), r, s, check.xOfR]);
    const [ofDecoding, plain, hinted] = gas;
    process.stdout.write(`gas: decodePublicKey ${ofDecoding}, verify ${plain}, verifyWithHint ${hinted} (74 bytes)\n`);
    expect(plain).toBeLessThan(200_000n);
    expect(hinted).toBeLessThan(200_000n);
    expect(ofDecoding).toBeLessThan(200_000n);
  });
});
