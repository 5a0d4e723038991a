import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, dirname } from "node:path";

/** A program that has ended. */
export type Ended = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program in a folder to its end. It finds the Node of the tests first, and none of npm's own settings. */
export async function run(program: string, programArguments: readonly string[], folder: string): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(
    // What `npm test`, vitest and node:test hand down would be taken for the program's own.
    ([name]) => !/^(npm_|HARDHAT_|HOMEPRICE_|NODE_|VITEST|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/.test(name),
  );
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const child = spawn(program, programArguments, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), PATH: path, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout, stderr };
}

export function npm(npmArguments: readonly string[], folder: string): Promise<Ended> {
  return run("npm", ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier", ...npmArguments], folder);
}

/** What a program said; fails with all of it if it did not succeed. */
export async function succeed(ending: Promise<Ended>): Promise<Ended> {
  const ended = await ending;
  if (ended.exitCode !== 0) throw new Error(`exit code ${ended.exitCode}\n${ended.stdout}${ended.stderr}`);
  return ended;
}
