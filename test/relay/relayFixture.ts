import { onTestFinished } from "vitest";
import { configurationSchema } from "../../relayer/configuration/configurationSchema.ts";
import type { ChainContext } from "../../relayer/deliver/chainContext.ts";
import type { ChainSettings } from "../../relayer/deliver/chainSettings.ts";
import { type Feed, type FeedKind, feedIdOf } from "../../relayer/message/feedId.ts";
import type { ReceivedPrice } from "../../relayer/message/signedPrice.ts";
import type { RelayContext } from "../../relayer/relay/relayContext.ts";
import { relaySettings } from "../../relayer/relay/relaySettings.ts";
import type { FeedReport, RelayReport } from "../../relayer/relay/report.ts";
import { nextRunMs } from "../../relayer/relay/schedule.ts";
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from "../../relayer/service/serviceClient.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import { type DeliverFixture, startDeliverFixture } from "../deliver/deliverFixture.ts";
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

/** What a test may want otherwise than everybody else. */
export type ContextChanges = Partial<Omit<RelayContext, "chains" | "client">> & {
  /** Of the only chain. */
  readonly chain?: Partial<ChainContext>;
  readonly settings?: Partial<ChainSettings>;
  /** What a new sender has, in ether. */
  readonly ether?: string;
};

/** A chain with an oracle, and price services with the key that it accepts. */
export type RelayFixture = DeliverFixture & {
  /** A price service of its own for a test. */
  readonly serve: (options?: Partial<PriceServiceOptions>) => Promise<PriceService>;
  /** Everything that a run works with: a new sender and an empty journal unless they are given. */
  readonly context: (client: ServiceClient, changes?: ContextChanges) => Promise<TestRelayContext>;
};

export type TestRelayContext = RelayContext & {
  /** The only chain. */
  readonly chain: ChainContext;
};

export async function startRelayFixture(): Promise<RelayFixture> {
  const fixture = await startDeliverFixture();
  return {
    ...fixture,
    serve: async (options = {}) => {
      const service = await startPriceService({ prices: PRICES, secretKey: SECRET_KEY, slowMs: 2_000, ...options });
      onTestFinished(() => service.close());
      return service;
    },
    context: async (client, { chain: ofChain = {}, settings = {}, ether = "10", ...changes } = {}) => {
      const common = {
        wanted: ALL_FEEDS,
        ...relaySettings(configurationSchema.parse({})),
        receiptTimeoutMs: 5_000,
        nowMs: () => BigInt(Date.now()),
        log: recordingLog().log,
        ...changes,
      };
      const wanted = common.wanted.map((feed) => ({ ...feed, feedId: feedIdOf(feed, common.rentalOffset) }));
      const { context: chain, journal } = await fixture.delivery({
        settings,
        wanted,
        ether,
        ...(changes.journal && { journal: changes.journal }),
        context: { layout: common.layout, log: common.log, nextRunMs: () => nextRunMs(common.schedule), ...ofChain },
      });
      return { client, ...common, journal, chains: [{ name: "local", open: async () => chain }], chain };
    },
  };
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
