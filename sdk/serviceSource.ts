import { bytesToHex } from "viem";
import { type FeedKind, feedIdOf, feedOf } from "../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
import { messageBytesOf, type ReceivedPrice } from "../relayer/message/signedPrice.ts";
import { encodeUpdate } from "../relayer/message/update.ts";
import { getLatestPrices } from "../relayer/service/getLatestPrices.ts";
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from "../relayer/service/serviceClient.ts";
import { UpdateRefusedError } from "./updateErrors.ts";
import type { ReceivedUpdate, SourceAnswer, SourceFailure, UpdateRequest, UpdateSource } from "./updateSource.ts";

export type ServiceSourceOptions = ServiceClientOptions & {
  /** By which a message is rebuilt when the service gives only its fields. Default: the project's own layout. */
  readonly layout?: MessageLayout | undefined;
};

/**
 * Updates from the price service itself, with an API key, which costs credits. In a browser everybody could read the
 * key: there, use a gateway.
 *
 * @throws ServiceConfigurationError; its `fetchUpdates` throws ServiceError when the service fails.
 * @example
 * const source = serviceSource({ apiUrl: "https://api.example.com", apiKey });
 * const updates = await getUpdates(client, { oracle, feedIds, source });
 */
export function serviceSource({ layout = DEFAULT_LAYOUT, ...options }: ServiceSourceOptions): UpdateSource {
  const service = createServiceClient(options);
  const name = `the price service ${service.origin}`;
  return {
    name,
    fetchUpdates: async (request) => {
      // One after the other: the service limits how often it may be asked.
      const sales = await fetchKind(service, "sales", request, layout, name);
      const rental = await fetchKind(service, "rental", request, layout, name);
      return {
        received: [...sales.received, ...rental.received],
        failures: [...sales.failures, ...rental.failures],
      };
    },
  };
}

async function fetchKind(
  service: ServiceClient,
  kind: FeedKind,
  { feedIds, rentalOffset, signal }: UpdateRequest,
  layout: MessageLayout,
  name: string,
): Promise<SourceAnswer> {
  const feeds = feedIds.map((feedId) => feedOf(feedId, rentalOffset)).filter((feed) => feed?.kind === kind);
  const marketIds = feeds.flatMap((feed) => (feed ? [feed.marketId] : []));
  if (marketIds.length === 0) return { received: [], failures: [] };
  const answer = await getLatestPrices(service, { marketIds, kind, signal });

  const feedIdFor = (marketId: bigint) => feedIdOf({ marketId, kind }, rentalOffset);
  const received: ReceivedUpdate[] = [];
  const failures: SourceFailure[] = answer.rejected.map(({ marketId, error }) => ({
    feedId: feedIdFor(marketId),
    error,
  }));
  for (const { marketId, refusal } of answer.refused) {
    if (marketId === undefined || !marketIds.includes(marketId)) continue;
    const feedId = feedIdFor(marketId);
    failures.push({ feedId, error: new UpdateRefusedError(feedId, refusal, name) });
  }
  for (const item of answer.received) {
    const feedId = feedIdFor(item.marketId);
    const message = messageBytesOf(item, layout, rentalOffset);
    if (message.ok) received.push(toReceived(feedId, item, message.value));
    else failures.push({ feedId, error: new UpdateRefusedError(feedId, message.refusal, name) });
  }
  return { received, failures };
}

function toReceived(feedId: bigint, item: ReceivedPrice, messageBytes: Uint8Array): ReceivedUpdate {
  const { marketId: _marketId, kind: _kind, signature, message: _message, ...stated } = item;
  return { feedId, update: bytesToHex(encodeUpdate(messageBytes, signature)), stated };
}
