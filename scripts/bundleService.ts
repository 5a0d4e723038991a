/**
 * Bundles the client of the service, `home-price-oracle/service`, for a browser and prints what it weighs:
 *
 *     node scripts/bundleService.ts
 *
 * Exits 1 when anything in it wants Node.
 */
import { makeBrowserBundle, NodeDependencyError, sizesOf } from "./bundleSdk.ts";

/** What a program imports: everything, or what it takes to ask any endpoint. */
export const SERVICE_CLIENT_USES: readonly { readonly name: string; readonly source: string }[] = [
  { name: "everything", source: 'export * from "./relayer/service/index.ts";' },
  {
    name: "createServiceClient and fetchAll",
    source: 'export { createServiceClient, fetchAll } from "./relayer/service/index.ts";',
  },
];

async function main(): Promise<void> {
  for (const { name, source } of SERVICE_CLIENT_USES) {
    const { text } = await makeBrowserBundle(source);
    const { text: alone } = await makeBrowserBundle(source, ["zod", "zod/*"]);
    process.stdout.write(`${name.padEnd(34)} ${sizesOf(text)}   without zod ${sizesOf(alone)}\n`);
  }
}

if (process.argv[1] === import.meta.filename) {
  await main().catch((error: unknown) => {
    if (!(error instanceof NodeDependencyError)) throw error;
    process.stderr.write(`the client does not run in a browser:\n${error.message}\n`);
    process.exitCode = 1;
  });
}
