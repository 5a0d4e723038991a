import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { editionAt, editionOfDay } from "../../../simulator/edition.ts";
import { parseFault } from "../../../simulator/faults.ts";
import { readMarketFile } from "../../../simulator/marketFile.ts";
import { readPriceFile } from "../../../simulator/priceFile.ts";
import { latestSourcePrice, mergePriceTables, type PriceTable } from "../../../simulator/priceTable.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { startConfiguredDaemon } from "../../configured/configuredDaemon.ts";
import { writeDeployment } from "../../deployment/addressBook.ts";
import { type LocalNetwork, type PortChoice, startLocalNetwork } from "../../local/localNetwork.ts";
import { moveProcessClock } from "../../local/processClock.ts";
import { readThroughConsumer } from "../../local/readThroughConsumer.ts";
import { dayOfDate } from "../../message/calendarDate.ts";
import { formatPrice, PRICE_DECIMALS, parseDecimal, scaleDecimal } from "../../message/decimalPrice.ts";
import { FEED_KINDS, type Feed } from "../../message/feedId.ts";
import { relayOnce } from "../../relay/relayOnce.ts";
import type { FeedReport, RelayReport } from "../../relay/report.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, formatTable, print } from "../output.ts";
import { unlessStopped, untilStopped } from "../untilStopped.ts";
import { collect, parsePort } from "./simulator.ts";

type LocalOptions = {
  readonly prices: readonly string[];
  readonly markets?: string;
  readonly at?: string;
  readonly once?: boolean;
  readonly fault: readonly string[];
  readonly rpcPort?: string;
  readonly apiPort?: string;
};

/** A feed of the report with the value in the price file and the value that a contract read back. */
type LocalFeed = FeedReport & { readonly source: string | null; readonly onChain: string | null };

const DEFAULT_RPC_PORT = 8545;
const DEFAULT_API_PORT = 8580;

/** Feeds shown to a person; the document has them all. */
const SHOWN_FEEDS = 20;

export const localCommand = defineCommand<LocalOptions>(
  "local",
  "a whole network on this machine: chain, price service, deployed oracle, relayer, fresh prices; stays up until stopped",
  [
    "homeprice local",
    "homeprice local --at 2024-06-05",
    "homeprice local --prices home-values.csv --at 2024-10-31 --once --json",
  ],
  (command) =>
    command
      .option("--prices <file>", "price file (CSV), several times if need be (default: built-in prices)", collect, [])
      .option("--markets <file>", "market file (CSV) for market search")
      .option("--at <date>", "start the clock of everything at 07:30 Eastern of this date (YYYY-MM-DD)")
      .option("--once", "one run, then stop; exits 0 only if every price on-chain is the one in the price file")
      .option("--fault <kind[:feedid]>", "a fault of the price service, see homeprice simulator --help", collect, [])
      .option("--rpc-port <port>", "port of the chain (default: 8545, or any free one when that is taken)")
      .option("--api-port <port>", "port of the price service (default: 8580, or any free one)"),
  async ({ options, json, log, configuration: load }) => {
    const configuration = await load();
    if (options.at !== undefined) moveProcessClock(startOf(options.at));
    const signal = untilStopped(log);

    const tables = await Promise.all(options.prices.map((path) => readPriceFile(path)));
    const prices = tables.length > 0 ? mergePriceTables(tables) : BUILT_IN_PRICES;
    const date = editionAt(BigInt(Date.now())).date;
    const wanted = feedsOn(prices, date);
    if (wanted.length === 0) {
      throw new InvalidConfigurationError(
        "NO_PRICES",
        `the price files have no price on or before ${date}`,
        "Give a later date with --at, or other price files with --prices.",
      );
    }
    log.info({ feeds: wanted.length, date }, "starting a local network");
    const network = await startLocalNetwork({
      configuration,
      prices,
      markets: options.markets ? await readMarketFile(options.markets) : undefined,
      faults: options.fault.map((text) => parseFault(text, configuration.rentalOffset)),
      wanted,
      rpcPort: choosePort(options.rpcPort, DEFAULT_RPC_PORT),
      apiPort: choosePort(options.apiPort, DEFAULT_API_PORT),
      log,
    });
    try {
      const report = await unlessStopped(signal, relayOnce(network.relayContext, { signal }));
      const feeds = await compareWithSource(network, report, prices, date);
      const ok = report.ok && feeds.every(({ source, onChain }) => source === onChain);
      const document = { ...report, ...describeNetwork(network), ok, feeds };
      if (options.once) {
        print(json, document, () => formatFeeds(feeds, ok));
        return ok ? EXIT_DONE : EXIT_FAILED;
      }
      const addressBook = await writeDeployment(network.deployment, configuration.deploymentsDirectory);
      print(json, { ...document, addressBook }, () => `${formatFeeds(feeds, ok)}\n\n${howToGoOn(network)}`);
      const { ended } = await startConfiguredDaemon(
        { ...configuration, store: undefined },
        network.relayContext,
        signal,
      );
      await ended;
      return EXIT_DONE;
    } finally {
      await network.close();
    }
  },
);

/** A port that was asked for is taken or fails; the default gives way to whoever was there first. */
function choosePort(asked: string | undefined, preferred: number): PortChoice {
  return asked === undefined ? { port: preferred, orAnyFree: true } : { port: parsePort(asked), orAnyFree: false };
}

/** 07:30 Eastern of a date. @throws InvalidConfigurationError */
function startOf(date: string): bigint {
  const day = dayOfDate(date);
  if (day !== undefined) return editionOfDay(day).publishTimeMs;
  throw new InvalidConfigurationError("USAGE", `"${date}" is not a date`, "Give --at a date such as 2024-10-31.");
}

/** Every feed that has a price on a date. */
function feedsOn(prices: PriceTable, date: string): Feed[] {
  return FEED_KINDS.flatMap((kind) =>
    [...prices[kind].keys()]
      .filter((marketId) => latestSourcePrice(prices, marketId, kind, date) !== undefined)
      .map((marketId) => ({ marketId, kind })),
  );
}

/** Puts beside each feed what the price file says and what a contract reads, both as plain decimal text. */
async function compareWithSource(
  { connection, consumer }: LocalNetwork,
  report: RelayReport,
  prices: PriceTable,
  date: string,
): Promise<LocalFeed[]> {
  const onChain = await readThroughConsumer(
    connection,
    consumer,
    report.feeds
      .filter(({ status }) => status === "updated" || status === "current")
      .map(({ feedId }) => BigInt(feedId)),
  );
  return report.feeds.map((feed) => {
    const row = latestSourcePrice(prices, BigInt(feed.marketId), feed.kind, date);
    const value = onChain.get(BigInt(feed.feedId));
    return {
      ...feed,
      source: row ? formatPrice(scaleDecimal(parseDecimal(row.price), PRICE_DECIMALS)) : null,
      onChain: value === undefined ? null : formatPrice(value),
    };
  });
}

function describeNetwork({ connection, rpcUrl, service, deployment, consumer, relayerKey }: LocalNetwork) {
  return {
    chainId: connection.chain.id,
    rpcUrl,
    apiUrl: service.url,
    apiKey: service.apiKey,
    oracle: deployment.oracle,
    adapterFactories: deployment.adapterFactories,
    consumer,
    signer: deployment.signer.publicKey,
    relayerKey,
  };
}

function formatFeeds(feeds: readonly LocalFeed[], ok: boolean): string {
  const rows = feeds
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_FEEDS)
    .map(({ marketId, kind, date, source, onChain, status, reason }) => [
      marketId,
      kind,
      date ?? "",
      source ?? "",
      onChain ?? "",
      status === "updated" || status === "current" ? status : `${status}: ${reason ?? ""}`,
    ]);
  const more = feeds.length > SHOWN_FEEDS ? [`… and ${feeds.length - SHOWN_FEEDS} more feeds`] : [];
  return [
    "Prices in USD as a contract reads them (HomeValueReader):",
    formatTable(["market", "kind", "date", "source", "on-chain", "state"], rows),
    ...more,
    ok ? `All ${feeds.length} prices are on-chain and equal to their source.` : "Not every price is on-chain.",
  ].join("\n");
}

/** What went wrong comes first. */
function rank({ status }: FeedReport): number {
  return status === "updated" || status === "current" ? 1 : 0;
}

function howToGoOn({
  rpcUrl,
  service,
  deployment,
  consumer,
  connection,
  relayerKey,
  relayContext,
}: LocalNetwork): string {
  const market = relayContext.wanted[0]?.marketId ?? 0n;
  const markets = relayContext.wanted.slice(0, 5).map(({ marketId, kind }) => `${marketId}:${kind}`);
  return [
    `Chain ${connection.chain.id}      ${rpcUrl}`,
    `Price service    ${service.url}`,
    `Oracle           ${deployment.oracle}`,
    `Example reader   ${consumer}`,
    `Signer           ${deployment.signer.publicKey}`,
    "",
    "To go on in another terminal (the key is a well-known development key without value):",
    `  export HOMEPRICE_RPC_URL=${rpcUrl} HOMEPRICE_API_URL=${service.url} HOMEPRICE_API_KEY=${service.apiKey}`,
    `  export HOMEPRICE_PRIVATE_KEY=${relayerKey} HOMEPRICE_MARKETS=${markets.join(",")}`,
    `  ./homeprice feeds read --market ${market} --kind ${relayContext.wanted[0]?.kind ?? "sales"}`,
    "  ./homeprice status",
    "",
    "Stop with Ctrl-C.",
  ].join("\n");
}
