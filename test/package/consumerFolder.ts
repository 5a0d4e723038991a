import { access, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { npm, run, succeed } from "./runProgram.ts";

/** How the dependencies of a consumer's project came there. */
export type Installation = "installed from npm's cache" | "linked from this checkout";

type Manifest = {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

const PROJECT = join(import.meta.dirname, "consumer");

/** What the consumer's project needs besides our package, in the versions of ours. */
const COMPANIONS = ["hardhat", "viem", "solc", "@types/node"];

/**
 * Makes a project of its own that depends on the packed package. What it needs comes from npm's cache without any
 * network; where that lacks something, it is linked from the checkout: then nothing but what the package itself
 * declares, and what the project declares, is there.
 * @param folder Where the project is to be; not yet there.
 */
export async function makeConsumer(folder: string, tarball: string): Promise<Installation> {
  await cp(PROJECT, folder, { recursive: true });
  const { name, dependencies, devDependencies } = await manifestIn(CHECKOUT);
  const companions = COMPANIONS.map((companion) => [companion, dependencies[companion] ?? devDependencies[companion]]);
  const manifest = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { [name]: `file:${tarball}`, ...Object.fromEntries(companions) },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));

  const installed = await npm(["install", "--offline", "--ignore-scripts", "--package-lock=false"], folder);
  if (installed.exitCode === 0) return "installed from npm's cache";

  const extracted = join(folder, "node_modules", name);
  await mkdir(extracted, { recursive: true });
  await succeed(run("tar", ["-xzf", tarball, "--strip-components=1", "-C", extracted], folder));
  const declared = Object.keys((await manifestIn(extracted)).dependencies);
  for (const dependency of new Set([...declared, ...COMPANIONS])) {
    const source = join(CHECKOUT, "node_modules", dependency);
    await access(source);
    const link = join(folder, "node_modules", dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(source, link);
  }
  return "linked from this checkout";
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
}
