import { expect, test } from "vitest";
import { bundleForBrowser, NodeDependencyError } from "../../scripts/bundleSdk.ts";

test("the SDK bundles for a browser without anything of Node", async () => {
  const bundle = await bundleForBrowser('export * from "./sdk/index.ts";');
  for (const name of ["getPrice", "withFreshPrice", "serviceSource", "resolveOracleData"]) {
    expect(bundle).toContain(`as ${name}`);
  }
});

test.each([
  ["a built-in module", 'import { inspect } from "node:util"; export default inspect;'],
  ["a built-in module without its prefix", 'import { join } from "path"; export default join;'],
  ["the daemon", 'export * from "./relayer/relay/daemon.ts";'],
  ["a global", "export default Buffer.from([1]);"],
  ["another global", "export default process.env.HOME;"],
])("%s is noticed", async (_, source) => {
  await expect(bundleForBrowser(source)).rejects.toThrow(NodeDependencyError);
});

test("asking whether there is a global is no use of it, and names of one's own are none either", async () => {
  const source =
    'const { process } = { process: 1 }; export default [typeof Buffer === "undefined", process, { Buffer: 2 }];';
  expect(await bundleForBrowser(source)).toContain("typeof Buffer");
});
