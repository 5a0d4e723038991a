import { Command, Option } from "commander";
import { namingRpcErrors } from "../chain/rpcError.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { describeUnknownVariable, unknownVariables } from "../configuration/environment.ts";
import {
  type InspectedConfiguration,
  InvalidConfigurationError,
  inspectConfiguration,
  usableConfiguration,
} from "../configuration/loadConfiguration.ts";
import { secretValuesOf } from "../configuration/secretValues.ts";
import { HiddenSecrets } from "../logging/hiddenSecrets.ts";
import { createLogger, LOG_LEVELS, type Logger } from "../logging/logger.ts";
import { printError } from "./output.ts";

/** What every command takes. */
export type CommonOptions = { readonly json?: boolean; readonly config?: string };

/** What every command works with. */
export type CommandContext<Options> = {
  readonly options: Options & CommonOptions;
  readonly json: boolean;
  readonly log: Logger;
  /** What the configuration says as far as it can be used, and what is wrong with it. */
  readonly inspected: InspectedConfiguration;
  /** The configuration, which has to be in order; commands that need none do not ask. */
  readonly configuration: () => Promise<Configuration>;
};

/**
 * A command with the options that all share, help with examples, and one way to fail: a thrown error is printed as every
 * error is, and ends the process with the error's exit code.
 * @param run Returns the exit code.
 */
export function defineCommand<Options extends object>(
  name: string,
  description: string,
  examples: readonly string[],
  configure: (command: Command) => Command,
  run: (context: CommandContext<Options>, ...commandArguments: string[]) => Promise<number>,
): Command {
  const command = configure(
    new Command(name)
      .description(description)
      .option("--json", "print one JSON document on standard output, everything else on standard error")
      .addOption(new Option("--config <file>", "configuration file (default: homeprice.config.yaml if there is one)")),
  );
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}\n`);
  command.action(async (...received: unknown[]) => {
    const options = command.opts<Options & CommonOptions>();
    const commandArguments = received.slice(0, command.registeredArguments.length) as string[];
    const json = options.json === true;
    try {
      const level = logLevel();
      const inspected = await inspectConfiguration({
        file: options.config,
        environment: process.env,
        workingDirectory: process.cwd(),
      });
      const secrets = new HiddenSecrets();
      secrets.add(...secretValuesOf(inspected.configuration));
      const log = createLogger({ level, format: inspected.configuration.logFormat, secrets });
      const context: CommandContext<Options> = {
        options,
        json,
        log,
        inspected,
        configuration: async () => {
          for (const variable of unknownVariables(process.env)) log.warn(describeUnknownVariable(variable));
          return usableConfiguration(inspected);
        },
      };
      process.exitCode = await namingRpcErrors(() => run(context, ...commandArguments));
    } catch (error) {
      process.exitCode = printError(json, error);
    }
  });
  return command;
}

/** @throws InvalidConfigurationError */
function logLevel(): string {
  const level = process.env["HOMEPRICE_LOG_LEVEL"] || "info";
  if (LOG_LEVELS.some((known) => known === level)) return level;
  throw new InvalidConfigurationError(
    "INVALID_LOG_LEVEL",
    `HOMEPRICE_LOG_LEVEL is "${level}"`,
    `Use one of ${LOG_LEVELS.join(", ")}.`,
  );
}
