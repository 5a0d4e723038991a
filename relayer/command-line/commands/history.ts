import { Option } from "commander";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import type { DeliveryState, HistoryQuery } from "../../journal/journal.ts";
import { journalPath } from "../../journal/journalPath.ts";
import { openJournal } from "../../journal/openJournal.ts";
import { FEED_KINDS, type FeedKind, feedIdOf } from "../../message/feedId.ts";
import { plural } from "../../wording/plural.ts";
import { defineCommand } from "../commonOptions.ts";
import { type DescribedDelivery, describeDelivery } from "../describeDelivery.ts";
import { parseDay } from "../optionDates.ts";
import { choiceOf, collecting, countOf, parseId } from "../optionParsers.ts";
import { EXIT_DONE, formatTable, print } from "../output.ts";

type HistoryOptions = {
  readonly market?: bigint;
  readonly kind?: FeedKind;
  readonly chain?: number;
  readonly from?: number;
  readonly to?: number;
  readonly state?: readonly DeliveryState[];
  readonly limit: number;
};

const STATES: readonly DeliveryState[] = [
  "planned",
  "sent",
  "mined",
  "final",
  "current",
  "waiting",
  "refused",
  "missed",
];

export const historyCommand = defineCommand<HistoryOptions>(
  "history",
  "what became of each price on each chain, from the journal; newest date first",
  [
    "homeprice history",
    "homeprice history --market 5826765 --kind sales --limit 400",
    "homeprice history --state refused,missed --from 2026-11-01",
    "homeprice history --chain 8453 --from 2026-11-20 --to 2026-11-20 --json",
  ],
  (command) =>
    command
      .addOption(new Option("--market <id>", "only this market").argParser(parseId))
      .addOption(new Option("--kind <kind>", "only this price").choices(FEED_KINDS))
      .addOption(new Option("--chain <id>", "only this chain id").argParser(countOf(1)))
      .addOption(new Option("--from <date>", "this date and later ones").argParser(parseDay))
      .addOption(new Option("--to <date>", "this date and earlier ones").argParser(parseDay))
      .addOption(
        new Option("--state <state...>", `only these states: ${STATES.join(", ")}`).argParser(
          collecting(choiceOf(STATES)),
        ),
      )
      .addOption(new Option("--limit <number>", "most lines").argParser(countOf(1)).default(50)),
  async ({ options, json, configuration: load }) => {
    const configuration = await load();
    const { rentalOffset } = configuration;
    if (options.from !== undefined && options.to !== undefined && options.from > options.to) {
      throw new InvalidConfigurationError("USAGE", "--from is after --to", "Give the earlier date with --from.");
    }
    const queries = queriesOf(options, rentalOffset);
    const journal = await openJournal(journalPath(configuration), { mustExist: true });
    try {
      const found = (await Promise.all(queries.map((query) => journal.history(query)))).flat();
      // Two feeds of one market are two questions, of which each is in order.
      const deliveries = found
        .toSorted((a, b) => b.delivery.day - a.delivery.day)
        .slice(0, options.limit)
        .map((entry) => describeDelivery(entry, rentalOffset));
      print(json, { ok: true, journal: journal.description, deliveries }, () => formatDeliveries(deliveries, options));
      return EXIT_DONE;
    } finally {
      await journal.close();
    }
  },
);

/** The questions to ask of the journal: a market has a feed of each kind, and all feeds of a kind lie side by side. */
function queriesOf(
  { market, kind, chain, from, to, state, limit }: HistoryOptions,
  rentalOffset: bigint,
): HistoryQuery[] {
  const query = { chainId: chain, fromDay: from, toDay: to, states: state, limit };
  if (market !== undefined) {
    const kinds = kind === undefined ? FEED_KINDS : [kind];
    return kinds.map((each) => ({ ...query, feedId: feedIdOf({ marketId: market, kind: each }, rentalOffset) }));
  }
  if (kind === undefined) return [query];
  return [kind === "sales" ? { ...query, toFeedId: rentalOffset - 1n } : { ...query, fromFeedId: rentalOffset + 1n }];
}

function formatDeliveries(deliveries: readonly DescribedDelivery[], { limit }: HistoryOptions): string {
  if (deliveries.length === 0) return "The journal holds nothing of that.";
  const rows = deliveries.map((delivery) => [
    delivery.date,
    delivery.marketId,
    delivery.kind,
    `${delivery.chainId}`,
    delivery.price,
    delivery.state,
    delivery.plannedAt ?? "",
    delivery.sentAt ?? "",
    delivery.minedAt ?? "",
    delivery.finalAt ?? "",
    delivery.transaction ?? "",
    delivery.reason ?? "",
  ]);
  const head = [
    "date",
    "market",
    "kind",
    "chain",
    "price",
    "state",
    "planned",
    "sent",
    "mined",
    "final",
    "transaction",
    "reason",
  ];
  const isCut = deliveries.length === limit;
  return [
    formatTable(head, rows),
    `${plural(deliveries.length, "line")}${isCut ? "; there may be more, see --limit" : ""}.`,
  ].join("\n");
}
