import Table from "cli-table3";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** Exit codes of every command. */
export const EXIT_DONE = 0;
/** It ran, and something failed or was refused. */
export const EXIT_FAILED = 1;
/** The call or the configuration cannot work. */
export const EXIT_UNUSABLE = 2;

/** Prints what a command found: one JSON document, in which ids are digits as text, or text for people. */
export function print(json: boolean, document: unknown, text: () => string): void {
  process.stdout.write(json ? jsonText(document) : `${text()}\n`);
}

/** A document as it is printed. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, bigintAsText, 2)}\n`;
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** A table for people, as wide as its content. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

/** The document of any failure. */
export function errorDocument(error: unknown): { ok: false; error: { code: string; message: string; hint: string } } {
  const { code, message, hint } = describeError(error);
  return { ok: false, error: { code, message, hint } };
}

/** Prints a failure where the caller looks for it and says which exit code it has. */
export function printError(json: boolean, error: unknown): number {
  const { message, hint, exitCode } = describeError(error);
  if (json) process.stdout.write(`${JSON.stringify(errorDocument(error), undefined, 2)}\n`);
  else process.stderr.write(`error: ${message}\n${hint}\n`);
  return exitCode;
}

function describeError(error: unknown): { code: string; message: string; hint: string; exitCode: number } {
  if (error instanceof HomePriceError) {
    const { code, message, hint, kind } = error;
    return { code, message, hint, exitCode: kind === "configuration" ? EXIT_UNUSABLE : EXIT_FAILED };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "UNEXPECTED",
    message,
    hint: "This is a fault of the program. Please report it with the command that you ran.",
    exitCode: EXIT_FAILED,
  };
}
