import type { FeedListDifference, MarketChange } from "../../../markets/feedList.ts";
import type { FeedFinding } from "../../../markets/findSignedPrices.ts";
import { formatPrice } from "../../../message/decimalPrice.ts";
import { FEED_KINDS, type FeedKind } from "../../../message/feedId.ts";
import { formatTimeMs } from "../../../message/timeWindows.ts";
import type { Market } from "../../../service/searchMarkets.ts";
import { type Credits, creditWords } from "../../describeCredits.ts";
import { formatTable } from "../../output.ts";

/** A signed price as the document shows it. */
type DescribedPrice = {
  readonly price: string;
  readonly date: string;
  readonly publishTime: string;
  readonly expiry: string;
};

/** A candidate, with the prices that came back and the reasons for those that did not. */
export type DescribedMarket = {
  readonly marketId: string;
  readonly name: string;
  readonly locationType: string | null;
  readonly stateAbbreviation: string | null;
  readonly totalPopulation: number | null;
  readonly hasPriceFeed: boolean | null;
  readonly isExchangeMarket: boolean | null;
  readonly sales: DescribedPrice | null;
  readonly rental: DescribedPrice | null;
  /** Kinds that were asked for and cannot be carried. */
  readonly missing: readonly FeedKind[];
  readonly reasons: Readonly<Partial<Record<FeedKind, { readonly outcome: string; readonly reason: string }>>>;
};

export function describeMarket(
  market: Market,
  kinds: readonly FeedKind[],
  findings: Readonly<Partial<Record<FeedKind, FeedFinding>>>,
): DescribedMarket {
  const missing = kinds.filter((kind) => findings[kind]?.outcome !== "signed");
  return {
    marketId: market.marketId.toString(),
    name: market.name,
    locationType: market.locationType ?? null,
    stateAbbreviation: market.stateAbbreviation ?? null,
    totalPopulation: market.totalPopulation ?? null,
    hasPriceFeed: market.hasPriceFeed ?? null,
    isExchangeMarket: market.isExchangeMarket ?? null,
    sales: describePrice(findings.sales),
    rental: describePrice(findings.rental),
    missing,
    reasons: Object.fromEntries(missing.map((kind) => [kind, reasonOf(findings[kind])])),
  };
}

function describePrice(finding: FeedFinding | undefined): DescribedPrice | null {
  if (finding?.outcome !== "signed") return null;
  const { price, date, publishTimeMs, expiryMs } = finding.price.message;
  return {
    price: formatPrice(price),
    date,
    publishTime: formatTimeMs(publishTimeMs),
    expiry: formatTimeMs(expiryMs),
  };
}

function reasonOf(finding: FeedFinding | undefined): { outcome: string; reason: string } {
  switch (finding?.outcome) {
    case "refused":
      return { outcome: "refused", reason: `${finding.refusal.code}: ${finding.refusal.message}` };
    case "missing":
    case "failed":
      return finding;
    default:
      return { outcome: "failed", reason: "nothing is known" };
  }
}

/** A difference as the document shows it: entries of the list, as they are written. */
export type DescribedDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[];
  readonly unchanged: readonly string[];
  readonly notFound: readonly string[];
};

export function describeDifference(difference: FeedListDifference): DescribedDifference {
  const { added, removed, changed, unchanged, notFound } = difference;
  const before = (changes: readonly MarketChange[]) => changes.flatMap((change) => change.before);
  return {
    added: added.flatMap(({ after }) => after),
    removed: before(removed),
    changed: changed.map(({ before: from, after: to }) => ({ from, to })),
    unchanged: before(unchanged),
    notFound: notFound.map(({ marketId, kind }) => `${marketId}:${kind}`),
  };
}

/** What the command prints. */
export type Discovery = {
  readonly kinds: readonly FeedKind[];
  readonly markets: readonly DescribedMarket[];
  readonly leftOut: readonly DescribedMarket[];
  readonly file: string;
  readonly written: boolean;
  readonly difference: DescribedDifference;
  readonly credits: Credits & { readonly estimated: number };
};

/** Markets without any price that a person is shown by name; the document has them all. */
const SHOWN_WITHOUT_PRICE = 10;

/** The same for people. */
export function formatDiscovery(discovery: Discovery, names: ReadonlyMap<bigint, string>): string {
  const { markets, leftOut, kinds, credits } = discovery;
  return [
    ...(markets.length > 0 ? [formatMarkets(markets, kinds)] : []),
    `${markets.length} of ${markets.length + leftOut.length} markets have signed prices; ${creditWords(credits)}.`,
    ...formatReasons([...markets, ...leftOut]),
    "",
    ...formatDifference(discovery, names),
  ].join("\n");
}

function formatMarkets(markets: readonly DescribedMarket[], kinds: readonly FeedKind[]): string {
  return formatTable(
    ["market", "name", "type", "state", "population", ...kinds, "date", "missing"],
    markets.map((market) => [
      market.marketId,
      market.name,
      market.locationType ?? "",
      market.stateAbbreviation ?? "",
      market.totalPopulation?.toLocaleString("en-US") ?? "",
      ...kinds.map((kind) => market[kind]?.price ?? ""),
      [...new Set(FEED_KINDS.flatMap((kind) => market[kind]?.date ?? []))].join(", "),
      market.missing.join(", "),
    ]),
  );
}

/** Prices that were refused and failures are each named; that a market simply has no price is counted. */
function formatReasons(markets: readonly DescribedMarket[]): string[] {
  const reasons = markets.flatMap(({ marketId, name, reasons: ofMarket }) =>
    Object.entries(ofMarket).map(([kind, { outcome, reason }]) => ({ marketId, name, kind, outcome, reason })),
  );
  const wrong = reasons.filter(({ outcome }) => outcome !== "missing");
  const without = markets.filter(
    ({ sales, rental, reasons: ofMarket }) =>
      sales === null && rental === null && Object.values(ofMarket).every(({ outcome }) => outcome === "missing"),
  );
  const shown = without.slice(0, SHOWN_WITHOUT_PRICE).map(({ marketId, name }) => `${name} (${marketId})`);
  const more = without.length > shown.length ? `, and ${without.length - shown.length} more` : "";
  return [
    ...wrong.map(
      ({ marketId, name, kind, outcome, reason }) => `${outcome}: ${kind} price of ${name} (${marketId}): ${reason}`,
    ),
    ...(without.length > 0 ? [`Without a price: ${shown.join(", ")}${more}.`] : []),
  ];
}

function formatDifference({ file, written, difference }: Discovery, names: ReadonlyMap<bigint, string>): string[] {
  const { added, removed, changed, unchanged, notFound } = difference;
  const named = (entry: string) => {
    const name = names.get(BigInt(entry.split(":")[0] ?? ""));
    return name === undefined ? entry : `${entry.padEnd(16)} ${name}`;
  };
  const isSame = added.length + removed.length + changed.length === 0;
  return [
    `Markets in ${file}:`,
    ...added.map((entry) => `  + ${named(entry)}`),
    ...removed.map((entry) => `  - ${named(entry)}`),
    ...changed.map(({ from, to }) => `  ~ ${from.join(", ")} becomes ${named(to.join(", "))}`),
    unchanged.length === 1 ? "  1 entry stays as it is." : `  ${unchanged.length} entries stay as they are.`,
    ...(notFound.length > 0
      ? [`  Listed, and not found this time: ${notFound.join(", ")} (--replace takes out what is not found).`]
      : []),
    isSame ? "There is nothing to write." : written ? "Written." : "Not written: call again with --write.",
  ];
}
