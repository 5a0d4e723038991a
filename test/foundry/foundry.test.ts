import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FORGE = fileURLToPath(new URL("../../node_modules/.bin/forge", import.meta.url));
const IS_LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
const SEED = process.env["HOMEPRICE_FUZZ_SEED"] ?? "0x20261121";

const architecture = process.arch === "x64" ? "amd64" : process.arch;
const binary = `${ROOT}node_modules/@foundry-rs/forge-${process.platform}-${architecture}`;

/** What a project that uses Foundry does with the testing kit, with no settings but those that the kit asks for. */
it("runs in Foundry, without optimizer and without viaIR", {
  timeout: IS_LONG ? 3_600_000 : 300_000,
}, async (context) => {
  if (!existsSync(binary)) {
    process.stdout.write(
      `test/foundry: skipped, as there is no forge for ${process.platform} ${process.arch} on npm\n`,
    );
    context.skip();
  }
  const env = {
    ...process.env,
    FOUNDRY_CONFIG: "test/foundry/foundry.toml",
    FOUNDRY_PROFILE: IS_LONG ? "long" : "default",
    NO_COLOR: "1",
    // What the compiler's wrapper runs on.
    PATH: `${fileURLToPath(new URL(".", `file://${process.execPath}`))}:${process.env["PATH"]}`,
  };
  const { stdout } = await run(FORGE, ["test", "--root", ROOT, "--fuzz-seed", SEED], {
    cwd: ROOT,
    env,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`forge test failed: ${error.message}\n${error.stdout ?? ""}\n${error.stderr ?? ""}`);
  });
  const [, passed, failed, skipped] =
    /: (\d+) tests passed, (\d+) failed, (\d+) skipped \(\d+ total tests\)/.exec(stdout) ?? [];
  const runs = [...stdout.matchAll(/\(runs: (\d+),/g)].map((match) => Number(match[1]));
  process.stdout.write(`test/foundry: ${passed} tests passed, ${runs[0]} runs of each fuzz test, seed ${SEED}\n`);
  expect(failed).toBe("0");
  expect(skipped).toBe("0");
  for (const suite of ["HomePriceTestTest", "SignedPriceFactoryTest", "HomeValueReaderTest"]) {
    expect(stdout).toMatch(new RegExp(`Ran [1-9]\\d* tests? for .*:${suite}\n`));
  }
  expect(new Set(runs)).toEqual(new Set([IS_LONG ? 10_000 : 256]));
});
