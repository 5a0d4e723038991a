import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const packageRoot = findPackageRoot();

/**
 * The folder that `deployments/` and the relayer's store belong to unless configured: the checkout when the command runs
 * from one, the working directory when the package is installed under node_modules.
 */
export function projectDirectory(): string {
  return packageRoot.split(sep).includes("node_modules") ? process.cwd() : packageRoot;
}

/** A file that comes with the package, such as a compiled contract. */
export function packageFile(...path: string[]): string {
  return join(packageRoot, ...path);
}

/** This module is relayer/deployment/… in a checkout and dist/relayer/deployment/… when compiled. */
function findPackageRoot(): string {
  const source = fileURLToPath(new URL("../..", import.meta.url));
  const parent = fileURLToPath(new URL("../../..", import.meta.url));
  return source.endsWith(`${sep}dist${sep}`) ? parent : source;
}
