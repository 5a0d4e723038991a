/**
 * Writes `docs/service.md`, the reference of the service's interface, from the endpoint table, its schemas and rules, and
 * the prose in `scripts/service-document/frame.md`:
 *
 *     node scripts/generateServiceDocument.ts
 *     node scripts/generateServiceDocument.ts --check    exits 1 when the file is out of date
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serviceDocument } from "./service-document/serviceDocument.ts";

const path = join(import.meta.dirname, "..", "docs", "service.md");
const frame = join(import.meta.dirname, "service-document", "frame.md");
const text = serviceDocument(await readFile(frame, "utf8"));

const before = await readFile(path, "utf8").catch(() => "");
if (before !== text) {
  if (process.argv.includes("--check")) {
    process.stderr.write("docs/service.md is out of date. Run: npm run generate\n");
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
  }
}
