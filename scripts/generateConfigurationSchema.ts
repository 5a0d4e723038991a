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

type Properties = NonNullable<z.core.JSONSchema.ObjectSchema["properties"]>;

const path = join(import.meta.dirname, "..", "homeprice.config.schema.json");
const schema = z.toJSONSchema(configurationSchema, { io: "input", unrepresentable: "any" });
const properties = schema.properties ?? {};
prepare(properties, (key) => (key === "chains" ? "HOMEPRICE_CHAINS_<NAME>_<KEY>" : environmentNameOf(key)));
const { chains } = properties;
if (typeof chains !== "object" || typeof chains.additionalProperties !== "object") {
  throw new Error("the schema has no chains");
}
prepare(chains.additionalProperties.properties ?? {}, (key) => environmentNameOf(key, "<name>"));
properties["$schema"] = { type: "string", description: "where editors find this schema" };
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

/** Takes out what a file must not hold, and says of the rest how the environment spells it. */
function prepare(keys: Properties, spell: (key: string) => string): void {
  for (const key of SECRET_KEYS) delete keys[key];
  for (const [key, property] of Object.entries(keys)) {
    if (typeof property === "object") {
      property.description = `${property.description ?? key} (environment: ${spell(key)})`;
    }
  }
}
