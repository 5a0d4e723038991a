import type { Command } from "commander";

/** Every command by its name, in the order of the help, and how its module is loaded. */
export const COMMAND_MODULES = {
  local: async () => (await import("./commands/local.ts")).localCommand,
  relay: async () => (await import("./commands/relay.ts")).relayCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  status: async () => (await import("./commands/status.ts")).statusCommand,
  history: async () => (await import("./commands/history.ts")).historyCommand,
  replay: async () => (await import("./commands/replay.ts")).replayCommand,
  feeds: async () => (await import("./commands/feeds.ts")).feedsCommand,
  markets: async () => (await import("./commands/markets.ts")).marketsCommand,
  data: async () => (await import("./commands/data.ts")).dataCommand,
  message: async () => (await import("./commands/message.ts")).messageCommand,
  deploy: async () => (await import("./commands/deploy.ts")).deployCommand,
  simulator: async () => (await import("./commands/simulator.ts")).simulatorCommand,
  check: async () => (await import("./commands/check.ts")).checkCommand,
  test: async () => (await import("./commands/test.ts")).testCommand,
} as const satisfies Record<string, () => Promise<Command>>;

export type CommandName = keyof typeof COMMAND_MODULES;
