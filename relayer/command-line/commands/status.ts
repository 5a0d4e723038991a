import type { Address } from "viem";
import { namingRpcErrors } from "../../chain/rpcError.ts";
import { readServedFeeds, type ServedFeed } from "../../chain/servedFeed.ts";
import { type ChainConfiguration, chainsOf } from "../../configuration/chainConfiguration.ts";
import { chainNamed, nameOfChain } from "../../configuration/chainNamed.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { connectOracle } from "../../configured/connectOracle.ts";
import { feedIdOf } from "../../message/feedId.ts";
import { formatTimeMs } from "../../message/timeWindows.ts";
import { nextRunMs } from "../../relay/schedule.ts";
import { type ChainOption, withChainOption } from "../chainOption.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, errorDocument, formatTable, print } from "../output.ts";

/** What one chain holds of the wanted feeds. */
type ChainStatus = {
  readonly chainId: number;
  readonly oracle: Address;
  readonly feeds: readonly ServedFeed[];
};

export const statusCommand = defineCommand<ChainOption>(
  "status",
  "every configured feed on every chain: price, age, expiry, next expected edition; exits 0 only if all are fresh",
  ["homeprice status", "homeprice status --chain base", "HOMEPRICE_MARKETS=5826765 homeprice status --json"],
  (command) => withChainOption(command, "one chain only"),
  async ({ options, json, configuration: load }) => {
    const configuration = await load();
    const chains = options.chain === undefined ? chainsOf(configuration) : [chainNamed(configuration, options.chain)];
    const [only] = chains;
    const nextEdition = formatTimeMs(
      nextRunMs({ expression: configuration.schedule, timeZone: configuration.timeZone }),
    );
    const expected = `Next edition expected at ${nextEdition}.`;
    if (only && chains.length === 1) {
      const { chainId, oracle, feeds } = await readStatus(only);
      const ok = areFresh(feeds);
      print(json, { ok, chainId, oracle, nextEdition, feeds }, () => `${formatFeeds(feeds)}\n${expected}`);
      return ok ? EXIT_DONE : EXIT_FAILED;
    }

    // One that cannot be read hides nothing of the others.
    const found = await Promise.all(chains.map(async (chain) => ({ chain, read: await settled(readStatus(chain)) })));
    const documents = found.map(({ chain, read }) => describeChain(chain, read));
    const ok = documents.every((chain) => chain.ok);
    const feeds = found.flatMap(({ read }) =>
      "value" in read ? read.value.feeds.map((feed) => ({ chainId: read.value.chainId, ...feed })) : [],
    );
    print(json, { ok, nextEdition, chains: documents, feeds }, () =>
      [...found.map(({ chain, read }) => `${nameOfChain(chain)}:\n${formatChain(read)}`), expected].join("\n"),
    );
    return ok ? EXIT_DONE : EXIT_FAILED;
  },
);

async function readStatus(chain: ChainConfiguration): Promise<ChainStatus> {
  const wanted = wantedFeeds(chain).map((feed) => ({ ...feed, feedId: feedIdOf(feed, chain.rentalOffset) }));
  const { connection, oracle } = await connectOracle(chain);
  return { chainId: connection.chain.id, oracle, feeds: await readServedFeeds(connection, oracle, wanted) };
}

type Settled<Value> = { readonly value: Value } | { readonly error: unknown };

async function settled<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await namingRpcErrors(() => promise) };
  } catch (error) {
    return { error };
  }
}

/** One of several chains in the report. */
function describeChain(chain: ChainConfiguration, read: Settled<ChainStatus>) {
  const name = nameOfChain(chain);
  if ("value" in read) {
    const { chainId, oracle, feeds } = read.value;
    return { name, chainId, oracle, ok: areFresh(feeds) };
  }
  return {
    name,
    chainId: chain.chainId ?? null,
    oracle: chain.oracleAddress ?? null,
    ...errorDocument(read.error),
  };
}

function areFresh(feeds: readonly ServedFeed[]): boolean {
  return feeds.every(({ fresh }) => fresh);
}

function formatChain(read: Settled<ChainStatus>): string {
  if ("value" in read) return formatFeeds(read.value.feeds);
  const { message, hint } = errorDocument(read.error).error;
  return `${message}\n${hint}`;
}

function formatFeeds(feeds: readonly ServedFeed[]): string {
  return formatTable(
    ["market", "kind", "price", "date", "published", "expires", "state"],
    feeds.map((feed) => [
      feed.marketId,
      feed.kind,
      feed.price ?? "",
      feed.date ?? "",
      feed.publishTime ?? "",
      feed.expiry ?? "",
      feed.fresh ? "fresh" : (feed.reason ?? ""),
    ]),
  );
}
