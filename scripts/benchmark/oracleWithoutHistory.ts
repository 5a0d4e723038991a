import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import solcWrapper from "solc/wrapper.js";
import type { Hex } from "viem";
import { z } from "zod";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";

/**
 * The oracle as it would be if it kept no history: from the sources and by the settings of the build, but for the one
 * statement that writes a served price into its date's place.
 */

const SOURCE = "project/contracts/guard/GuardRails.sol";
/** Of GuardRails, where a price that is served takes the place of the latest. */
export const STATEMENT = "_record(feedId, next, takenAtMs);";
const ORACLE = { source: "project/contracts/HomePriceOracle.sol", name: "HomePriceOracle" };

const artifactSchema = z.object({ buildInfoId: z.string() });
const buildSchema = z.object({
  solcLongVersion: z.string(),
  input: z.object({
    language: z.string(),
    settings: z.looseObject({}),
    sources: z.record(z.string(), z.object({ content: z.string() })),
  }),
});
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
    )
    .default({}),
});

/**
 * Compiles it, which takes some seconds.
 * @returns Initialisation code, to which the constructor's arguments belong.
 * @throws Error if the statement is not in its source exactly once, or the compiler is another.
 */
export async function compileOracleWithoutHistory(): Promise<Hex> {
  const { buildInfoId } = artifactSchema.parse(await readArtifact("HomePriceOracle.sol", ORACLE.name));
  const build = await readFile(packageFile("artifacts", "build-info", `${buildInfoId}.json`), "utf8");
  const { input, solcLongVersion } = buildSchema.parse(JSON.parse(build));
  const { content = "" } = input.sources[SOURCE] ?? {};
  const parts = content.split(STATEMENT);
  if (parts.length !== 2) throw new Error(`${SOURCE} has "${STATEMENT}" ${parts.length - 1} times, not once`);

  const compiler = solcWrapper(createRequire(import.meta.url)("solc/soljson.js"));
  if (!compiler.version().startsWith(solcLongVersion)) {
    throw new Error(`the oracle was compiled by ${solcLongVersion}, here is ${compiler.version()}`);
  }
  const outputSelection = { [ORACLE.source]: { [ORACLE.name]: ["evm.bytecode.object"] } };
  const changed = {
    ...input,
    sources: { ...input.sources, [SOURCE]: { content: parts.join("") } },
    settings: { ...input.settings, outputSelection },
  };
  const output = outputSchema.parse(JSON.parse(compiler.compile(JSON.stringify(changed))));
  const errors = output.errors.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const contract = output.contracts[ORACLE.source]?.[ORACLE.name];
  if (contract === undefined) throw new Error(`the compiler gave no ${ORACLE.name}`);
  return `0x${contract.evm.bytecode.object}`;
}
