import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Address, type Hex, keccak256 } from "viem";
import { z } from "zod";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { projectDirectory } from "./projectDirectory.ts";

const hex = z.templateLiteral(["0x", z.string()]);

/** One chain's deployment, as `deployments/<chainId>.json` holds it. */
const deploymentSchema = z.object({
  chainId: z.int(),
  oracle: hex,
  /** keccak256 of the oracle's code: the file is believed only while the chain has it at this address. */
  codeHash: hex,
  /** Block of the deployment, digits. */
  block: z.string(),
  verifierFactory: hex,
  signer: z.object({ number: z.int(), publicKey: hex, verifier: hex }),
  constructorArguments: z.record(z.string(), z.unknown()),
  /** By the interface that the adapters speak; there when they were deployed along. */
  adapterFactories: z.record(z.string(), hex).optional(),
});

export type Deployment = z.output<typeof deploymentSchema>;

/** Where a chain's deployment is written down. */
export function deploymentPath(chainId: number, directory = join(projectDirectory(), "deployments")): string {
  return join(directory, `${chainId}.json`);
}

/**
 * The deployment on record for the chain, if the chain bears it out: a local chain that was started anew has other code
 * at the same address, or none.
 * @throws HomePriceError when the file is there but is not a deployment.
 */
export async function readDeployment(
  { chain, publicClient }: ChainConnection,
  directory?: string,
): Promise<Deployment | undefined> {
  const path = deploymentPath(chain.id, directory);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined;
  }
  let deployment: Deployment;
  try {
    deployment = deploymentSchema.parse(JSON.parse(text));
  } catch {
    throw new HomePriceError("DEPLOYMENT_INVALID", `${path} does not hold a deployment`, {
      kind: "configuration",
      hint: "Deploy again (homeprice deploy), or restore the file.",
    });
  }
  const code = await codeHashAt({ publicClient }, deployment.oracle as Address);
  return code === deployment.codeHash ? deployment : undefined;
}

/** Writes the deployment down, as a whole or not at all. */
export async function writeDeployment(deployment: Deployment, directory?: string): Promise<string> {
  const path = deploymentPath(deployment.chainId, directory);
  await mkdir(join(path, ".."), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(deployment, null, 2)}\n`);
  await rename(temporary, path);
  return path;
}

/** keccak256 of the code at an address; `undefined` when there is none. */
export async function codeHashAt(
  { publicClient }: Pick<ChainConnection, "publicClient">,
  address: Address,
): Promise<Hex | undefined> {
  const code = await publicClient.getCode({ address });
  return code && code !== "0x" ? keccak256(code) : undefined;
}
