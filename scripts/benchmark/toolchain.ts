import { readFile } from "node:fs/promises";
import hre from "hardhat";
import { z } from "zod";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";

/** What gas depends on besides the code that is measured. */
export type Toolchain = {
  /** Versions. */
  readonly hardhat: string;
  readonly solc: string;
  /** Standard JSON settings of all contracts but the exceptions. */
  readonly settings: CompilerSettings;
  /** Sources with settings of their own. */
  readonly exceptions: readonly { readonly source: string; readonly settings: CompilerSettings }[];
};

const settingsSchema = z.looseObject({
  viaIR: z.boolean(),
  evmVersion: z.string(),
  optimizer: z.looseObject({ enabled: z.literal(true), runs: z.number() }),
});
export type CompilerSettings = z.output<typeof settingsSchema>;

const manifestSchema = z.object({ devDependencies: z.object({ hardhat: z.string() }) });

/** Reads the toolchain from the project's configuration. */
export async function readToolchain(): Promise<Toolchain> {
  const { devDependencies } = manifestSchema.parse(JSON.parse(await readFile(packageFile("package.json"), "utf8")));
  const { compilers = [], overrides = {} } = hre.config.solidity.profiles["default"] ?? {};
  const [compiler] = compilers;
  if (compiler?.version === undefined) throw new Error("the configuration has no compiler");
  return {
    hardhat: devDependencies.hardhat,
    solc: compiler.version,
    settings: settingsSchema.parse(compiler.settings),
    exceptions: Object.entries(overrides).map(([source, { settings }]) => ({
      source,
      settings: settingsSchema.parse(settings),
    })),
  };
}
