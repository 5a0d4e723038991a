import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";

/**
 * The text of a file, or of standard input for `-`.
 * @throws InvalidConfigurationError
 */
export async function readInput(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new InvalidConfigurationError("INPUT_UNREADABLE", `${path} cannot be read${reason}`, "Check the path.");
  }
}
