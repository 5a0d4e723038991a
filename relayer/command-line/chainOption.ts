import type { Command } from "commander";

/** Which of several chains a command is for. */
export type ChainOption = { readonly chain?: string };

/** Adds `--chain` to a command. */
export function withChainOption(command: Command, what: string): Command {
  return command.option("--chain <name>", `${what}, as chains in the configuration names it`);
}
