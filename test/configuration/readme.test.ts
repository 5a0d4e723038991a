import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chainsOf } from "../../relayer/configuration/chainConfiguration.ts";
import { CHAIN_KEYS } from "../../relayer/configuration/chainKeys.ts";
import { chainSettings } from "../../relayer/configuration/chainSettings.ts";
import { CONFIGURATION_KEYS } from "../../relayer/configuration/configurationSchema.ts";
import { unknownVariables } from "../../relayer/configuration/environment.ts";
import { inspectConfiguration } from "../../relayer/configuration/loadConfiguration.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { folderWith } from "./configurationFolder.ts";

let readme: string;
let examples: string[];

beforeAll(async () => {
  readme = await readFile(join(CHECKOUT, "README.md"), "utf8");
  examples = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
});

test("every configuration that the README shows works once its secrets are there", async () => {
  expect(examples).toHaveLength(2);
  for (const example of examples) {
    const workingDirectory = await folderWith({ "homeprice.config.yaml": example });
    const { configuration, problems } = await inspectConfiguration({ environment: {}, workingDirectory });
    expect(problems.map(({ error }) => error).filter(({ code }) => code !== "SECRET_FILE_UNREADABLE")).toEqual([]);
    expect(chainSettings(configuration)).toHaveLength(chainsOf(configuration).length);
  }
});

test("every variable that the README names is one of ours", () => {
  const names = new Set(readme.match(/\bHOMEPRICE_[A-Z0-9_]*[A-Z0-9]\b/g));
  expect(names.size).toBeGreaterThan(5);
  // The tests' own.
  names.delete("HOMEPRICE_CHROMIUM");
  expect(unknownVariables(Object.fromEntries([...names].map((name) => [name, "x"])))).toEqual([]);
});

test("the README's table of a chain's keys names each of them, and no other", () => {
  // A secret itself stands nowhere in a file; a URL that needs one in a file of its own is the exception.
  const left = ["privateKey", "keystorePassword", "remoteSignerUrlFile"];
  const inFiles = CHAIN_KEYS.filter((key) => !left.includes(key));
  expect(keysInTable("keys of a chain").toSorted()).toEqual(inFiles.toSorted());
});

test("the README's table of the keys for all names keys that there are", () => {
  const keys = keysInTable("keys for all");
  expect(keys).toContain("webhookUrl");
  expect(keys.filter((key) => !(CONFIGURATION_KEYS as string[]).includes(key))).toEqual([]);
});

/** Names in the first column of the table with a heading. */
function keysInTable(heading: string): string[] {
  const [, table = ""] = readme.split(`| ${heading} |`);
  const [rows = ""] = table.split("\n\n");
  const cells = rows
    .split("\n")
    .slice(2)
    .map((row) => row.split("|")[1] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-zA-Z]+)`/g)].map(([, name = ""]) => name));
}
