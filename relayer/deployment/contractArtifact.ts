import { readFile } from "node:fs/promises";
import type { Abi, Hex } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { packageFile } from "./projectDirectory.ts";

/** A compiled contract. */
export type ContractArtifact = { readonly abi: Abi; readonly bytecode: Hex };

/**
 * Reads what the compiler made of a contract.
 * @param source Path of the source below contracts/, such as `HomePriceOracle.sol`.
 */
export async function readArtifact(source: string, name: string): Promise<ContractArtifact> {
  try {
    const text = await readFile(packageFile("artifacts", "contracts", source, `${name}.json`), "utf8");
    return JSON.parse(text) as ContractArtifact;
  } catch {
    throw new HomePriceError("CONTRACTS_NOT_BUILT", `the compiled ${name} is not there`, {
      kind: "configuration",
      hint: "Start through ./homeprice, which compiles what is missing, or run `npm run build:contracts`.",
    });
  }
}
