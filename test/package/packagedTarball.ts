import { cp, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { npm, succeed } from "./runProgram.ts";

/** What `npm pack` says of a package. */
export type PackedPackage = {
  readonly tarball: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly string[];
};

/** Neither of the package nor of what it is built from: large, or written by commands that run at the same time. */
const NOT_COPIED = [
  "node_modules",
  "artifacts/build-info",
  "cache",
  "coverage",
  "dist",
  "deployments",
  ".git",
  ".homeprice",
];

/**
 * Packs this checkout from a copy, so that what is left of an earlier build cannot get into it, and the build does not
 * disturb tests that run at the same time. The contracts are those that the tests have compiled before they began, as
 * `prepack` would.
 * @param folder Empty.
 */
export async function packCheckout(folder: string): Promise<PackedPackage> {
  const copy = join(folder, "checkout");
  await cp(CHECKOUT, copy, {
    recursive: true,
    filter: (source) => !NOT_COPIED.includes(relative(CHECKOUT, source)),
  });
  await symlink(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
  await succeed(npm(["run", "--silent", "build"], copy));

  const { stdout } = await succeed(npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], copy));
  const [packed] = JSON.parse(stdout) as [
    { filename: string; size: number; unpackedSize: number; files: readonly { path: string }[] },
  ];
  const { filename, size, unpackedSize, files } = packed;
  return { tarball: join(folder, filename), size, unpackedSize, files: files.map(({ path }) => path) };
}
