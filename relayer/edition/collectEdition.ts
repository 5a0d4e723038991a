import { HomePriceError } from "../errors/HomePriceError.ts";
import type { EditionRecord } from "../journal/journal.ts";
import { type Feed, type FeedKind, feedIdOf } from "../message/feedId.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import { type AskContext, askForPrices, joinAnswers, type KindAnswer } from "./askForPrices.ts";
import type { CollectContext } from "./collectContext.ts";
import { collectionConditions } from "./collectionConditions.ts";
import type { CollectionReport, EditionReport } from "./collectionReport.ts";
import { type DueEdition, dueEdition, isEditionOf } from "./editionClock.ts";
import { judgeEdition } from "./judgeEdition.ts";
import { PriceArchive } from "./priceArchive.ts";

/** Markets of a kind that are asked for to see whether a newer edition is out: one that fails must not hide it. */
const PROBES = 3;

export type CollectOptions = {
  readonly signal?: AbortSignal | undefined;
  /**
   * Ask for every wanted feed, also for those whose price of the newest edition is in the journal. Otherwise only for
   * what is lacking, and for a few markets that tell whether a newer edition is out: each price that comes costs a credit.
   */
  readonly everything?: boolean;
  /** Ask for every wanted feed of a kind whose edition that is due is there already: some may have been revised. */
  readonly revisions?: boolean;
};

/**
 * Asks the price service once: checks everything that comes, archives it, and says how the editions stand. As soon as a
 * newer edition shows itself, all of it is asked for.
 *
 * Whatever the service does is in the report.
 * @throws HomePriceError when the configuration is wrong, and whatever the journal throws.
 */
export async function collectEdition(
  context: CollectContext,
  { signal, everything = false, revisions = false }: CollectOptions = {},
): Promise<CollectionReport> {
  const { journal, rules, wanted, log } = context;
  if (rules.publicKeys.length === 0) throw noKeys();
  const due = dueEdition(context.schedule, context.editionLateAt, context.nowMs());
  const archive = new PriceArchive(journal);
  const answers: KindAnswer[] = [];
  const editions: EditionReport[] = [];
  for (const [kind, feeds] of Map.groupBy(wanted, (feed) => feed.kind)) {
    signal?.throwIfAborted();
    const before = await journal.newestEdition(kind);
    // What was held before is read before anything is added to it.
    const held = before ? new Set((await archive.on(before.day)).keys()) : new Set<bigint>();
    const previousError = answers.at(-1)?.error;
    const isThere = before !== undefined && due !== undefined && isEditionOf(before, due.dueMs);
    const isWhole = everything || !before || (revisions && isThere);
    const asked = isWhole ? feeds : lackingAndProbes(feeds, held, rules.rentalOffset);
    const answer = await askKind({ ...context, archive }, kind, { feeds, asked, before, previousError, signal });
    answers.push(answer);
    const after = await journal.newestEdition(kind);
    const arrived = arrivedFeeds(feeds, held, { before, after, answer, rentalOffset: rules.rentalOffset });
    const evidence = { kind, wanted: feeds, feeds: answer.feeds, before, after, arrived, due, nowMs: context.nowMs() };
    editions.push(judgeEdition(evidence, rules));
  }
  const report = await assemble(context, { answers, editions, archive, due });
  for (const { feedId, date, from, to } of report.revisions) {
    log.warn({ feedId: feedId.toString(), date, from: from.toString(), to: to.toString() }, "a price was revised");
  }
  log.info(
    {
      editions: editions.map(describeEdition),
      asked: report.pricesAsked,
      new: report.newPrices,
      conditions: report.conditions.map(({ kind }) => kind),
    },
    "asked the price service",
  );
  return report;
}

type KindQuestion = {
  readonly feeds: readonly Feed[];
  readonly asked: readonly Feed[];
  readonly before: EditionRecord | undefined;
  readonly previousError: HomePriceError | undefined;
  readonly signal: AbortSignal | undefined;
};

/** Asks for some feeds, and for the others too when a newer edition is out. */
async function askKind(
  context: AskContext,
  kind: FeedKind,
  { feeds, asked, before, previousError, signal }: KindQuestion,
): Promise<KindAnswer> {
  const first = await askForPrices(context, kind, asked, signal, previousError);
  const isNewer = first.feeds.some(
    (feed) => feed.outcome === "checked" && feed.price.message.day > (before?.day ?? Number.POSITIVE_INFINITY),
  );
  if (!isNewer || asked.length === feeds.length) return first;
  const askedFor = new Set(asked);
  const rest = await askForPrices(
    context,
    kind,
    feeds.filter((feed) => !askedFor.has(feed)),
    signal,
  );
  return joinAnswers(kind, [first, rest]);
}

function lackingAndProbes(feeds: readonly Feed[], held: ReadonlySet<bigint>, rentalOffset: bigint): Feed[] {
  const isHeld = (feed: Feed) => held.has(feedIdOf(feed, rentalOffset));
  return [...feeds.filter((feed) => !isHeld(feed)), ...feeds.filter(isHeld).slice(0, PROBES)];
}

/** Wanted feeds that have a price of the newest edition, from before or now. */
function arrivedFeeds(
  feeds: readonly Feed[],
  held: ReadonlySet<bigint>,
  {
    before,
    after,
    answer,
    rentalOffset,
  }: {
    before: EditionRecord | undefined;
    after: EditionRecord | undefined;
    answer: KindAnswer;
    rentalOffset: bigint;
  },
): Set<bigint> {
  const came = new Set(
    answer.feeds.flatMap((feed) =>
      feed.outcome === "checked" && feed.price.message.day === after?.day ? [feed.feedId] : [],
    ),
  );
  const isSameEdition = before?.day === after?.day;
  const ids = feeds.map((feed) => feedIdOf(feed, rentalOffset));
  return new Set(ids.filter((feedId) => came.has(feedId) || (isSameEdition && held.has(feedId))));
}

async function assemble(
  context: CollectContext,
  {
    answers,
    editions,
    archive,
    due,
  }: {
    readonly answers: readonly KindAnswer[];
    readonly editions: readonly EditionReport[];
    readonly archive: PriceArchive;
    readonly due: DueEdition | undefined;
  },
): Promise<CollectionReport> {
  const feeds = answers.flatMap((answer) => answer.feeds);
  const hasAnswer = answers.some((answer) => answer.feeds.some(({ outcome }) => outcome !== "failed"));
  const conditions = await collectionConditions(context, { answers, editions, archive, due });
  return {
    feeds,
    strays: answers.flatMap((answer) => answer.strays),
    editions,
    revisions: answers.flatMap((answer) => answer.revisions),
    conditions,
    serviceError: hasAnswer ? undefined : answers.find(({ error }) => error)?.error,
    newPrices: answers.reduce((sum, { newPrices }) => sum + newPrices, 0),
    pricesAsked: feeds.length,
    durationsMs: {
      fetch: Math.round(answers.reduce((sum, { fetchMs }) => sum + fetchMs, 0)),
      verify: Math.round(answers.reduce((sum, { verifyMs }) => sum + verifyMs, 0)),
    },
  };
}

function describeEdition({ kind, status, date, isComplete, expectedSinceMs }: EditionReport) {
  const dueSince = expectedSinceMs === undefined ? {} : { dueSince: formatTimeMs(expectedSinceMs) };
  return { kind, status, date, isComplete, ...dueSince };
}

function noKeys(): HomePriceError {
  return new HomePriceError("NO_SIGNER_KEY", "no public key is known to check prices with", {
    kind: "configuration",
    hint: "Set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY), or see to it that the oracle of at least one chain can be asked for its signers.",
  });
}
