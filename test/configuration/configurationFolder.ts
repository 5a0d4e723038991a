import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Configuration } from "../../relayer/configuration/configurationSchema.ts";
import { loadConfiguration } from "../../relayer/configuration/loadConfiguration.ts";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";

/** A folder with files in it, removed when the test ends. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-configuration-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** What a file homeprice.config.yaml and an environment make together. */
export async function load(
  yaml: string,
  environment: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Configuration> {
  const workingDirectory = await folderWith({ "homeprice.config.yaml": yaml, ...files });
  return loadConfiguration({ environment, workingDirectory });
}

/** What is said about a configuration that cannot work. */
export async function problemOf(loading: Promise<Configuration>): Promise<HomePriceError> {
  try {
    await loading;
  } catch (error) {
    if (!(error instanceof HomePriceError)) throw error;
    return error;
  }
  throw new Error("the configuration was accepted");
}
