import { hexToBytes, isHex } from "viem";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { FEED_FAULTS, parseFault, SERVICE_FAULTS } from "../../../simulator/faults.ts";
import { readMarketFile } from "../../../simulator/marketFile.ts";
import { readPriceFile } from "../../../simulator/priceFile.ts";
import { startPriceService } from "../../../simulator/priceService.ts";
import { mergePriceTables } from "../../../simulator/priceTable.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, print } from "../output.ts";
import { untilStopped } from "../untilStopped.ts";

type SimulatorOptions = {
  readonly port: string;
  readonly prices: readonly string[];
  readonly markets?: string;
  readonly fault: readonly string[];
  readonly omitRefused?: boolean;
};

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

export const simulatorCommand = defineCommand<SimulatorOptions>(
  "simulator",
  "a price service on this machine that signs prices as the real one does; stays up until stopped",
  [
    "homeprice simulator --port 8580",
    "homeprice simulator --prices sales.csv --prices rental.csv",
    "homeprice simulator --fault bad-signature:5826765 --fault omitted:2005826765",
  ],
  (command) =>
    command
      .option("--port <port>", "port to listen on; 0 takes a free one", "8580")
      .option("--prices <file>", "price file (CSV), several times if need be (default: built-in prices)", collect, [])
      .option("--markets <file>", "market file (CSV) for market search")
      .option("--fault <kind[:feedid]>", "a fault to show, several times if need be; see below", collect, [])
      .option("--omit-refused", "leave out a price that fails a signing check, instead of failing the whole request")
      .addHelpText(
        "after",
        () =>
          `\nFaults of one feed (KIND:FEEDID):\n${listFaults(FEED_FAULTS)}\n\nFaults of the service (KIND):\n${listFaults(SERVICE_FAULTS)}\n\nEnvironment: HOMEPRICE_SIMULATOR_API_KEY and HOMEPRICE_SIMULATOR_SECRET_KEY (32 bytes hex) fix what is otherwise made at start.`,
      ),
  async ({ options, json, log, configuration: load }) => {
    const configuration = await load();
    const tables = await Promise.all(options.prices.map((path) => readPriceFile(path)));
    const { SIMULATOR_API_KEY: apiKey, SIMULATOR_SECRET_KEY: secretKey } = simulatorSecrets();
    const service = await startPriceService({
      port: parsePort(options.port),
      prices: tables.length > 0 ? mergePriceTables(tables) : BUILT_IN_PRICES,
      ...(options.markets && { markets: await readMarketFile(options.markets) }),
      ...(apiKey && { apiKey }),
      ...(secretKey && { secretKey }),
      layout: configuration.layout,
      rentalOffset: configuration.rentalOffset,
      idPrefix: configuration.idPrefix,
      faults: options.fault.map((text) => parseFault(text, configuration.rentalOffset)),
      onRefusal: options.omitRefused ? "omit" : "fail",
      log: (entry) => log.info(entry, "request"),
    });
    const { url, publicKey } = service;
    print(json, { ok: true, url, apiKey: service.apiKey, publicKey }, () =>
      [
        `Price service simulator on ${url}`,
        "",
        `export HOMEPRICE_API_URL=${url}`,
        `export HOMEPRICE_API_KEY=${service.apiKey}`,
        `export HOMEPRICE_SIGNER_PUBLIC_KEY=${publicKey}`,
      ].join("\n"),
    );
    const stopped = untilStopped(log);
    await new Promise<void>((resolve) => stopped.addEventListener("abort", () => resolve(), { once: true }));
    await service.close();
    return EXIT_DONE;
  },
);

/** @throws InvalidConfigurationError */
export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidConfigurationError("USAGE", `"${text}" is not a port`, "Ports are 0 (any free one) to 65535.");
}

function simulatorSecrets(): { SIMULATOR_API_KEY: string | undefined; SIMULATOR_SECRET_KEY: Uint8Array | undefined } {
  const secretKey = process.env["HOMEPRICE_SIMULATOR_SECRET_KEY"];
  if (secretKey && !(isHex(secretKey) && secretKey.length === 66)) {
    throw new InvalidConfigurationError(
      "INVALID_SECRET_KEY",
      "HOMEPRICE_SIMULATOR_SECRET_KEY is not 32 bytes of 0x-hex",
      "Correct it, or leave it out for a key made at start.",
    );
  }
  return {
    SIMULATOR_API_KEY: process.env["HOMEPRICE_SIMULATOR_API_KEY"] || undefined,
    SIMULATOR_SECRET_KEY: secretKey ? hexToBytes(secretKey as `0x${string}`) : undefined,
  };
}

function listFaults(faults: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(faults).map(({ length }) => length)) + 2;
  return Object.entries(faults)
    .map(([kind, description]) => `  ${kind.padEnd(width)}${description}`)
    .join("\n");
}
