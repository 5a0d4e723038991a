import type { Address } from "viem";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import type { Feed } from "../message/feedId.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import { type ChainConnection, LOCAL_CHAIN_ID } from "./chainConnection.ts";
import { readPrices, type StoredPrice } from "./readPrices.ts";

/** Names of the contract's `Freshness` values, by number. */
const FRESHNESS = ["Fresh", "UnknownFeed", "Paused", "SignerRevoked", "NoPrice", "Expired", "Quarantined"] as const;

const REASONS: Readonly<Record<(typeof FRESHNESS)[number], string>> = {
  Fresh: "",
  UnknownFeed: "no market has such an id",
  Paused: "reads are paused",
  SignerRevoked: "the signer of the stored price has been revoked",
  NoPrice: "nobody has brought a price yet",
  Expired: "the stored price has expired",
  Quarantined: "the stored price has expired, and a newer one waits outside the feed's band",
};

/** One feed as `status` and `feeds read` show it. */
export type ServedFeed = {
  readonly feedId: string;
  readonly marketId: string;
  readonly kind: string;
  readonly price: string | null;
  readonly date: string | null;
  readonly publishTime: string | null;
  readonly expiry: string | null;
  readonly fresh: boolean;
  readonly reason?: string;
};

/** Feeds asked about at a time: enough to be quick, few enough for a public node. */
const CONCURRENCY = 20;

/** What the oracle holds and serves of several feeds, in their order. */
export async function readServedFeeds(
  connection: ChainConnection,
  oracle: Address,
  feeds: readonly (Feed & { readonly feedId: bigint })[],
): Promise<ServedFeed[]> {
  const stored = await readPrices(
    connection,
    oracle,
    feeds.map(({ feedId }) => feedId),
  );
  const served: ServedFeed[] = [];
  for (let start = 0; start < feeds.length; start += CONCURRENCY) {
    const described = feeds
      .slice(start, start + CONCURRENCY)
      .map((feed) => describeFeed(connection, oracle, feed.feedId, feed, stored.get(feed.feedId)));
    served.push(...(await Promise.all(described)));
  }
  return served;
}

/** Brings together what is stored for a feed and whether the oracle serves it. */
export async function describeFeed(
  { chain, publicClient }: ChainConnection,
  oracle: Address,
  feedId: bigint,
  { marketId, kind }: Feed,
  stored: StoredPrice | undefined,
): Promise<ServedFeed> {
  const freshness = await publicClient.readContract({
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "freshness",
    args: [feedId],
    // The latest block of an idle local chain is old; elsewhere blocks keep coming, and not every node knows "pending".
    blockTag: chain.id === LOCAL_CHAIN_ID ? "pending" : "latest",
  });
  const name = FRESHNESS[freshness] ?? "NoPrice";
  const present = stored && stored.price > 0n ? stored : undefined;
  return {
    feedId: feedId.toString(),
    marketId: marketId.toString(),
    kind,
    price: present ? formatPrice(present.price) : null,
    date: present ? dateOfDay(present.day) : null,
    publishTime: present ? formatTimeMs(present.publishTime * 1000n) : null,
    expiry: present ? formatTimeMs(present.expiry * 1000n) : null,
    fresh: name === "Fresh",
    ...(name !== "Fresh" && { reason: `${name}: ${REASONS[name]}` }),
  };
}
