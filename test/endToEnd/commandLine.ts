import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Root of the checkout. */
export const CHECKOUT = join(import.meta.dirname, "..", "..");

const ENTRY = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");

// biome-ignore lint/suspicious/noExplicitAny: a document's shape is what the tests assert.
export type JsonDocument = any;

export type Finished = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What standard output parses to; throws when that is not exactly one JSON document. */
  readonly document: () => JsonDocument;
};

/** Only what the caller gives: no configuration of the machine that runs the tests leaks in. */
function environmentOf(environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HOMEPRICE_"));
  return { ...Object.fromEntries(inherited), ...environment };
}

/** Runs a command of ours to its end, in a process of its own. */
export async function runCommand(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [ENTRY, ...commandArguments], {
    // Not the checkout: a command must work from wherever it is called.
    cwd: tmpdir(),
    env: environmentOf(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collectOutput(child);
  const [exitCode] = (await once(child, "close")) as [number | null];
  const { stdout, stderr } = output;
  return { exitCode, stdout: stdout(), stderr: stderr(), document: () => JSON.parse(stdout()) };
}

export type Running = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Starts a program that stays up. */
export function startProgram(
  command: string,
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(command, commandArguments, {
    cwd: CHECKOUT,
    env: environmentOf(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collectOutput(child);
  const ended = once(child, "close") as Promise<[number | null]>;
  return {
    child,
    ...output,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      const [exitCode] = await ended;
      return exitCode;
    },
  };
}

/** Starts a command of ours that stays up. */
export function startCommand(
  commandArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  return startProgram(process.execPath, [ENTRY, ...commandArguments], environment);
}

/** Waits until a text is there, as `read` gives it; fails when the program ends before. */
export async function waitFor<T>(running: Running, read: () => T | undefined): Promise<T> {
  for (;;) {
    const value = read();
    if (value !== undefined) return value;
    if (running.child.exitCode !== null) throw new Error(`ended early: ${running.stdout()}${running.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The document that a command prints when it is ready. */
export function readyDocument(running: Running): Promise<JsonDocument> {
  return waitFor(running, () => {
    try {
      return JSON.parse(running.stdout());
    } catch {
      return undefined;
    }
  });
}

function collectOutput(child: ChildProcess): { stdout: () => string; stderr: () => string } {
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
