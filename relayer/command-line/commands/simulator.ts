import { Option } from "commander";
import { hexToBytes, isHex } from "viem";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { V2_ANSWERS, type V2Answers } from "../../../simulator/endpoints/endpoint.ts";
import { FEED_FAULTS, parseFault, SERVICE_FAULTS, TIMED_FAULTS } from "../../../simulator/faults.ts";
import { readMarketFile } from "../../../simulator/marketFile.ts";
import { PLAN_NAMES, type PlanName } from "../../../simulator/plan.ts";
import { readPriceFile } from "../../../simulator/priceFile.ts";
import { type PriceService, startPriceService } from "../../../simulator/priceService.ts";
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
  readonly plan: PlanName;
  readonly credits?: string;
  readonly rateLimit?: string;
  readonly withoutEndpoint: readonly string[];
  readonly seed?: string;
  readonly givenMarketsOnly?: boolean;
  readonly v2Answers: V2Answers;
};

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

export const simulatorCommand = defineCommand<SimulatorOptions>(
  "simulator",
  "the whole data service on this machine, with generated or real data, signing prices as the real one does; stays up until stopped",
  [
    "homeprice simulator --port 8580",
    "homeprice simulator --prices sales.csv --prices rental.csv --markets markets.csv --seed 7",
    "homeprice simulator --fault bad-signature:5826765 --fault omitted:2005826765",
    "homeprice simulator --fault latency:250 --fault 'server-error@/v1/price_feed/latest*2'",
    "homeprice simulator --plan free --credits 100 --without-endpoint /v1/price_feed_rentals/latest",
  ],
  (command) =>
    command
      .option("--port <port>", "port to listen on; 0 takes a free one", "8580")
      .option("--prices <file>", "price file (CSV), several times if need be (default: built-in prices)", collect, [])
      .option("--markets <file>", "market file (CSV): the markets that there are, beside those with prices")
      .option("--given-markets-only", "let market search find no generated markets (ZIP codes, counties, metros)")
      .option("--fault <fault>", "a fault to show, several times if need be; see below", collect, [])
      .option("--omit-refused", "leave out a price that fails a signing check, instead of failing the whole request")
      .addOption(new Option("--plan <plan>", "what the account has bought").choices(PLAN_NAMES).default("paid"))
      .option("--credits <number>", "credits of each cycle (default: the plan's)")
      .option("--rate-limit <number>", "most requests in a minute (default: more than anybody makes)")
      .option("--without-endpoint <path>", "an endpoint that the plan lacks, several times if need be", collect, [])
      .option("--seed <number>", "generate other data; make the same signing keys at every start, no secrets then")
      .addOption(
        new Option(
          "--v2-answers <form>",
          "how property search v2 answers: as specified, or as seen of the live service",
        )
          .choices(V2_ANSWERS)
          .default("items"),
      )
      .addHelpText("after", () => `\n${DATA_HELP}\n\n${FAULT_HELP}\n\n${ADMIN_HELP}\n\n${ENVIRONMENT_HELP}`),
  async ({ options, json, log, configuration: load }) => {
    const configuration = await load();
    const tables = await Promise.all(options.prices.map((path) => readPriceFile(path)));
    const { apiKey, adminKey, secretKey } = simulatorSecrets();
    const seed = parseWholeNumber("--seed", options.seed);
    const credits = parseWholeNumber("--credits", options.credits);
    const requestsPerMinute = parseWholeNumber("--rate-limit", options.rateLimit);
    const service = await startPriceService({
      port: parsePort(options.port),
      prices: tables.length > 0 ? mergePriceTables(tables) : BUILT_IN_PRICES,
      ...(options.markets && { markets: await readMarketFile(options.markets) }),
      ...(apiKey && { apiKey }),
      ...(adminKey && { adminKey }),
      ...(secretKey && { secretKey }),
      ...(seed !== undefined && { seed }),
      listsGeneratedMarkets: !options.givenMarketsOnly,
      v2Answers: options.v2Answers,
      layout: configuration.layout,
      rentalOffset: configuration.rentalOffset,
      idPrefix: configuration.idPrefix,
      faults: options.fault.map((text) => parseFault(text, configuration.rentalOffset)),
      onRefusal: options.omitRefused ? "omit" : "fail",
      plan: {
        name: options.plan,
        ...(credits !== undefined && { credits }),
        ...(requestsPerMinute !== undefined && { requestsPerMinute }),
        withoutEndpoints: options.withoutEndpoint,
      },
      log: (entry) => log.info(entry, "request"),
    });
    const { url, publicKey, adminUrl } = service;
    const document = { ok: true, url, apiKey: service.apiKey, publicKey, adminUrl, adminKey: service.adminKey };
    print(json, document, () => howToUse(service));
    const stopped = untilStopped(log);
    await new Promise<void>((resolve) => stopped.addEventListener("abort", () => resolve(), { once: true }));
    await service.close();
    return EXIT_DONE;
  },
);

function howToUse({ url, apiKey, publicKey, adminUrl, adminKey }: PriceService): string {
  return [
    `Price service simulator on ${url}`,
    "",
    `export HOMEPRICE_API_URL=${url}`,
    `export HOMEPRICE_API_KEY=${apiKey}`,
    `export HOMEPRICE_SIGNER_PUBLIC_KEY=${publicKey}`,
    "",
    "To change its faults, credits, plan and clock while it runs (see homeprice simulator --help):",
    "",
    `export HOMEPRICE_SIMULATOR_ADMIN_KEY=${adminKey}`,
    `curl -H "Authorization: $HOMEPRICE_SIMULATOR_ADMIN_KEY" ${adminUrl}/state`,
  ].join("\n");
}

const DATA_HELP = `Every endpoint is served (docs/service.md). Rows of the files are answered as they are written there; all else is generated
around them, the same at every start for the same seed and files: metrics, price histories, properties and their events.`;

const FAULT_HELP = `Faults are written KIND[:ARGUMENT][@PATH][*TIMES]:
  PATH   limits a fault to one endpoint:            unavailable@/v1/search/markets
  TIMES  limits it to the next so many requests:    'truncated*2'
  both:                                             'latency:250@/v1/market_metrics/{svc_id}/all_cash*10'

Faults of one feed (KIND:FEEDID) or of every feed (KIND); FEEDID is the market id for sales, market id + rental offset for rental:
${listFaults(FEED_FAULTS)}

Faults of the service (KIND):
${listFaults(SERVICE_FAULTS)}

Faults by a number of milliseconds (KIND:MILLISECONDS):
${listFaults(TIMED_FAULTS)}`;

const ADMIN_HELP = `While it runs, with curl -H "Authorization: $HOMEPRICE_SIMULATOR_ADMIN_KEY", from this computer only:
  curl … http://127.0.0.1:8580/admin/state
  curl … http://127.0.0.1:8580/admin/requests
  curl … http://127.0.0.1:8580/admin/faults
  curl … -X PUT    http://127.0.0.1:8580/admin/faults -d '{"faults": ["expired:5826765", "unavailable*3"]}'
  curl … -X POST   http://127.0.0.1:8580/admin/faults -d '{"faults": ["clock-skew:-7200000"]}'
  curl … -X DELETE http://127.0.0.1:8580/admin/faults
  curl … -X PUT    http://127.0.0.1:8580/admin/credits -d '{"remaining": 2}'
  curl … -X PUT    http://127.0.0.1:8580/admin/plan -d '{"name": "free", "searchesPerMinute": 5, "sendsRetryAfter": true}'
  curl … -X PUT    http://127.0.0.1:8580/admin/clock -d '{"time": "2026-03-04T12:30:00Z"}'
  curl … -X PUT    http://127.0.0.1:8580/admin/clock -d '{"offsetMs": 86400000}'`;

const ENVIRONMENT_HELP =
  "Environment: HOMEPRICE_SIMULATOR_API_KEY, HOMEPRICE_SIMULATOR_ADMIN_KEY and HOMEPRICE_SIMULATOR_SECRET_KEY (32 bytes hex) fix what is otherwise made at start.";

/** @throws InvalidConfigurationError */
export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidConfigurationError("USAGE", `"${text}" is not a port`, "Ports are 0 (any free one) to 65535.");
}

/** @throws InvalidConfigurationError */
function parseWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidConfigurationError(
    "USAGE",
    `${option} is "${text}", not a whole number`,
    `Give ${option} a number such as 1000, or leave it out.`,
  );
}

type SimulatorSecrets = {
  readonly apiKey: string | undefined;
  readonly adminKey: string | undefined;
  readonly secretKey: Uint8Array | undefined;
};

/** @throws InvalidConfigurationError */
function simulatorSecrets(): SimulatorSecrets {
  const secretKey = process.env["HOMEPRICE_SIMULATOR_SECRET_KEY"];
  if (secretKey && !(isHex(secretKey) && secretKey.length === 66)) {
    throw new InvalidConfigurationError(
      "INVALID_SECRET_KEY",
      "HOMEPRICE_SIMULATOR_SECRET_KEY is not 32 bytes of 0x-hex",
      "Correct it, or leave it out for a key made at start.",
    );
  }
  return {
    apiKey: process.env["HOMEPRICE_SIMULATOR_API_KEY"] || undefined,
    adminKey: process.env["HOMEPRICE_SIMULATOR_ADMIN_KEY"] || undefined,
    secretKey: secretKey ? hexToBytes(secretKey as `0x${string}`) : undefined,
  };
}

function listFaults(faults: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(faults).map(({ length }) => length)) + 2;
  return Object.entries(faults)
    .map(([kind, description]) => `  ${kind.padEnd(width)}${description}`)
    .join("\n");
}
