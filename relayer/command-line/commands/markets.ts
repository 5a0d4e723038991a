import { Command } from "commander";
import { discoverCommand } from "./markets/discover.ts";
import { searchCommand } from "./markets/search.ts";

export const marketsCommand = new Command("markets")
  .description("markets of the price service")
  .addCommand(searchCommand)
  .addCommand(discoverCommand);
