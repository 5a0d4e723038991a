import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { packageFile } from "../deployment/projectDirectory.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "./output.ts";

/** One program of a check: a Node script of the checkout, or a program of its packages. */
export type Step = { readonly name: string; readonly program: string; readonly programArguments: readonly string[] };

const tool = (name: string, program: string, ...programArguments: string[]): Step => ({
  name,
  program: join("node_modules", ".bin", program),
  programArguments,
});
const script = (name: string, path: string): Step => ({
  name,
  program: process.execPath,
  programArguments: [path, "--check"],
});

/** Every static check. The contracts are compiled first, because types and ABIs come from them. */
export const STATIC_CHECKS: readonly Step[] = [
  tool("contracts compile", "hardhat", "build", "--quiet", "--no-tests"),
  script("ABIs are generated", join("scripts", "generateAbis.ts")),
  script("configuration schema is generated", join("scripts", "generateConfigurationSchema.ts")),
  script("service document is generated", join("scripts", "generateServiceDocument.ts")),
  script("Ed25519 vectors are generated", join("scripts", "generateEd25519Vectors.ts")),
  tool("types", "tsc", "-p", "."),
  tool("TypeScript lint and format", "biome", "ci", "--colors=off"),
  tool("Solidity format", "prettier", "--check", "--log-level", "warn", "contracts/**/*.sol"),
  tool("Solidity lint", "solhint", "--noPoster", "--max-warnings", "0", "contracts/**/*.sol"),
];

export const TESTS: Step = tool("tests", "vitest", "run");

/**
 * Runs steps in the checkout, each to its end, whatever the others say, and prints which held.
 * @returns The exit code.
 * @throws InvalidConfigurationError in an installed package, which comes without what the steps need.
 */
export async function runSteps(steps: readonly Step[], json: boolean): Promise<number> {
  const checkout = packageFile();
  if (!existsSync(join(checkout, "vitest.config.ts"))) {
    throw new InvalidConfigurationError(
      "NOT_A_CHECKOUT",
      "the installed package comes without its tests",
      "Clone the repository and run ./homeprice test there.",
    );
  }
  const results: { name: string; ok: boolean }[] = [];
  for (const step of steps) {
    if (!json) process.stdout.write(`\n> ${step.name}\n`);
    results.push({ name: step.name, ok: await runStep(step, checkout, json) });
  }
  const ok = results.every((result) => result.ok);
  print(json, { ok, steps: results }, () =>
    ok ? "\nEverything holds." : `\nFailed: ${results.flatMap((result) => (result.ok ? [] : result.name)).join(", ")}.`,
  );
  return ok ? EXIT_DONE : EXIT_FAILED;
}

/** With --json a step's output goes to standard error, because standard output holds the document. */
function runStep({ program, programArguments }: Step, checkout: string, json: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArguments, {
      cwd: checkout,
      stdio: ["ignore", json ? 2 : 1, 2],
      // Programs of the packages look for `node` on the PATH: it is to be the one that runs us.
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` },
    });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code === 0));
  });
}
