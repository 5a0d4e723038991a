import type { Address } from "viem";
import { homePriceOracleAbi } from "../chain/abi/homePriceOracleAbi.ts";
import { type ChainConnection, LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import type { StoredPrice } from "../chain/readPrices.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import type { Feed } from "../message/feedId.ts";
import { formatTimeMs } from "../message/timeWindows.ts";

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
