/**
 * Bundles the SDK for a browser and prints what it weighs, as a whole and for typical uses:
 *
 *     node scripts/bundleSdk.ts               sizes
 *     node scripts/bundleSdk.ts --out FILE    writes the whole bundle, an ES module, as well
 *
 * Exits 1 when anything in it wants Node: a built-in module, one that is replaced by nothing for browsers, or a global.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type BuildFailure, build } from "esbuild";

const CHECKOUT = join(import.meta.dirname, "..");

/** Globals that only Node has. Bundled code may ask for their type, but not use them. */
const NODE_GLOBALS = ["Buffer", "process", "global", "require", "__dirname", "__filename", "setImmediate"];
const MARK = "__nodeGlobal_";

/** Name of the module that is bundled, which is no file. */
const SOURCE_FILE = "page.ts";

/** What a page imports: everything, one read, what pulling takes, and what only servers want. */
const USES: readonly { readonly name: string; readonly imports: string }[] = [
  { name: "everything", imports: "*" },
  { name: "getPrice", imports: "{ getPrice, salesFeedId, formatPrice }" },
  { name: "withFreshPrice and a gateway", imports: "{ withFreshPrice, gatewaySource, salesFeedId }" },
  { name: "withFreshPrice and the service", imports: "{ withFreshPrice, serviceSource, salesFeedId }" },
];

/** The bundle wants Node. */
export class NodeDependencyError extends Error {}

/** A module with all that it imports. */
export type BrowserBundle = {
  readonly text: string;
  /** Files that are imported, relative to the checkout: also those of which nothing is left in the text. */
  readonly inputs: readonly string[];
};

/** The text of {@link makeBrowserBundle}. */
export async function bundleForBrowser(source: string, external: readonly string[] = []): Promise<string> {
  return (await makeBrowserBundle(source, external)).text;
}

/**
 * Bundles a module for browsers, without any replacement for parts of Node.
 * @param source Of the module; imports are resolved from the root of the checkout.
 * @param external Packages that are left out.
 * @throws NodeDependencyError naming each thing of Node's that the bundle wants.
 */
export async function makeBrowserBundle(source: string, external: readonly string[] = []): Promise<BrowserBundle> {
  const result = await build({
    stdin: { contents: source, resolveDir: CHECKOUT, loader: "ts", sourcefile: SOURCE_FILE },
    absWorkingDir: CHECKOUT,
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    minify: true,
    treeShaking: true,
    metafile: true,
    write: false,
    logLevel: "silent",
    external: [...external],
    // Replaces globals only, not variables and properties of the same name.
    define: Object.fromEntries(NODE_GLOBALS.map((name) => [name, MARK + name])),
  }).catch((failure: BuildFailure) => {
    const problems = failure.errors.map(({ text, location }) => `${location?.file ?? "?"}: ${text}`);
    throw new NodeDependencyError(problems.join("\n"));
  });
  const disabled = Object.keys(result.metafile.inputs).filter((input) => input.startsWith("(disabled)"));
  if (disabled.length > 0) throw new NodeDependencyError(`replaced by nothing for browsers: ${disabled.join(", ")}`);
  const text = result.outputFiles[0]?.text ?? "";
  const used = NODE_GLOBALS.filter((name) => text.replaceAll(`typeof ${MARK}${name}`, "").includes(MARK + name));
  if (used.length > 0) throw new NodeDependencyError(`globals of Node: ${used.join(", ")}`);
  const inputs = Object.keys(result.metafile.inputs).filter((path) => path !== SOURCE_FILE);
  return { text: text.replaceAll(MARK, ""), inputs };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const rows: string[] = [];
  for (const { name, imports } of USES) {
    // Kept alive by the export, as a page would keep what it uses.
    const source =
      imports === "*"
        ? 'export * from "./sdk/index.ts";'
        : `import ${imports} from "./sdk/index.ts"; export default ${imports};`;
    const whole = await bundleForBrowser(source);
    const alone = await bundleForBrowser(source, ["viem", "viem/*"]);
    rows.push(`${name.padEnd(32)} ${sizesOf(whole)}   without viem ${sizesOf(alone)}`);
    if (imports === "*" && values.out) await writeFile(values.out, whole);
  }
  process.stdout.write(`${rows.join("\n")}\n`);
}

/** Bytes of a bundle, as they are and as they travel. */
export function sizesOf(text: string): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
  return `${kilobytes(Buffer.byteLength(text))} raw ${kilobytes(gzipSync(text, { level: 9 }).length)} gzip`;
}

if (process.argv[1] === import.meta.filename) {
  await main().catch((error: unknown) => {
    if (!(error instanceof NodeDependencyError)) throw error;
    process.stderr.write(`the SDK does not run in a browser:\n${error.message}\n`);
    process.exitCode = 1;
  });
}
