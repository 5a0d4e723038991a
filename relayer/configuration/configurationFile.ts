import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse as parseYaml, type Tags, YAMLParseError } from "yaml";
import type { Problem } from "./problem.ts";

const DEFAULT_FILES = ["homeprice.config.yaml", "homeprice.config.yml", "homeprice.config.json"];

/** What a configuration file says, still unchecked. */
export type ConfigurationFile = {
  /** As given or found; `undefined` when there is none. */
  readonly name: string | undefined;
  /** Where paths in it begin. */
  readonly directory: string;
  readonly values: Record<string, unknown>;
  /** Why it says nothing. */
  readonly problem?: Problem;
};

/** Reads the file that is given, else the one with a usual name, if there is one. */
export async function readConfigurationFile({
  file,
  workingDirectory,
}: {
  readonly file?: string | undefined;
  readonly workingDirectory: string;
}): Promise<ConfigurationFile> {
  for (const name of file === undefined ? DEFAULT_FILES : [file]) {
    const path = resolve(workingDirectory, name);
    const found = { name, directory: dirname(path) };
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (file === undefined && isMissingFile(error)) continue;
      const problem: Problem = {
        code: "CONFIGURATION_FILE_UNREADABLE",
        message: `the configuration file ${name} cannot be read`,
        hint: "Check the path given with --config and its permissions.",
      };
      return { ...found, values: {}, problem };
    }
    return { ...found, ...parseFile(text, name) };
  }
  return { name: undefined, directory: workingDirectory, values: {} };
}

function parseFile(text: string, name: string): { values: Record<string, unknown>; problem?: Problem } {
  const code = "CONFIGURATION_FILE_INVALID";
  let parsed: unknown;
  try {
    parsed = name.endsWith(".json") ? JSON.parse(text) : parseYaml(text, { customTags: withoutHexNumbers });
  } catch (error) {
    const where = error instanceof YAMLParseError && error.linePos ? ` (line ${error.linePos[0].line})` : "";
    const message = `${name} is not valid ${name.endsWith(".json") ? "JSON" : "YAML"}${where}`;
    return { values: {}, problem: { code, message, hint: "Correct the file." } };
  }
  if (parsed === null || parsed === undefined) return { values: {} };
  if (typeof parsed !== "object" || Array.isArray(parsed)) {
    return { values: {}, problem: { code, message: `${name} holds no keys`, hint: "Write `key: value` lines." } };
  }
  const values = { ...parsed } as Record<string, unknown>;
  delete values["$schema"]; // for editors
  return { values };
}

/** 0x… in YAML is an address or a key, never a number. */
export function withoutHexNumbers(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag !== "object" || !("format" in tag) || tag.format !== "HEX");
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
