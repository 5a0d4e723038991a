import { fileURLToPath } from "node:url";
import hardhatToolboxViem from "@nomicfoundation/hardhat-toolbox-viem";
import { defineConfig } from "hardhat/config";

/** The compiler comes from npm like everything else, so that a build needs no download of its own. */
const soljsonPath = fileURLToPath(import.meta.resolve("solc/soljson.js"));
/** For contracts of others that insist on it. */
const olderSoljsonPath = fileURLToPath(import.meta.resolve("solc-0.8.19/soljson.js"));

/**
 * A coverage build overwrites artifacts with instrumented bytecode, so it keeps its own folders.
 * Set by the environment variable (Hardhat reads its global options from there), not by `--coverage`.
 */
const coveragePaths =
  process.env["HARDHAT_COVERAGE"] === "true" ? { artifacts: "coverage/artifacts", cache: "coverage/cache" } : {};

/** Many more runs of property tests. */
const isLong = process.env["HOMEPRICE_TEST_PROFILE"] === "long";

/** One compiler; `runs` weighs gas of execution against size of code. */
function compiler(runs: number) {
  return {
    version: "0.8.37",
    path: soljsonPath,
    settings: {
      viaIR: true,
      // One bytecode for all chains: nothing newer than Prague may be emitted.
      evmVersion: "prague",
      optimizer: { enabled: true, runs },
      // Addresses follow from code: a comment, or what else is compiled at the same time, must not move them.
      metadata: { bytecodeHash: "none" },
    },
  };
}

export default defineConfig({
  plugins: [hardhatToolboxViem],
  paths: { ...coveragePaths, tests: { solidity: "test/solidity", nodejs: "test/hardhat-node-runner-unused" } },
  solidity: {
    splitTestsCompilation: true,
    compilers: [
      compiler(1_000_000),
      {
        version: "0.8.19",
        path: olderSoljsonPath,
        settings: { viaIR: true, evmVersion: "paris", optimizer: { enabled: true, runs: 999_999 } },
      },
    ],
    // Contracts of others that tests let read our prices.
    npmFilesToBuild: ["@morpho-org/morpho-blue/src/Morpho.sol", "@pythnetwork/pyth-sdk-solidity/PythAggregatorV3.sol"],
    // What executes most is optimized for gas to the end; the oracle itself also has to fit 24,576 bytes (EIP-170).
    overrides: { "contracts/HomePriceOracle.sol": compiler(450) },
  },
  test: {
    solidity: {
      // The testing kit deploys the oracle from its artifacts.
      fsPermissions: { readDirectory: ["artifacts/contracts"] },
      fuzz: { runs: isLong ? 10_000 : 256, seed: process.env["HOMEPRICE_FUZZ_SEED"] ?? "0x20261121" },
      invariant: { runs: isLong ? 10_000 : 256, depth: 32, failOnRevert: true },
    },
  },
  networks: {
    default: { type: "edr-simulated", chainType: "l1", hardfork: "osaka" },
    prague: { type: "edr-simulated", chainType: "l1", hardfork: "prague" },
  },
});
