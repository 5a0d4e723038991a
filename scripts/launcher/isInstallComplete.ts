/**
 * Exit code 0 when node_modules of the checkout given as the only argument holds all that package-lock.json asks for on
 * this platform: the launcher then need not install what was installed with npm by hand. Imports nothing but Node's own
 * modules, since it runs before it is known whether there are others.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

function readPackages(path: string): Readonly<Record<string, LockedPackage>> {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/** npm's rule for `os`, `cpu` and `libc`: a list of names, or of names excluded by an exclamation mark. */
function allows(list: readonly string[] | undefined, name: string): boolean {
  if (list === undefined || list.includes(name)) return true;
  const excluded = list.filter((entry) => entry.startsWith("!"));
  return excluded.length === list.length && !excluded.includes(`!${name}`);
}

function libcName(): string {
  if (process.platform !== "linux") return "none";
  // Not in Node's type declarations yet; spares a look-up of host names.
  const diagnostics = process.report as { excludeNetwork?: boolean; getReport(): object };
  diagnostics.excludeNetwork = true;
  const report = diagnostics.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/** An optional package may be absent where it does not fit, or when it only serves one that does not (no platform named). */
function mayBeAbsent(wanted: LockedPackage, libc: string): boolean {
  if (wanted.optional !== true) return false;
  if (wanted.os === undefined && wanted.cpu === undefined && wanted.libc === undefined) return true;
  return !(allows(wanted.os, process.platform) && allows(wanted.cpu, process.arch) && allows(wanted.libc, libc));
}

function isInstallComplete(root: string): boolean {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules/.package-lock.json"));
  const libc = libcName();
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === "") return true;
    const present = installed[path];
    if (present === undefined) return mayBeAbsent(wanted, libc);
    return (
      present.version === wanted.version &&
      present.integrity === wanted.integrity &&
      existsSync(join(root, path, "package.json"))
    );
  });
}

const root = process.argv[2];
let complete = false;
try {
  complete = root !== undefined && isInstallComplete(root);
} catch {
  // A record that is missing or cut off says as much as one that differs: install.
}
process.exitCode = complete ? 0 : 1;
