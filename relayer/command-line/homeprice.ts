#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { packageVersion } from "../deployment/packageVersion.ts";
import { COMMAND_MODULES, type CommandName } from "./commandModules.ts";
import { EXIT_DONE, EXIT_UNUSABLE, printError } from "./output.ts";

const program = new Command("homeprice")
  .description("Pull oracle for US home prices: signed by a housing data service, verified in the EVM")
  .version(packageVersion());

const json = process.argv.includes("--json");
for (const command of await Promise.all(namesToLoad(process.argv[2]).map((name) => COMMAND_MODULES[name]()))) {
  program.addCommand(command);
}
makeUsageErrorsOurs(program);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  const isHelp = error.exitCode === 0;
  process.exitCode = isHelp ? EXIT_DONE : EXIT_UNUSABLE;
  if (!isHelp) printUsageError(error);
}

// What a command leaves behind (a poller of a receipt, a kept connection) must not keep the process alive.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write("", resolve))),
);
process.exit();

/** The command that is called, alone: what the others need would cost it time and memory. All of them, to be listed. */
function namesToLoad(called: string | undefined): readonly CommandName[] {
  const names = Object.keys(COMMAND_MODULES) as CommandName[];
  const found = names.filter((name) => name === called);
  return found.length > 0 ? found : names;
}

/** Commander prints and exits by itself; ours go through the one way of failing, as a document with --json. */
function makeUsageErrorsOurs(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
  for (const child of command.commands) makeUsageErrorsOurs(child);
}

function printUsageError({ code, message }: CommanderError): void {
  if (code === "commander.help") {
    // A command that only has sub-commands was called without one; its help has been shown already.
    if (!json) return;
  }
  const text = message.replace(/^error: /, "");
  printError(json, new InvalidConfigurationError("USAGE", text, "See homeprice --help, or --help behind the command."));
}
