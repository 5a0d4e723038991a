import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CHAIN_KEYS } from "./chainKeys.ts";
import { KEYS_OF_LOGINS, SECRET_KEYS } from "./configurationSchema.ts";
import { environmentNameOf } from "./environment.ts";
import { type KeyValues, levelIn, levelsOf, pathOf } from "./keyValues.ts";
import type { Problem } from "./problem.ts";

/** Where paths begin: those in the configuration file there, those in the environment where the command was called. */
export type Directories = { readonly ofFile: string; readonly ofCommand: string };

/** A secret whose file cannot be read. */
export type UnreadableSecret = {
  readonly chainName: string | undefined;
  readonly key: string;
  readonly problem: Problem;
};

/** Keys that a file may name whose content is the value. */
const KEYS_WITH_FILE: readonly string[] = [...SECRET_KEYS, ...KEYS_OF_LOGINS];

/** Secrets that stand in the configuration file itself. */
export function secretsInFile(fileName: string, values: KeyValues): Problem[] {
  return levelsOf(values).flatMap(({ chainName, values: level }) =>
    keysWithFile(chainName)
      .filter((key) => key in level && isSecret(key, level[key]))
      .map((key) => {
        const path = pathOf(chainName, key);
        return {
          code: "SECRET_IN_FILE",
          message: `${fileName} holds ${path}; secrets do not belong into a configuration file`,
          hint: `Remove it (and replace the secret if the file was shared); set ${environmentNameOf(key, chainName)} or ${path}File.`,
        };
      }),
  );
}

/**
 * Reads `apiKeyFile` and its like into the keys that they stand for; a secret in the environment itself wins.
 * @param values Are changed.
 */
export async function readSecretFiles(
  values: KeyValues,
  fromEnvironment: KeyValues,
  directories: Directories,
): Promise<UnreadableSecret[]> {
  const unreadable: UnreadableSecret[] = [];
  for (const { chainName, values: level } of levelsOf(values)) {
    const inEnvironment = levelIn(fromEnvironment, chainName);
    for (const key of keysWithFile(chainName)) {
      const file = level[`${key}File`];
      if (typeof file !== "string" || key in inEnvironment) continue;
      const directory = `${key}File` in inEnvironment ? directories.ofCommand : directories.ofFile;
      try {
        const text = await readFile(resolve(directory, file), "utf8");
        level[key] = key === "keystorePassword" ? text.replace(/\r?\n$/, "") : text.trim();
      } catch {
        const path = pathOf(chainName, `${key}File`);
        const problem = {
          code: "SECRET_FILE_UNREADABLE",
          message: `the file named by ${path} cannot be read`,
          hint: `Check the path in ${path} (or ${environmentNameOf(`${key}File`, chainName)}) and its permissions.`,
        };
        unreadable.push({ chainName, key, problem });
      }
    }
  }
  return unreadable;
}

/**
 * Makes the paths of keystores absolute, each from where it was written.
 * @param values Are changed.
 */
export function resolveKeystoreFiles(
  values: KeyValues,
  fromEnvironment: KeyValues,
  { ofFile, ofCommand }: Directories,
): void {
  for (const { chainName, values: level } of levelsOf(values)) {
    const file = level["keystoreFile"];
    if (typeof file !== "string") continue;
    const directory = "keystoreFile" in levelIn(fromEnvironment, chainName) ? ofCommand : ofFile;
    level["keystoreFile"] = resolve(directory, file);
  }
}

function keysWithFile(chainName: string | undefined): readonly string[] {
  return chainName === undefined
    ? KEYS_WITH_FILE
    : KEYS_WITH_FILE.filter((key) => (CHAIN_KEYS as readonly string[]).includes(key));
}

function isSecret(key: string, value: unknown): boolean {
  return (SECRET_KEYS as readonly string[]).includes(key) || hasPassword(value);
}

/** Whether a value is a URL with a password, before its host or among its parameters. */
function hasPassword(value: unknown): boolean {
  if (typeof value !== "string" || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return false;
  if (!URL.canParse(value)) return value.includes("@");
  const { password, searchParams } = new URL(value);
  return password !== "" || searchParams.has("password");
}
