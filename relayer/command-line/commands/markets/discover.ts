import { Option } from "commander";
import { hexToBytes } from "viem";
import type { Configuration } from "../../../configuration/configurationSchema.ts";
import { configuredBudget, configuredClient } from "../../../configured/configuredClient.ts";
import { HomePriceError } from "../../../errors/HomePriceError.ts";
import type { Logger } from "../../../logging/logger.ts";
import { compareFeedLists, type FeedListDifference, isDifferent } from "../../../markets/feedList.ts";
import {
  findSignedPrices,
  type SignedPriceExpectations,
  type SignedPriceFindings,
  signedFeeds,
  signersOf,
} from "../../../markets/findSignedPrices.ts";
import { MARKET_SORT_NAMES, type MarketSort } from "../../../markets/marketSort.ts";
import {
  MARKET_TYPES,
  type MarketFlag,
  type MarketSelection,
  type MarketType,
  selectMarkets,
} from "../../../markets/selectMarkets.ts";
import { decodePublicKey } from "../../../message/ed25519.ts";
import { FEED_KINDS, type Feed, type FeedKind, isMarketId } from "../../../message/feedId.ts";
import { relaySettings } from "../../../relay/relaySettings.ts";
import { MAX_MARKETS_PER_REQUEST } from "../../../service/endpoints/marketsPerRequest.ts";
import {
  REGIONS,
  type Region,
  STATE_ABBREVIATIONS,
  type StateAbbreviation,
} from "../../../service/schemas/vocabulary.ts";
import type { Market } from "../../../service/searchMarkets.ts";
import type { ServiceClient } from "../../../service/serviceClient.ts";
import { plural } from "../../../wording/plural.ts";
import { defineCommand } from "../../commonOptions.ts";
import { type Credits, creditsOf } from "../../describeCredits.ts";
import { type FeedListFile, findFeedListFile, writeFeedList } from "../../feedListFile.ts";
import { choiceOf, collecting, countOf } from "../../optionParsers.ts";
import { EXIT_DONE, EXIT_FAILED, errorDocument, print, printError } from "../../output.ts";
import { startProgress } from "../../progressBar.ts";
import { openReplacedFile } from "../../replacedFile.ts";
import { unlessStopped, untilStopped } from "../../untilStopped.ts";
import { type DescribedMarket, describeDifference, describeMarket, formatDiscovery } from "./discoveryReport.ts";

type DiscoverOptions = {
  readonly type: readonly MarketType[];
  readonly state: readonly StateAbbreviation[];
  readonly region?: Region;
  readonly top?: number;
  readonly sort: MarketSort;
  readonly exchange?: boolean;
  readonly priceFeed?: boolean;
  readonly caseShiller?: "10" | "20";
  readonly kind: readonly FeedKind[];
  readonly limit?: number;
  readonly write?: boolean;
  readonly replace?: boolean;
  readonly estimate?: boolean;
};

const EXPLANATION = `
Every market of the selection is asked for, whether the service marks it as having a price feed or not; --price-feed
narrows the selection to those that it marks. When nothing at all is narrowed, that is done by itself: the service has
more than 70,000 markets, and each price costs a credit.

A market is kept for each kind of which a signed price comes back that passes every check which needs no chain. Without
--write, nothing is written; the difference to the configuration file's list is shown either way. --write adds markets,
and kinds to markets that are listed; it takes nothing away, because a price that is absent today may only be late.
--replace makes the list what was found; feeds of which nothing was learnt, because the service failed, stay.

Exits with 1 when a price was refused, or the service failed for a market; what was found is written all the same.
`;

export const discoverCommand = defineCommand<DiscoverOptions>(
  "discover",
  "find the markets for which signed prices really come back, and write them into the configuration",
  [
    "homeprice markets discover --estimate",
    "homeprice markets discover --write",
    "homeprice markets discover --type CITY --top 100 --kind sales",
    "homeprice markets discover --state NY --state NJ --type COUNTY,CITY --write --replace --json",
  ],
  (command) =>
    command
      .addOption(
        new Option("--type <type...>", `kind of area: ${MARKET_TYPES.join(", ")}`)
          .argParser(collecting(choiceOf(MARKET_TYPES)))
          .default([], "any"),
      )
      .addOption(
        new Option("--state <state...>", "two letters")
          .argParser(collecting(choiceOf(STATE_ABBREVIATIONS.filter((state) => state !== "ALL"))))
          .default([], "any"),
      )
      .addOption(
        new Option("--region <region>", "Census division").argParser(
          choiceOf(REGIONS.filter((region) => region !== "ALL")),
        ),
      )
      .option("--top <count>", "only the highest so many, by --sort", countOf(1))
      .addOption(
        new Option("--sort <field>", `what markets are ranked by: ${MARKET_SORT_NAMES.join(", ")}`)
          .argParser(choiceOf(MARKET_SORT_NAMES))
          .default("population"),
      )
      .option("--exchange", "only markets that are traded on the maker's exchange")
      .option("--price-feed", "only markets that the service marks as having a price feed")
      .addOption(
        new Option("--case-shiller [count]", "only markets of the index with 10 or 20 of them")
          .choices(["10", "20"])
          .preset("20"),
      )
      .addOption(
        new Option("--kind <kind...>", "ask for sales or rental prices")
          .argParser(collecting(choiceOf(FEED_KINDS)))
          .default([], "the configured kinds"),
      )
      .option("--limit <count>", "ask for prices of at most so many markets", countOf(1))
      .option("--estimate", "search, which is free, and print what asking would cost; no price is asked for")
      .option("--write", "write what was found into the configuration file")
      .option("--replace", "also take out of the list what was not found")
      .addHelpText("after", EXPLANATION),
  async ({ options, json, log, configuration: load }) => {
    const signal = untilStopped(log);
    const configuration = await load();
    const kinds = options.kind.length > 0 ? [...new Set(options.kind)] : configuration.kinds;
    const expectations = expectationsOf(configuration);
    const file = await findFeedListFile(options.config, process.cwd());
    // What cannot be written is said before anything is paid for.
    if (options.write && !options.estimate) await (await openReplacedFile(file.path)).discard();
    const budget = configuredBudget(configuration);
    const client = configuredClient(configuration, log, { budget, signal });

    const candidates = await unlessStopped(signal, findCandidates(client, options, configuration, log, signal));
    const estimated = candidates.length * kinds.length;
    if (options.estimate) {
      printEstimate(json, candidates.length, kinds, creditsOf(client));
      return EXIT_DONE;
    }

    // All of it or nothing: what is paid for before the budget ends would be of little use.
    await (await budget.reserve(estimated)).settle(0);
    const marketIds = candidates.map(({ marketId }) => marketId);
    const asking = { marketIds, kinds, expectations, nowMs: () => BigInt(Date.now()), signal };
    const findings: SignedPriceFindings =
      marketIds.length === 0 ? new Map() : await unlessStopped(signal, findSignedPrices(client, asking));
    warnOfUnknownSigner(configuration, findings, log);

    const difference = compareFeedLists({
      entries: file.entries,
      kinds: configuration.kinds,
      found: signedFeeds(findings),
      unknown: feedsWithoutFinding(findings),
      replace: options.replace === true,
    });
    const names = new Map(candidates.map(({ marketId, name }) => [marketId, name]));
    const writing = options.write ? await tryToWrite(file, difference, names, log) : { written: false };

    const described = candidates.map((market) => describeMarket(market, kinds, findings.get(market.marketId) ?? {}));
    const isKept = ({ sales, rental }: DescribedMarket) => sales !== null || rental !== null;
    const isInOrder = described.every(({ reasons }) =>
      Object.values(reasons).every(({ outcome }) => outcome === "missing"),
    );
    const document = {
      ok: isInOrder && writing.error === undefined,
      kinds,
      markets: described.filter(isKept),
      leftOut: described.filter((market) => !isKept(market)),
      signers: [...signersOf(findings)].map(([publicKey, prices]) => ({ publicKey, prices })),
      file: file.name,
      written: writing.written,
      difference: describeDifference(difference),
      credits: { estimated, ...creditsOf(client) },
      ...(writing.error && { error: errorDocument(writing.error).error }),
    };
    print(json, document, () => formatDiscovery(document, names));
    if (writing.error && !json) printError(false, writing.error);
    return document.ok ? EXIT_DONE : EXIT_FAILED;
  },
);

function printEstimate(json: boolean, candidates: number, kinds: readonly FeedKind[], use: Credits): void {
  const estimated = candidates * kinds.length;
  const requests = Math.ceil(candidates / MAX_MARKETS_PER_REQUEST) * kinds.length;
  const basis = `${plural(candidates, "market")} × ${kinds.join(" and ")}`;
  const document = { ok: true, candidates, kinds, credits: { estimated, ...use }, requests, basis };
  print(json, document, () => {
    const left = use.remaining === null ? "" : `\nThe account has ${use.remaining} left.`;
    return `At most ${plural(estimated, "credit")}, in ${plural(requests, "request")}: ${basis}.${left}`;
  });
}

/** The markets to ask for prices of. */
async function findCandidates(
  client: ServiceClient,
  options: DiscoverOptions,
  { rentalOffset }: Configuration,
  log: Logger,
  signal: AbortSignal,
): Promise<Market[]> {
  const progress = startProgress("markets searched");
  try {
    const found = await selectMarkets(client, selectionOf(options, log), {
      signal,
      onPage: ({ items }) => progress.advance(items.length),
    });
    const usable = found.filter(({ marketId }) => isMarketId(marketId, rentalOffset));
    for (const { marketId, name } of found.filter((market) => !usable.includes(market))) {
      log.warn({ marketId: marketId.toString(), name }, "left out: its id collides with the rental offset");
    }
    return usable.slice(0, options.limit);
  } finally {
    progress.stop();
  }
}

/** What the options select; the markets that the service marks, where they narrow nothing. */
function selectionOf(options: DiscoverOptions, log: Logger): MarketSelection {
  const { type: types, state: states, region, top, sort, limit } = options;
  const flags: MarketFlag[] = [
    ...(options.exchange ? (["exchange"] as const) : []),
    ...(options.priceFeed ? (["price-feed"] as const) : []),
    ...(options.caseShiller ? ([`case-shiller-${options.caseShiller}`] as const) : []),
  ];
  const isNarrowed = types.length + states.length + flags.length > 0 || region || top || limit;
  if (!isNarrowed)
    log.info("nothing narrows the selection: asking for the markets that the service marks (--price-feed)");
  return { types, states, region, top, sort, flags: isNarrowed ? flags : ["price-feed"] };
}

function expectationsOf(configuration: Configuration): SignedPriceExpectations {
  const { signerPublicKey, timeZone } = configuration;
  const { layout, rentalOffset, maxExpiryAfterDateMs } = relaySettings(configuration);
  const publicKey = signerPublicKey && decodePublicKey(hexToBytes(signerPublicKey));
  return { layout, rentalOffset, maxExpiryAfterDateMs, timeZone, publicKey };
}

/** A signature under a key that came with it proves that the price is whole, not who made it. */
function warnOfUnknownSigner({ signerPublicKey }: Configuration, findings: SignedPriceFindings, log: Logger): void {
  const signers = [...signersOf(findings).keys()];
  if (signerPublicKey || signers.length === 0) return;
  log.warn(
    { signers },
    "no signerPublicKey is configured: signatures were checked under the key that each price names; " +
      "compare it with the one that the service makes known, and set signerPublicKey",
  );
}

/** Feeds of which the service's failures left nothing to say. */
function feedsWithoutFinding(findings: SignedPriceFindings): Feed[] {
  return [...findings].flatMap(([marketId, byKind]) =>
    FEED_KINDS.filter((kind) => byKind[kind]?.outcome === "failed").map((kind) => ({ marketId, kind })),
  );
}

type Writing = { readonly written: boolean; readonly error?: HomePriceError };

/** Writes what has changed. Whatever goes wrong, what was found has been paid for and is to be shown. */
async function tryToWrite(
  file: FeedListFile,
  difference: FeedListDifference,
  names: ReadonlyMap<bigint, string>,
  log: Logger,
): Promise<Writing> {
  if (process.env["HOMEPRICE_MARKETS"]) {
    log.warn(`HOMEPRICE_MARKETS is set and comes before the list in ${file.name}`);
  }
  if (!isDifferent(difference)) return { written: false };
  if (isEmptied(difference)) {
    const error = new HomePriceError("NO_MARKETS_FOUND", `nothing was found, and ${file.name} is left as it is`, {
      hint: "A list of markets cannot be empty. Look at the reasons, or take the key out by hand.",
    });
    return { written: false, error };
  }
  try {
    await writeFeedList(file, difference, (marketId) => names.get(marketId));
    return { written: true };
  } catch (error) {
    if (error instanceof HomePriceError) return { written: false, error };
    throw error;
  }
}

function isEmptied({ added, changed, unchanged }: FeedListDifference): boolean {
  return added.length + changed.length + unchanged.length === 0;
}
