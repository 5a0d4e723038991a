import { artifacts } from "hardhat";
import { size } from "viem";
import { describe, expect, it } from "vitest";

/** EIP-170 and EIP-3860. */
const CODE_LIMIT = 24_576;
const INIT_CODE_LIMIT = 49_152;

describe("every contract that is deployed fits", () => {
  it.each(["HomePriceOracle", "Ed25519VerifierFactory", "Ed25519Verifier"] as const)("%s", async (name) => {
    const { bytecode, deployedBytecode } = await artifacts.readArtifact(name);
    const [code, initCode] = [size(deployedBytecode as `0x${string}`), size(bytecode as `0x${string}`)];
    process.stdout.write(`size: ${name} ${code} bytes, ${CODE_LIMIT - code} left (with its constructor ${initCode})\n`);
    expect(code).toBeLessThan(CODE_LIMIT);
    expect(initCode).toBeLessThan(INIT_CODE_LIMIT);
  });
});
