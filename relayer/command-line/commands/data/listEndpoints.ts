import { Option } from "commander";
import type { CreditCost, Endpoint } from "../../../service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS } from "../../../service/endpoints/endpointTable.ts";
import { defineCommand } from "../../commonOptions.ts";
import { createCsvWriter } from "../../csvOutput.ts";
import { EXIT_DONE, formatTable, print } from "../../output.ts";
import { writeToStandardOutput } from "../../standardOutput.ts";
import { DATA_FORMATS, type DataFormat } from "./dataSink.ts";

const COSTS: Readonly<Record<CreditCost, string>> = {
  free: "nothing",
  row: "1 a row",
  property: "1 a property",
  price: "1 a price",
};

/** Every endpoint as the command shows it. */
function describeEndpoints() {
  return ENDPOINT_NAMES.map((name) => {
    const { summary, method, path, otherPaths, cost, cadence, dataStart, idList, page, deprecated }: Endpoint =
      ENDPOINTS[name];
    return {
      name,
      summary,
      method,
      path,
      otherPaths: otherPaths.map((other) => other.path),
      cost: COSTS[cost],
      cadence: cadence ?? null,
      dataStart: dataStart ?? null,
      idsPerRequest: idList?.most ?? null,
      rowsPerPage: page?.most ?? null,
      deprecated: deprecated ?? null,
    };
  });
}

export const listCommand = defineCommand<{ readonly format?: DataFormat }>(
  "list",
  "every endpoint of the service: path, cost in credits, bounds; nothing is sent",
  ["homeprice data list", "homeprice data list --format csv", "homeprice data list --json"],
  (command) =>
    command.addOption(new Option("--format <format>", "form of the list (default: table)").choices(DATA_FORMATS)),
  async ({ options, json }) => {
    const endpoints = describeEndpoints();
    if (options.format === "csv" && !json) {
      const csv = createCsvWriter(writeToStandardOutput, { keepLateColumns: false });
      await csv.write(endpoints.map((endpoint) => ({ ...endpoint, otherPaths: endpoint.otherPaths.join(" ") })));
      return EXIT_DONE;
    }
    print(json || options.format === "json", { ok: true, endpoints }, () =>
      formatTable(
        ["endpoint", "path", "credits", "cadence", "since", "ids", "rows a page", ""],
        endpoints.map((endpoint) => [
          endpoint.name,
          `${endpoint.method} ${endpoint.path}`,
          endpoint.cost,
          endpoint.cadence ?? "",
          endpoint.dataStart ?? "",
          endpoint.idsPerRequest?.toLocaleString("en-US") ?? "",
          endpoint.rowsPerPage?.toLocaleString("en-US") ?? "",
          endpoint.deprecated === null ? "" : "deprecated",
        ]),
      ),
    );
    return EXIT_DONE;
  },
);
