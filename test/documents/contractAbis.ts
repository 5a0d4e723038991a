import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi } from "viem";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

/** ABIs of what the build made of sources below a path of contracts/, which is a file or a folder. */
export function abisBelow(source: string): Abi[] {
  const root = join(CHECKOUT, "artifacts", "contracts");
  const paths = readdirSync(join(root, source), { recursive: true, encoding: "utf8" });
  const abis = paths
    .filter((path) => path.endsWith(".json"))
    .map((path) => (JSON.parse(readFileSync(join(root, source, path), "utf8")) as { abi: Abi }).abi);
  if (abis.length === 0) throw new Error(`no artifact is below ${source}`);
  return abis;
}
