import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/buildContracts.ts"],
    // Each file starts chains and servers of its own; two at a time suit a small machine.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/plainReporter.ts"],
  },
});
