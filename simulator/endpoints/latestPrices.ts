import { type FeedKind, feedIdOf, isMarketId } from "../../relayer/message/feedId.ts";
import { type Answer, accountBlock, detailAnswer, jsonAnswer, serverErrorAnswer, tooManyAnswer } from "../answer.ts";
import { editionAt, editionBefore } from "../edition.ts";
import type { ItemFaultKind } from "../faultEffects.ts";
import { parseMarketIdList } from "../marketIdList.ts";
import { type PriceItem, priceItemJson } from "../priceItem.ts";
import type { PriceToSign } from "../priceSigner.ts";
import { latestSourcePrice } from "../priceTable.ts";
import type { Endpoint, EndpointRequest, ServiceState } from "./endpoint.ts";

/** POST /v1/price_feed/latest: the newest sales price of each market, signed. */
export const latestSalesPrices: Endpoint = latestPrices("sales", "/v1/price_feed/latest");

/** POST /v1/price_feed_rentals/latest: the newest rental price of each market, signed. */
export const latestRentalPrices: Endpoint = latestPrices("rental", "/v1/price_feed_rentals/latest");

function latestPrices(kind: FeedKind, path: string): Endpoint {
  return { method: "POST", path, costsCredits: true, answer: (request, service) => answer(kind, request, service) };
}

function answer(kind: FeedKind, request: EndpointRequest, service: ServiceState): Answer {
  const ids = parseMarketIdList(request.bodyText, service.idPrefix);
  if (!ids.ok) return ids.answer;
  const { nowMs } = request;

  const wanted: PriceToSign[] = [];
  // Bulk answers of the service are ordered by market id, highest first.
  for (const marketId of ids.value.toSorted((a, b) => (a < b ? 1 : -1))) {
    const faults = feedFaults(marketId, kind, request, service);
    if (faults.includes("server-error")) return serverErrorAnswer();
    const edition = request.faults.has("yesterday") ? editionBefore(editionAt(nowMs)) : editionAt(nowMs);
    const row = latestSourcePrice(service.prices, marketId, kind, edition.date);
    if (row && !faults.includes("omitted")) {
      wanted.push({ marketId, kind, row, edition, faults: faults.filter(isItemFault) });
    }
  }
  const nothingFound = detailAnswer(404, `No latest ${kind} price for the given markets`);
  if (wanted.length === 0) return nothingFound;

  // One credit a row, and a request that would exceed the credits is refused before it runs.
  const remaining = service.credits.remaining(nowMs);
  if (wanted.length > remaining) {
    return tooManyAnswer(`Credit limit exceeded: ${wanted.length} credits needed, ${remaining} credits remaining`);
  }
  const items: PriceItem[] = [];
  for (const price of wanted) {
    const signed = service.signer.sign(price, nowMs);
    if (signed.ok) {
      items.push(signed.value);
    } else if (service.onRefusal === "fail") {
      const { code, message } = signed.refusal;
      return detailAnswer(422, `Market ${price.marketId} (${kind}) fails a pre-signing check, ${code}: ${message}`);
    }
  }
  if (items.length === 0) return nothingFound;
  service.credits.spend(items.length);
  return jsonAnswer(200, {
    items: items.map((item) => priceItemJson(item, service.idPrefix)),
    account: accountBlock(items.length, remaining - items.length),
  });
}

function feedFaults(marketId: bigint, kind: FeedKind, { faults }: EndpointRequest, { rentalOffset }: ServiceState) {
  return isMarketId(marketId, rentalOffset) ? faults.ofFeed(feedIdOf({ marketId, kind }, rentalOffset)) : [];
}

function isItemFault(kind: string): kind is ItemFaultKind {
  return kind !== "omitted" && kind !== "server-error";
}
