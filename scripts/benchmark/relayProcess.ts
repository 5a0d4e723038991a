import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";

export type EndedProcess = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

/** A process that stays up; ended by {@link RunningProcess.stop}. */
export type RunningProcess = { readonly document: Record<string, unknown>; readonly stop: () => Promise<void> };

const LAUNCHER = packageFile("homeprice");
const ENTRY = packageFile("relayer", "command-line", "homeprice.ts");

/** Runs a command of ours to its end as a person would, with nothing of this machine's configuration. */
export async function runHomeprice(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<EndedProcess> {
  const child = start(LAUNCHER, commandArguments, environment);
  const output = collect(child);
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout: output.stdout(), stderr: output.stderr() };
}

/** Starts a command of ours that says in one JSON document that it is ready. */
export function startHomeprice(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  return startReady([ENTRY, ...commandArguments], environment);
}

/** Starts a program of Node that says in one JSON document that it is ready. */
export async function startReady(
  nodeArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
  const child = start(process.execPath, nodeArguments, environment);
  const output = collect(child);
  const ended = once(child, "close");
  const document = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const document = parsed(output.stdout());
      if (document) resolve(document);
    });
    child.once("close", () => reject(new Error(`ended before it was ready: ${output.stdout()}${output.stderr()}`)));
  });
  return {
    document,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function start(
  program: string,
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HOMEPRICE_"));
  return spawn(program, programArguments, {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function collect(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return { stdout: () => stdout, stderr: () => stderr };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
