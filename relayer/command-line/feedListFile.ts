import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { MarketChoice } from "../configuration/configurationSchema.ts";
import { InvalidConfigurationError, inspectConfiguration } from "../configuration/loadConfiguration.ts";
import { editFeedList } from "../markets/editFeedList.ts";
import type { FeedListDifference } from "../markets/feedList.ts";
import { replaceFile } from "./replacedFile.ts";

/** Where a feed list is written when there is no configuration file yet. */
const NEW_FILE = "homeprice.config.yaml";

/** The configuration file as the place of the feed list. */
export type FeedListFile = {
  /** As given or found. */
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
  /** The list that the file itself holds, whatever the environment says. */
  readonly entries: readonly MarketChoice[];
};

/** Finds the configuration file: the one given, else the one in the working directory, else the one to be made. */
export async function findFeedListFile(given: string | undefined, workingDirectory: string): Promise<FeedListFile> {
  const { configuration, file } = await inspectConfiguration({ file: given, environment: {}, workingDirectory });
  const name = file ?? NEW_FILE;
  return {
    name,
    path: resolve(workingDirectory, name),
    exists: file !== undefined,
    entries: configuration.markets ?? [],
  };
}

/**
 * Changes the list in its file, as a whole or not at all.
 * @throws InvalidConfigurationError when the file cannot be changed without changing something else of it.
 */
export async function writeFeedList(
  { name, path, exists }: FeedListFile,
  difference: FeedListDifference,
  nameOf: (marketId: bigint) => string | undefined,
): Promise<void> {
  const text = exists ? await readFile(path, "utf8") : "";
  const edited = editFeedList(text, name.endsWith(".json") ? "json" : "yaml", difference, nameOf);
  if (edited === undefined) {
    throw new InvalidConfigurationError(
      "CONFIGURATION_NOT_EDITABLE",
      `the list of markets in ${name} cannot be changed without changing something else of the file`,
      "Write the entries of the difference into it by hand.",
    );
  }
  await replaceFile(path, edited);
}
