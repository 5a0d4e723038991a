import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import hre from "hardhat";
import { expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const IS_LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";

/**
 * Hardhat's Solidity tests, as the task `hardhat test solidity` runs them: in a process of their own, because the task
 * ends up in the exit code. The contracts are built already.
 */
it("passes Hardhat's Solidity tests", { timeout: IS_LONG ? 6 * 3_600_000 : 600_000 }, async () => {
  const { fuzz, invariant } = hre.config.test.solidity.profiles["default"] ?? {};
  const steps = `${invariant?.runs} runs of ${invariant?.depth} steps of the invariants`;
  process.stdout.write(`test/solidity: ${fuzz?.runs} runs of each fuzz test, ${steps}, seed ${fuzz?.seed}\n`);
  const suites = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".t.sol"))
    .map((path) => `test/solidity/${path}:${basename(path, ".t.sol")}Test`);
  expect(suites).not.toHaveLength(0);

  const hardhat = fileURLToPath(new URL("../../node_modules/.bin/hardhat", import.meta.url));
  const { HARDHAT_COVERAGE, ...env } = process.env;
  const { stdout } = await run(hardhat, ["test", "solidity", ...(HARDHAT_COVERAGE ? [] : ["--no-compile"])], {
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`hardhat test solidity failed: ${error.message}\n${error.stdout ?? ""}\n${error.stderr ?? ""}`);
  });
  const output = stripVTControlCharacters(stdout);
  process.stdout.write(`test/solidity:${/^ +\d+ passing$/m.exec(output)?.[0].trimEnd()}\n`);
  expect(output).not.toMatch(/failing|skipped/);
  for (const suite of suites) expect(output).toContain(suite);
  const runs = [...output.matchAll(/✔ testFuzz.*\(runs: (\d+)\)/g)].map((match) => Number(match[1]));
  expect(new Set(runs)).toEqual(new Set([fuzz?.runs]));
});
