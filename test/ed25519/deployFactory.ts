import type { network } from "hardhat";

type Viem = Awaited<ReturnType<typeof network.create>>["viem"];

/** Deploys the parts of verifiers and the factory that puts them together. */
export async function deployFactory(viem: Viem) {
  const sha512Of138Bytes = await viem.deployContract("Sha512Of138Bytes");
  const sha512OfTwo138Bytes = await viem.deployContract("Sha512OfTwo138Bytes");
  const template = await viem.deployContract("Ed25519VerifierTemplate");
  const parts = [sha512Of138Bytes.address, sha512OfTwo138Bytes.address, template.address] as const;
  const factory = await viem.deployContract("Ed25519VerifierFactory", [...parts]);
  return { factory, parts };
}
