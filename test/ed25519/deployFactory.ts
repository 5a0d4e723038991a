import type { network } from "hardhat";

type Viem = Awaited<ReturnType<typeof network.create>>["viem"];

/** The fields of the factory's argument, and the contracts that they stand for. */
const PARTS = {
  sha512Of138Bytes: "Sha512Of138Bytes",
  sha512OfTwo138Bytes: "Sha512OfTwo138Bytes",
  template: "Ed25519VerifierTemplate",
  batchVerifier: "Ed25519BatchVerifier",
  lowerTableOfBase: "LowerTableOfBase",
  upperTableOfBase: "UpperTableOfBase",
} as const;

export type Parts = Record<keyof typeof PARTS, `0x${string}`>;

/** Deploys the parts of verifiers and the factory that puts them together. */
export async function deployFactory(viem: Viem) {
  const parts = await deployParts(viem);
  return { factory: await viem.deployContract("Ed25519VerifierFactory", [parts]), parts };
}

async function deployParts(viem: Viem): Promise<Parts> {
  const addressOf = async (name: (typeof PARTS)[keyof typeof PARTS]) => (await viem.deployContract(name)).address;
  return {
    sha512Of138Bytes: await addressOf(PARTS.sha512Of138Bytes),
    sha512OfTwo138Bytes: await addressOf(PARTS.sha512OfTwo138Bytes),
    template: await addressOf(PARTS.template),
    batchVerifier: await addressOf(PARTS.batchVerifier),
    lowerTableOfBase: await addressOf(PARTS.lowerTableOfBase),
    upperTableOfBase: await addressOf(PARTS.upperTableOfBase),
  };
}
