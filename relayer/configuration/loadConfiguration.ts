import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse as parseYaml, type Tags, YAMLParseError } from "yaml";
import { z } from "zod";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { InvalidIdError, isMarketId } from "../message/feedId.ts";
import { checkLayout } from "../message/messageLayout.ts";
import { CONFIGURATION_KEYS, type Configuration, configurationSchema, SECRET_KEYS } from "./configurationSchema.ts";
import { environmentNameOf, readEnvironment } from "./environment.ts";

/** A configuration that cannot work: an unknown key, a value of the wrong form, a file that is not there. */
export class InvalidConfigurationError extends HomePriceError {
  constructor(code: string, message: string, hint: string) {
    super(code, message, { kind: "configuration", hint });
  }
}

const DEFAULT_FILES = ["homeprice.config.yaml", "homeprice.config.yml", "homeprice.config.json"];

export type LoadOptions = {
  /** Given by --config; otherwise homeprice.config.yaml (or .yml, .json) in the working directory, if there is one. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
};

/**
 * The configuration of one call: environment over file over defaults, checked as a whole.
 * @throws InvalidConfigurationError, InvalidLayoutError, InvalidIdError: every problem found is in the message.
 */
export async function loadConfiguration(options: LoadOptions): Promise<Configuration> {
  const fromFile = await readConfigurationFile(options);
  const fromEnvironment = readEnvironment(options.environment);
  const values = { ...fromFile.values, ...fromEnvironment };
  await readSecretFiles(values, fromEnvironment, { ofFile: fromFile.directory, ofCommand: options.workingDirectory });

  const result = configurationSchema.safeParse(values);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => describeIssue(issue, fromEnvironment));
    throw new InvalidConfigurationError(
      "INVALID_CONFIGURATION",
      problems.join("; "),
      "Correct the values named; the README and homeprice.config.schema.json list every key.",
    );
  }
  const configuration = result.data;
  checkLayout(configuration.layout, configuration.rentalOffset);
  for (const { marketId } of configuration.markets ?? []) {
    if (!isMarketId(marketId, configuration.rentalOffset)) {
      throw new InvalidIdError("market id", marketId, configuration.rentalOffset);
    }
  }
  return configuration;
}

async function readConfigurationFile({
  file,
  workingDirectory,
}: LoadOptions): Promise<{ values: Record<string, unknown>; directory: string }> {
  const candidates = file === undefined ? DEFAULT_FILES : [file];
  for (const candidate of candidates) {
    const path = resolve(workingDirectory, candidate);
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (file === undefined && isMissingFile(error)) continue;
      throw new InvalidConfigurationError(
        "CONFIGURATION_FILE_UNREADABLE",
        `the configuration file ${candidate} cannot be read`,
        "Check the path given with --config and its permissions.",
      );
    }
    return { values: parseFile(text, candidate), directory: dirname(path) };
  }
  return { values: {}, directory: workingDirectory };
}

function parseFile(text: string, name: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = name.endsWith(".json") ? JSON.parse(text) : parseYaml(text, { customTags: withoutHexNumbers });
  } catch (error) {
    const where = error instanceof YAMLParseError && error.linePos ? ` (line ${error.linePos[0].line})` : "";
    throw new InvalidConfigurationError(
      "CONFIGURATION_FILE_INVALID",
      `${name} is not valid ${name.endsWith(".json") ? "JSON" : "YAML"}${where}`,
      "Correct the file.",
    );
  }
  if (parsed === null || parsed === undefined) return {};
  if (typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new InvalidConfigurationError(
      "CONFIGURATION_FILE_INVALID",
      `${name} holds no keys`,
      "Write `key: value` lines.",
    );
  }
  const values = { ...parsed } as Record<string, unknown>;
  delete values["$schema"]; // for editors
  const secret = SECRET_KEYS.find((key) => key in values);
  if (secret) {
    throw new InvalidConfigurationError(
      "SECRET_IN_FILE",
      `${name} holds ${secret}; secrets do not belong into a configuration file`,
      `Remove it (and replace the secret if the file was shared); set ${environmentNameOf(secret)} or ${secret}File.`,
    );
  }
  return values;
}

/** 0x… in YAML is an address or a key, never a number. */
function withoutHexNumbers(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag !== "object" || !("format" in tag) || tag.format !== "HEX");
}

/** Reads `apiKeyFile` and `privateKeyFile` into the keys they stand for; a secret in the environment itself wins. */
async function readSecretFiles(
  values: Record<string, unknown>,
  fromEnvironment: Record<string, unknown>,
  directories: { readonly ofFile: string; readonly ofCommand: string },
): Promise<void> {
  for (const key of SECRET_KEYS) {
    const file = values[`${key}File`];
    if (typeof file !== "string" || key in fromEnvironment) continue;
    try {
      const directory = `${key}File` in fromEnvironment ? directories.ofCommand : directories.ofFile;
      values[key] = (await readFile(resolve(directory, file), "utf8")).trim();
    } catch {
      throw new InvalidConfigurationError(
        "SECRET_FILE_UNREADABLE",
        `the file named by ${key}File cannot be read`,
        `Check the path in ${key}File (or ${environmentNameOf(`${key}File`)}) and its permissions.`,
      );
    }
  }
}

/** One problem in the user's words. Values are left out: a secret may have been put into the wrong key. */
function describeIssue(issue: z.core.$ZodIssue, fromEnvironment: Record<string, unknown>): string {
  if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
    return `unknown key ${issue.keys.join(", ")} (known: ${CONFIGURATION_KEYS.join(", ")})`;
  }
  const [key, ...rest] = issue.path;
  const isFromFile = (SECRET_KEYS as readonly unknown[]).includes(key) && !(String(key) in fromEnvironment);
  const name = isFromFile ? `${String(key)}File` : String(key);
  const shown = name in fromEnvironment ? environmentNameOf(name) : name;
  const place = rest.length === 0 ? "" : ` at ${z.core.toDotPath(rest)}`;
  return `${shown}${place}: ${issue.message}`;
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
