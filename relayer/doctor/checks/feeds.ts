import { readServedFeeds, type ServedFeed } from "../../chain/servedFeed.ts";
import { dayOfDate } from "../../message/calendarDate.ts";
import { feedIdOf } from "../../message/feedId.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { ChainExamination } from "../chainExamination.ts";
import type { ChainCheck } from "../check.ts";
import { type Finding, failed, ok, skipped, warning } from "../finding.ts";

const BRING = "Run homeprice relay --once, and keep homeprice relay running.";

export const feedsCheck: ChainCheck = {
  scope: "chain",
  name: "feeds",
  about: "every wanted feed is on-chain, served, and as new as the service's price",
  needs: ["oracle", "markets"],
  keys: [],
  run: async (examination) => {
    const served = await readFeeds(examination);
    if (!served) return skipped("no RPC endpoint answers");
    const without = served.filter(({ reason }) => reason?.startsWith("NoPrice"));
    const unserved = served.filter((feed) => !feed.fresh && !without.includes(feed));
    if (unserved.length > 0) {
      return failed(
        `${unserved.length} of ${served.length} feeds are not served: ${listSome(unserved.map(describe))}`,
        hintFor(unserved),
      );
    }
    if (without.length > 0) {
      return warning(
        `${without.length} of ${served.length} feeds have no price yet: ${listSome(without.map(describe))}`,
        `${BRING} If that has happened, its report says why these were left out.`,
      );
    }
    return compareWithService(served, examination);
  },
};

async function readFeeds({ oracle, wanted }: ChainExamination): Promise<ServedFeed[] | undefined> {
  const found = await oracle();
  if (!found) return undefined;
  const { connection, address } = found;
  const feeds = wanted().map((feed) => ({ ...feed, feedId: feedIdOf(feed, found.rentalOffset) }));
  return readServedFeeds(connection, address, feeds);
}

function describe({ marketId, kind, reason }: ServedFeed): string {
  return `market ${marketId} (${kind}): ${reason}`;
}

function hintFor(unserved: readonly ServedFeed[]): string {
  const names = new Set(unserved.map(({ reason }) => reason?.split(":")[0]));
  const hints: [string, string][] = [
    ["Paused", "The guardian has stopped reads: the oracle's owner serves them again (unpause, unpauseFeed)."],
    ["Quarantined", "A price that waits is served after the quarantine, or when the guardian confirms it."],
    ["SignerRevoked", BRING],
    ["Expired", BRING],
  ];
  return [...new Set(hints.filter(([name]) => names.has(name)).map(([, hint]) => hint))].join(" ") || BRING;
}

/** Of the prices that came, whether the chain has them: prices are judged by their date. */
async function compareWithService(
  served: readonly ServedFeed[],
  { prices: fetchPrices }: ChainExamination,
): Promise<Finding> {
  const prices = await fetchPrices().catch(() => []);
  const older = prices.flatMap(({ received, message }) => {
    const onChain = served.find(
      ({ marketId, kind }) => marketId === received.marketId.toString() && kind === received.kind,
    );
    const day = dayOfDate(onChain?.date ?? "");
    if (!message.ok || day === undefined || day >= message.value.day) return [];
    return [`${feedName(received)} is of ${onChain?.date}, the service has ${message.value.date}`];
  });
  if (older.length > 0) return warning(`a newer edition is not on-chain yet: ${listSome(older)}`, BRING);
  const dates = [...new Set(served.map(({ date }) => date))].toSorted();
  return ok(`all ${served.length} feeds are served, with prices of ${dates.join(", ")}`);
}
