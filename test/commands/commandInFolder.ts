import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CHECKOUT, type JsonDocument } from "../endToEnd/commandLine.ts";

const ENTRY = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");

export type Finished = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What standard output parses to; throws when that is not exactly one JSON document. */
  readonly document: () => JsonDocument;
};

/** A folder with files in it, removed when the test ends. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-command-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** Runs the real command in a folder, in a process of its own, without the configuration of the machine. */
export async function runIn(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = "",
): Promise<Finished> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HOMEPRICE_"));
  const child = spawn(process.execPath, [ENTRY, ...words], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout, stderr, document: () => JSON.parse(stdout) };
}
