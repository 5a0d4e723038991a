import hre from "hardhat";

/** Compiles the contracts once before any test file runs; test files then read artifacts only. */
export default async function buildContracts(): Promise<void> {
  await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
}
