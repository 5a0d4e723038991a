import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import { configurationSchema } from "../../relayer/configuration/configurationSchema.ts";
import type { Feed, FeedKind } from "../../relayer/message/feedId.ts";
import type { ReceivedPrice } from "../../relayer/message/signedPrice.ts";
import type { RelayContext } from "../../relayer/relay/relayOnce.ts";
import { relaySettings } from "../../relayer/relay/relaySettings.ts";
import type { FeedReport, RelayReport } from "../../relayer/relay/report.ts";
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from "../../relayer/service/serviceClient.ts";
import { SentTransactions } from "../../relayer/store/sentTransactions.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import { type OracleChain, startOracleChain } from "../chain/oracleChain.ts";
import { type RpcProxy, startRpcProxy } from "../chain/rpcProxy.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { recordingLog } from "./recordingLog.ts";

/** Prices of two markets, both kinds. The simulator dates them as of each edition. */
export const PRICES = priceTable(
  "sales 5826765 2026-03-01 216.94",
  "sales 5822447 2026-03-01 601.89",
  "rental 5826765 2026-03-01 1.474",
  "rental 5822447 2026-03-01 4.517",
);

export const ALL_FEEDS: readonly Feed[] = [
  { marketId: 5_826_765n, kind: "sales" },
  { marketId: 5_822_447n, kind: "sales" },
  { marketId: 5_826_765n, kind: "rental" },
  { marketId: 5_822_447n, kind: "rental" },
];

/** The secret key of the tests' signer: every service that they start signs with it. */
const SECRET_KEY = new Uint8Array(32).fill(7);

/** A chain with an oracle, and price services with the key that it accepts. */
export type RelayFixture = OracleChain & {
  /** A price service of its own for a test. */
  readonly serve: (options?: Partial<PriceServiceOptions>) => Promise<PriceService>;
  /** Everything that a run works with: a new sender and an empty store unless they are given. */
  readonly context: (client: ServiceClient, changes?: Partial<RelayContext>) => Promise<RelayContext>;
  /** A node that misbehaves on demand, and a connection through it. */
  readonly throughProxy: () => Promise<{ proxy: RpcProxy; connection: RelayContext["connection"] }>;
};

export async function startRelayFixture(): Promise<RelayFixture> {
  const chain = await startOracleChain();
  return {
    ...chain,
    serve: async (options = {}) => {
      const service = await startPriceService({ prices: PRICES, secretKey: SECRET_KEY, slowMs: 2_000, ...options });
      onTestFinished(() => service.close());
      return service;
    },
    context: async (client, changes = {}) => ({
      client,
      connection: chain.connection,
      oracle: chain.oracle,
      account: await chain.newSender(),
      sentTransactions: (await emptyStore()).store,
      wanted: ALL_FEEDS,
      ...relaySettings(configurationSchema.parse({})),
      receiptTimeoutMs: 5_000,
      log: recordingLog().log,
      ...changes,
    }),
    throughProxy: async () => {
      const proxy = await startRpcProxy(chain.rpcUrl);
      const connection = await connectChain({ rpcUrls: [proxy.url], timeoutMs: 2_000 });
      proxy.calls.length = 0;
      return { proxy, connection };
    },
  };
}

export async function emptyStore(): Promise<{ store: SentTransactions; reopen: () => Promise<SentTransactions> }> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-relay-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { store: await SentTransactions.open(folder), reopen: () => SentTransactions.open(folder) };
}

/** A client of a service, with delays that tests can afford. */
export function clientOf(
  { url, apiKey }: Pick<PriceService, "url" | "apiKey">,
  options: Partial<ServiceClientOptions> = {},
) {
  return createServiceClient({ apiUrl: url, apiKey, minRetryDelayMs: 1, retries: 1, ...options });
}

/** A client of a service that gives the items that a test has made, asked for or not. */
export function scriptedClient(itemsOf: (kind: FeedKind) => readonly (ReceivedPrice | Record<string, unknown>)[]) {
  const answer = (url: string) => {
    const items = itemsOf(url.includes("price_feed_rentals") ? "rental" : "sales");
    return Response.json({
      items: items.map((item) => ("signature" in item && "marketId" in item ? toItem(item as ReceivedPrice) : item)),
    });
  };
  return createServiceClient({
    apiUrl: "https://prices.example",
    apiKey: "key",
    fetch: async (url) => answer(String(url)),
  });
}

/** A price as the service writes it by default. */
export function toItem(price: ReceivedPrice): Record<string, unknown> {
  const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");
  const { mantissa, exponent } = price.price ?? { mantissa: 0n, exponent: 0 };
  return {
    svc_id: Number(price.marketId),
    date: price.date,
    price: `${mantissa}e${exponent}`,
    publish_timestamp: Number(price.publishTimeMs),
    expiry: Number(price.expiryMs),
    signature: hex(price.signature),
    public_key: hex(price.publicKey),
    message: hex(price.message),
  };
}

/** The line of a report about one feed. */
export function feedOfReport(report: RelayReport, feedId: bigint): FeedReport {
  const feed = report.feeds.find((each) => each.feedId === feedId.toString());
  if (!feed) throw new Error(`feed ${feedId} is not in the report`);
  return feed;
}

export function statusesOf({ feeds }: RelayReport): string[] {
  return feeds.map(({ status }) => status);
}
