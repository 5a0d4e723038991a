/**
 * Writes the JSON Schema of the configuration, for editors, from the zod schema that checks it:
 *
 *     node scripts/generateConfigurationSchema.ts
 *     node scripts/generateConfigurationSchema.ts --check    exits 1 when the file is out of date
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { configurationSchema, SECRET_KEYS } from "../relayer/configuration/configurationSchema.ts";
import { environmentNameOf } from "../relayer/configuration/environment.ts";

const path = join(import.meta.dirname, "..", "homeprice.config.schema.json");
const schema = z.toJSONSchema(configurationSchema, { io: "input", unrepresentable: "any" });
const properties = schema.properties ?? {};
for (const key of SECRET_KEYS) delete properties[key];
properties["$schema"] = { type: "string", description: "where editors find this schema" };
for (const [key, property] of Object.entries(properties)) {
  if (key === "$schema") continue;
  if (typeof property === "object") {
    property.description = `${property.description ?? key} (environment: ${environmentNameOf(key)})`;
  }
}
const text = `${JSON.stringify({ title: "home-price-oracle configuration", ...schema }, null, 2)}\n`;

const before = await readFile(path, "utf8").catch(() => "");
if (before !== text) {
  if (process.argv.includes("--check")) {
    process.stderr.write("homeprice.config.schema.json is out of date. Run: npm run generate\n");
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
  }
}
