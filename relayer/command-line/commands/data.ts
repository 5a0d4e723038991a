import { Command } from "commander";
import { addressesCommand } from "./data/addresses.ts";
import { eventsCommand } from "./data/events.ts";
import { listCommand } from "./data/listEndpoints.ts";
import { metricsCommand } from "./data/metrics.ts";
import { pricesCommand } from "./data/prices.ts";
import { propertiesCommand } from "./data/properties.ts";
import { searchPropertiesCommand } from "./data/searchProperties.ts";

export const dataCommand = new Command("data")
  .description("the price service's data: metrics, price histories, events and properties")
  .addCommand(listCommand)
  .addCommand(metricsCommand)
  .addCommand(pricesCommand)
  .addCommand(eventsCommand)
  .addCommand(propertiesCommand)
  .addCommand(searchPropertiesCommand)
  .addCommand(addressesCommand);
