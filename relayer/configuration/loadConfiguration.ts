import { z } from "zod";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { InvalidIdError, isMarketId } from "../message/feedId.ts";
import { checkLayout } from "../message/messageLayout.ts";
import { CHAIN_KEYS } from "./chainKeys.ts";
import { readConfigurationFile } from "./configurationFile.ts";
import {
  CONFIGURATION_KEYS,
  type Configuration,
  type ConfigurationKey,
  configurationSchema,
} from "./configurationSchema.ts";
import { contradictionsIn } from "./contradictions.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { isKeyValues, type KeyNaming, type KeyValues, mergeValues, namingAfterSource, pathOf } from "./keyValues.ts";
import type { Problem } from "./problem.ts";
import { readSecretFiles, resolveKeystoreFiles, secretsInFile } from "./secrets.ts";

/** A configuration that cannot work: an unknown key, a value of the wrong form, a file that is not there. */
export class InvalidConfigurationError extends HomePriceError {
  constructor(code: string, message: string, hint: string) {
    super(code, message, { kind: "configuration", hint });
  }
}

export type LoadOptions = {
  /** Given by --config; otherwise homeprice.config.yaml (or .yml, .json) in the working directory, if there is one. */
  readonly file?: string | undefined;
  readonly environment: Environment;
  readonly workingDirectory: string;
};

/** A key as it stands in a file: `rpcUrl`, `chains.base.rpcUrl`; or a chain as a whole, `chains.base`. */
export type KeyPath = ConfigurationKey | `chains.${string}`;

/** Something that is wrong with a configuration. */
export type ConfigurationProblem = {
  /** What it is, and what to do about it. */
  readonly error: HomePriceError;
  /** Keys whose values cannot be used because of it. */
  readonly unusableKeys: readonly KeyPath[];
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
  return usableConfiguration(await inspectConfiguration(options));
}

/**
 * A configuration that has no problem.
 * @throws InvalidConfigurationError, InvalidLayoutError, InvalidIdError: the first of its problems.
 */
export function usableConfiguration({ configuration, problems }: InspectedConfiguration): Configuration {
  const [first] = problems;
  if (first) throw first.error;
  return configuration;
}

/** The same without giving up: what is wrong in one place does not hide what is said in the others. */
export async function inspectConfiguration(options: LoadOptions): Promise<InspectedConfiguration> {
  const problems: ConfigurationProblem[] = [];
  const add = (problem: Problem, ...unusableKeys: readonly KeyPath[]) =>
    problems.push({ error: toError(problem), unusableKeys });

  const fromEnvironment = readEnvironment(options.environment);
  const file = await readConfigurationFile(options);
  if (file.problem) {
    // What the file was to say is not known, not even of a key that has a default.
    add(file.problem, ...CONFIGURATION_KEYS.filter((key) => !(key in fromEnvironment)));
  }
  for (const problem of secretsInFile(String(file.name), file.values)) add(problem);

  const values = mergeValues(file.values, fromEnvironment);
  const naming = namingAfterSource(values, fromEnvironment);
  const directories = { ofFile: file.directory, ofCommand: options.workingDirectory };
  for (const { chainName, key, problem } of await readSecretFiles(values, fromEnvironment, directories)) {
    add(problem, pathOf(chainName, key) as KeyPath);
  }
  resolveKeystoreFiles(values, fromEnvironment, directories);

  const { issues = [] } = configurationSchema.safeParse(values).error ?? {};
  const usable = withoutProblems(values, issues);
  if (issues.length > 0) {
    const problem = {
      code: "INVALID_CONFIGURATION",
      message: issues.map((issue) => describeIssue(issue, naming)).join("; "),
      hint: "Correct the values named; the README and homeprice.config.schema.json list every key.",
    };
    add(problem, ...leftOut(values, usable));
  }

  const configuration = configurationSchema.parse(usable);
  for (const { problem, keys } of contradictionsIn(configuration, naming)) {
    add(problem, ...keys.map(({ chainName, key }) => pathOf(chainName, key) as KeyPath));
  }
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

function toError({ code, message, hint }: Problem): HomePriceError {
  return new InvalidConfigurationError(code, message, hint);
}

/** The values without those that the schema refuses; of a list, the entries that it accepts stay, of a chain its keys. */
function withoutProblems(values: KeyValues, issues: readonly z.core.$ZodIssue[]): KeyValues {
  const unknownKeys = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && isWhole(issue) ? issue.keys : [],
  );
  const issuesByKey = Map.groupBy(issues, ({ path: [key] }) => String(key));
  const usable: KeyValues = {};
  for (const [key, value] of Object.entries(values)) {
    if (unknownKeys.includes(key)) continue;
    const ofKey = issuesByKey.get(key) ?? [];
    if (ofKey.length === 0) usable[key] = value;
    else if (key === "chains" && isKeyValues(value)) {
      const chains = usableChains(value, ofKey);
      if (Object.keys(chains).length > 0) usable[key] = chains;
    } else if (Array.isArray(value) && ofKey.every(({ path: [, place] }) => typeof place === "number")) {
      const accepted = value.filter((_, index) => !ofKey.some(({ path: [, place] }) => place === index));
      if (accepted.length > 0) usable[key] = accepted;
    }
  }
  return usable;
}

/** The chains without what the schema refuses of them. */
function usableChains(chains: KeyValues, issues: readonly z.core.$ZodIssue[]): KeyValues {
  const usable: KeyValues = {};
  for (const [name, values] of Object.entries(chains)) {
    const ofChain = issues.filter(({ path: [, chainName] }) => chainName === name);
    if (!isKeyValues(values) || ofChain.some(({ code }) => code === "invalid_key")) continue;
    usable[name] = withoutProblems(
      values,
      ofChain.map((issue) => ({ ...issue, path: issue.path.slice(2) })),
    );
  }
  return usable;
}

/** Keys that are in the values, and not in what can be used of them. */
function leftOut(values: KeyValues, usable: KeyValues): KeyPath[] {
  const keys = CONFIGURATION_KEYS.filter((key) => key in values && !(key in usable));
  if (!isKeyValues(values["chains"]) || !isKeyValues(usable["chains"])) return keys;
  const usableByName = usable["chains"];
  const ofChains = Object.entries(values["chains"]).flatMap(([chainName, given]): KeyPath[] => {
    const used = usableByName[chainName];
    if (!isKeyValues(given) || !isKeyValues(used)) return [`chains.${chainName}`];
    return CHAIN_KEYS.filter((key) => key in given && !(key in used)).map(
      (key) => `chains.${chainName}.${key}` as const,
    );
  });
  return [...keys, ...ofChains];
}

/** One problem in the user's words. Values are left out: a secret may have been put into the wrong key. */
function describeIssue(issue: z.core.$ZodIssue, naming: KeyNaming): string {
  const [first, chainName, ...ofChain] = issue.path;
  const isOfChain = first === "chains" && chainName !== undefined;
  const path = isOfChain ? ofChain : issue.path;
  const [key, ...rest] = path;
  if (key === undefined) {
    const where = isOfChain ? `chains.${String(chainName)}: ` : "";
    if (issue.code === "unrecognized_keys") {
      const known = isOfChain ? CHAIN_KEYS : CONFIGURATION_KEYS;
      return `${where}unknown key ${issue.keys.join(", ")} (known: ${known.join(", ")})`;
    }
    return `${where}${issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message}`;
  }
  const place = rest.length === 0 ? "" : ` at ${z.core.toDotPath(rest)}`;
  return `${naming(isOfChain ? String(chainName) : undefined, String(key))}${place}: ${issue.message}`;
}

/** Whether an issue is with the configuration as a whole, not with a key. */
function isWhole({ path }: z.core.$ZodIssue): boolean {
  return path.length === 0;
}
