import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse as parseYaml, type Tags, YAMLParseError } from "yaml";
import { z } from "zod";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { InvalidIdError, isMarketId } from "../message/feedId.ts";
import { checkLayout } from "../message/messageLayout.ts";
import {
  CONFIGURATION_KEYS,
  type Configuration,
  type ConfigurationKey,
  configurationSchema,
  SECRET_KEYS,
} from "./configurationSchema.ts";
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

/** Something that is wrong with a configuration. */
export type ConfigurationProblem = {
  /** What it is, and what to do about it. */
  readonly error: HomePriceError;
  /** Keys whose values cannot be used because of it. */
  readonly unusableKeys: readonly ConfigurationKey[];
};

/** What a configuration says as far as it can be used, and everything that is wrong with it. */
export type InspectedConfiguration = {
  /** Keys that cannot be used have their defaults here, or are not set. */
  readonly configuration: Configuration;
  readonly problems: readonly ConfigurationProblem[];
  /** Name of the file; `undefined` when there is none. */
  readonly file: string | undefined;
};

/**
 * The configuration of one call: environment over file over defaults, checked as a whole.
 * @throws InvalidConfigurationError, InvalidLayoutError, InvalidIdError: the first problem of {@link inspectConfiguration}.
 */
export async function loadConfiguration(options: LoadOptions): Promise<Configuration> {
  const { configuration, problems } = await inspectConfiguration(options);
  const [first] = problems;
  if (first) throw first.error;
  return configuration;
}

/** The same without giving up: what is wrong in one place does not hide what is said in the others. */
export async function inspectConfiguration(options: LoadOptions): Promise<InspectedConfiguration> {
  const problems: ConfigurationProblem[] = [];
  const fromEnvironment = readEnvironment(options.environment);
  const file = await readConfigurationFile(options);
  if (file.problem) {
    // What the file was to say is not known, not even of a key that has a default.
    const unusableKeys = CONFIGURATION_KEYS.filter((key) => !(key in fromEnvironment));
    problems.push({ error: file.problem, unusableKeys });
  }
  for (const key of SECRET_KEYS.filter((each) => each in file.values)) {
    problems.push({ error: secretInFile(String(file.name), key), unusableKeys: [] });
  }

  const values = { ...file.values, ...fromEnvironment };
  const directories = { ofFile: file.directory, ofCommand: options.workingDirectory };
  for (const key of SECRET_KEYS) {
    const error = await readSecretFile(key, values, fromEnvironment, directories);
    if (error) problems.push({ error, unusableKeys: [key] });
  }

  const { issues = [] } = configurationSchema.safeParse(values).error ?? {};
  const usable = withoutProblems(values, issues);
  if (issues.length > 0) {
    const error = new InvalidConfigurationError(
      "INVALID_CONFIGURATION",
      issues.map((issue) => describeIssue(issue, fromEnvironment)).join("; "),
      "Correct the values named; the README and homeprice.config.schema.json list every key.",
    );
    problems.push({ error, unusableKeys: CONFIGURATION_KEYS.filter((key) => key in values && !(key in usable)) });
  }

  const configuration = configurationSchema.parse(usable);
  const { layout, rentalOffset, markets } = configuration;
  try {
    checkLayout(layout, rentalOffset);
  } catch (error) {
    if (!(error instanceof HomePriceError)) throw error;
    problems.push({ error, unusableKeys: ["layout"] });
  }
  const inRange = markets?.filter(({ marketId }) => isMarketId(marketId, rentalOffset));
  for (const { marketId } of markets ?? []) {
    if (isMarketId(marketId, rentalOffset)) continue;
    const error = new InvalidIdError("market id", marketId, rentalOffset);
    problems.push({ error, unusableKeys: inRange?.length === 0 ? ["markets"] : [] });
  }
  return { configuration: { ...configuration, markets: inRange }, problems, file: file.name };
}

/** The values without those that the schema refuses; of a list, the entries that it accepts stay. */
function withoutProblems(
  values: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): Record<string, unknown> {
  const unknownKeys = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && isWhole(issue) ? issue.keys : [],
  );
  const issuesByKey = Map.groupBy(issues, ({ path: [key] }) => String(key));
  const usable: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (unknownKeys.includes(key)) continue;
    const places = issuesByKey.get(key)?.map(({ path: [, place] }) => place) ?? [];
    if (places.length === 0) usable[key] = value;
    else if (Array.isArray(value) && places.every((place) => typeof place === "number")) {
      const accepted = value.filter((_, index) => !places.includes(index));
      if (accepted.length > 0) usable[key] = accepted;
    }
  }
  return usable;
}

type ConfigurationFile = {
  readonly name: string | undefined;
  readonly directory: string;
  readonly values: Record<string, unknown>;
  readonly problem?: HomePriceError;
};

async function readConfigurationFile({ file, workingDirectory }: LoadOptions): Promise<ConfigurationFile> {
  for (const name of file === undefined ? DEFAULT_FILES : [file]) {
    const path = resolve(workingDirectory, name);
    const found = { name, directory: dirname(path) };
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (file === undefined && isMissingFile(error)) continue;
      const problem = new InvalidConfigurationError(
        "CONFIGURATION_FILE_UNREADABLE",
        `the configuration file ${name} cannot be read`,
        "Check the path given with --config and its permissions.",
      );
      return { ...found, values: {}, problem };
    }
    const parsed = parseFile(text, name);
    return parsed instanceof HomePriceError ? { ...found, values: {}, problem: parsed } : { ...found, values: parsed };
  }
  return { name: undefined, directory: workingDirectory, values: {} };
}

function parseFile(text: string, name: string): Record<string, unknown> | InvalidConfigurationError {
  let parsed: unknown;
  try {
    parsed = name.endsWith(".json") ? JSON.parse(text) : parseYaml(text, { customTags: withoutHexNumbers });
  } catch (error) {
    const where = error instanceof YAMLParseError && error.linePos ? ` (line ${error.linePos[0].line})` : "";
    return new InvalidConfigurationError(
      "CONFIGURATION_FILE_INVALID",
      `${name} is not valid ${name.endsWith(".json") ? "JSON" : "YAML"}${where}`,
      "Correct the file.",
    );
  }
  if (parsed === null || parsed === undefined) return {};
  if (typeof parsed !== "object" || Array.isArray(parsed)) {
    return new InvalidConfigurationError(
      "CONFIGURATION_FILE_INVALID",
      `${name} holds no keys`,
      "Write `key: value` lines.",
    );
  }
  const values = { ...parsed } as Record<string, unknown>;
  delete values["$schema"]; // for editors
  return values;
}

function secretInFile(name: string, key: (typeof SECRET_KEYS)[number]): HomePriceError {
  return new InvalidConfigurationError(
    "SECRET_IN_FILE",
    `${name} holds ${key}; secrets do not belong into a configuration file`,
    `Remove it (and replace the secret if the file was shared); set ${environmentNameOf(key)} or ${key}File.`,
  );
}

/** 0x… in YAML is an address or a key, never a number. */
export function withoutHexNumbers(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag !== "object" || !("format" in tag) || tag.format !== "HEX");
}

/** Reads `apiKeyFile` or `privateKeyFile` into the key that it stands for; a secret in the environment itself wins. */
async function readSecretFile(
  key: (typeof SECRET_KEYS)[number],
  values: Record<string, unknown>,
  fromEnvironment: Record<string, unknown>,
  directories: { readonly ofFile: string; readonly ofCommand: string },
): Promise<HomePriceError | undefined> {
  const file = values[`${key}File`];
  if (typeof file !== "string" || key in fromEnvironment) return undefined;
  const directory = `${key}File` in fromEnvironment ? directories.ofCommand : directories.ofFile;
  try {
    values[key] = (await readFile(resolve(directory, file), "utf8")).trim();
    return undefined;
  } catch {
    return new InvalidConfigurationError(
      "SECRET_FILE_UNREADABLE",
      `the file named by ${key}File cannot be read`,
      `Check the path in ${key}File (or ${environmentNameOf(`${key}File`)}) and its permissions.`,
    );
  }
}

/** One problem in the user's words. Values are left out: a secret may have been put into the wrong key. */
function describeIssue(issue: z.core.$ZodIssue, fromEnvironment: Record<string, unknown>): string {
  if (issue.code === "unrecognized_keys" && isWhole(issue)) {
    return `unknown key ${issue.keys.join(", ")} (known: ${CONFIGURATION_KEYS.join(", ")})`;
  }
  const [key, ...rest] = issue.path;
  const isFromFile = (SECRET_KEYS as readonly unknown[]).includes(key) && !(String(key) in fromEnvironment);
  const name = isFromFile ? `${String(key)}File` : String(key);
  const shown = name in fromEnvironment ? environmentNameOf(name) : name;
  const place = rest.length === 0 ? "" : ` at ${z.core.toDotPath(rest)}`;
  return `${shown}${place}: ${issue.message}`;
}

/** Whether an issue is with the configuration as a whole, not with a key. */
function isWhole({ path }: z.core.$ZodIssue): boolean {
  return path.length === 0;
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
