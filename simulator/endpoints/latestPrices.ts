import { type FeedKind, feedIdOf, isMarketId } from "../../relayer/message/feedId.ts";
import {
  type Answer,
  accountBlock,
  creditLimitAnswer,
  detailAnswer,
  jsonAnswer,
  serverErrorAnswer,
} from "../answer.ts";
import { creditCost } from "../creditCosts.ts";
import { type Edition, editionAt, editionBefore } from "../edition.ts";
import type { ItemFaultKind } from "../faultEffects.ts";
import type { FeedFaultKind } from "../faults.ts";
import { type PriceItem, priceItemJson } from "../priceItem.ts";
import type { PriceToSign } from "../priceSigner.ts";
import { latestSourcePrice } from "../priceTable.ts";
import type { EndpointRequest, ServiceState } from "./endpoint.ts";
import type { DataSource, ReadRequest } from "./simulatedEndpoint.ts";

type MarketIds = { readonly svc_ids: readonly bigint[] };

/** The newest price of each market, signed. */
export function latestPrices(kind: FeedKind): DataSource<MarketIds> {
  return {
    answer(request, service) {
      // A cache that mixes the kinds up has the other kind's answer under the same ids.
      const isMixedUp = kind === "rental" && request.faults.has("sales-for-rental");
      return answer(isMixedUp ? "sales" : kind, request, service);
    },
  };
}

function answer(kind: FeedKind, request: ReadRequest<MarketIds>, service: ServiceState): Answer {
  const { nowMs, values } = request;
  const { credits } = service;

  const editions = { newest: servedEdition(request, false), late: servedEdition(request, true) };
  const wanted: PriceToSign[] = [];
  // Bulk answers of the service are ordered by market id, highest first.
  for (const marketId of [...new Set(values.svc_ids)].sort((a, b) => (a < b ? 1 : -1))) {
    const faults = feedFaults(marketId, kind, request, service);
    if (faults.includes("server-error")) return serverErrorAnswer();
    const edition = faults.includes("late-edition") ? editions.late : editions.newest;
    const row = latestSourcePrice(service.prices, marketId, kind, edition.date);
    if (row && !faults.includes("omitted")) {
      wanted.push({ marketId, kind, row, edition, faults: faults.filter(isItemFault) });
    }
  }
  const nothingFound = detailAnswer(404, `No latest ${kind} price for the given markets`);
  if (wanted.length === 0) return nothingFound;

  const mostCredits = creditCost("dated-row", wanted.length);
  if (!credits.canSpend(mostCredits, nowMs)) return creditLimitAnswer(mostCredits, credits.remaining(nowMs));
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
  const cost = creditCost("dated-row", items.length);
  return jsonAnswer(200, {
    items: items.map((item) => priceItemJson(item, service.idPrefix)),
    account: accountBlock(cost, credits.spend(cost, nowMs)),
  });
}

/** The edition that is out, or the one before while it is late, with the times that the service's clock gave it. */
function servedEdition({ nowMs, clockSkewMs }: EndpointRequest, isLate: boolean): Edition {
  const newest = editionAt(nowMs - clockSkewMs);
  const edition = isLate ? editionBefore(newest) : newest;
  const { publishTimeMs, expiryMs } = edition;
  return { ...edition, publishTimeMs: publishTimeMs + clockSkewMs, expiryMs: expiryMs + clockSkewMs };
}

function feedFaults(marketId: bigint, kind: FeedKind, { faults }: EndpointRequest, { rentalOffset }: ServiceState) {
  return isMarketId(marketId, rentalOffset) ? faults.ofFeed(feedIdOf({ marketId, kind }, rentalOffset)) : [];
}

function isItemFault(kind: FeedFaultKind): kind is ItemFaultKind {
  return kind !== "omitted" && kind !== "server-error" && kind !== "late-edition";
}
