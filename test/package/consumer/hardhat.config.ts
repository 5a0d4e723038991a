import { fileURLToPath } from "node:url";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  solidity: {
    version: "0.8.37",
    // From npm, as nothing can be downloaded here.
    path: fileURLToPath(import.meta.resolve("solc/soljson.js")),
  },
  paths: { tests: { solidity: "test" } },
  test: { solidity: { fsPermissions: { readDirectory: ["node_modules/home-price-oracle/artifacts"] } } },
});
