import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { bytesToHex, type Hex } from "viem";
import { DEFAULT_RENTAL_OFFSET, FEED_KINDS, feedIdOf } from "../relayer/message/feedId.ts";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
import { denyAccess, type Plan } from "./access.ts";
import type { Answer } from "./answer.ts";
import { CreditAccount } from "./creditAccount.ts";
import type { Endpoint, ServiceState } from "./endpoints/endpoint.ts";
import { latestRentalPrices, latestSalesPrices } from "./endpoints/latestPrices.ts";
import { marketSearch } from "./endpoints/marketSearch.ts";
import { type Fault, FaultSet } from "./faults.ts";
import { createHttpServer, type ReceivedRequest, type RequestLogEntry } from "./httpServer.ts";
import { listenError } from "./listenErrors.ts";
import type { MarketTable } from "./marketTable.ts";
import { createMessageSigner } from "./messageSigner.ts";
import { PriceSigner } from "./priceSigner.ts";
import type { PriceTable } from "./priceTable.ts";
import { searchableMarkets } from "./searchableMarkets.ts";

const ENDPOINTS: readonly Endpoint[] = [latestSalesPrices, latestRentalPrices, marketSearch];

/** How long a stopping service lets answers under way reach their clients before it drops every connection. */
const CLOSING_GRACE_MS = 250;

export type PriceServiceOptions = {
  readonly prices: PriceTable;
  /** Records for the market search, beside those of the price table. */
  readonly markets?: MarketTable;
  /** Address to listen at; default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** The clock that decides which edition is current, Unix milliseconds; default the system's. */
  readonly nowMs?: () => bigint;
  /** Default random, `sim_…`. */
  readonly apiKey?: string;
  /** Ed25519 seed, 32 bytes; default random. */
  readonly secretKey?: Uint8Array;
  readonly layout?: MessageLayout;
  readonly rentalOffset?: bigint;
  /** What stands for the maker's name in identifiers; default `svc`. */
  readonly idPrefix?: string;
  readonly faults?: readonly Fault[];
  /** Whether a price that fails a pre-signing check fails its request (default) or is left out of the answer. */
  readonly onRefusal?: "fail" | "omit";
  /** Default: every endpoint. */
  readonly plan?: Plan;
  /** Credits of each thirty days; default 1,000,000, the paid plan's. */
  readonly monthlyCredits?: number;
  /** How long the fault `slow` holds an answer back; default 5,000. */
  readonly slowMs?: number;
  /** Called once an answer is ready. Never learns the API key. */
  readonly log?: (entry: RequestLogEntry) => void;
};

/** A price service that listens. */
export type PriceService = {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly publicKey: Hex;
  /** Requests received so far by the path of the endpoint, refused ones included. */
  readonly requests: Readonly<Record<string, number>>;
  /** Replaces the faults in force. */
  setFaults(faults: readonly Fault[]): void;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
};

/**
 * Starts a price service that follows the specification for the latest prices and the market search.
 * @throws ListenError, InvalidLayoutError, InvalidIdError, InvalidSecretKeyError
 */
export async function startPriceService({
  prices,
  markets,
  host = "127.0.0.1",
  port = 0,
  nowMs = () => BigInt(Date.now()),
  apiKey = `sim_${randomBytes(24).toString("base64url")}`,
  secretKey = randomBytes(32),
  layout = DEFAULT_LAYOUT,
  rentalOffset = DEFAULT_RENTAL_OFFSET,
  idPrefix = "svc",
  faults: initialFaults = [],
  onRefusal = "fail",
  plan,
  monthlyCredits = 1_000_000,
  slowMs = 5_000,
  log = () => undefined,
}: PriceServiceOptions): Promise<PriceService> {
  checkLayout(layout, rentalOffset);
  // A market id that reaches into the rental range must fail here, not in some later request.
  for (const kind of FEED_KINDS) for (const marketId of prices[kind].keys()) feedIdOf({ marketId, kind }, rentalOffset);

  const signer = createMessageSigner(secretKey);
  const foreignSigner = createMessageSigner(randomBytes(32));
  const service: ServiceState = {
    prices,
    markets: searchableMarkets(prices, markets),
    signer: new PriceSigner({ layout, rentalOffset, signer, foreignSigner }),
    credits: new CreditAccount(monthlyCredits, nowMs()),
    rentalOffset,
    idPrefix,
    onRefusal,
  };
  const requests: Record<string, number> = Object.fromEntries(ENDPOINTS.map(({ path }) => [path, 0]));
  let faults = new FaultSet(initialFaults);
  const closing = new AbortController();

  const respond = async (endpoint: Endpoint, request: ReceivedRequest): Promise<Answer> => {
    requests[endpoint.path] = (requests[endpoint.path] ?? 0) + 1;
    const inForce = faults;
    // Closing cuts the wait short.
    if (inForce.has("slow")) await sleep(slowMs, undefined, { signal: closing.signal }).catch(() => undefined);
    const denied = denyAccess(request.authorization, endpoint, inForce, { apiKey, plan });
    return denied ?? garble(endpoint.answer({ ...request, nowMs: nowMs(), faults: inForce }, service), inForce);
  };

  const app = createHttpServer({ endpoints: ENDPOINTS, respond, log });
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    throw listenError(host, port, cause);
  }
  return {
    url: addressOf(app, host, port),
    apiKey,
    publicKey: bytesToHex(signer.publicKey),
    requests,
    setFaults(replacing) {
      faults = new FaultSet(replacing);
    },
    async close() {
      closing.abort();
      const drop = setTimeout(() => app.server.closeAllConnections(), CLOSING_GRACE_MS);
      await app.close();
      clearTimeout(drop);
    },
  };
}

/** Faults that spoil an answer on its way out. */
function garble(answer: Answer, faults: FaultSet): Answer {
  if (faults.has("not-json")) {
    return { status: 200, contentType: "text/html; charset=utf-8", text: "<!doctype html><title>Please wait</title>" };
  }
  if (faults.has("truncated")) return { ...answer, text: answer.text.slice(0, answer.text.length / 2) };
  return answer;
}

/** An address that a client on this computer can use. */
function addressOf(app: FastifyInstance, host: string, port: number): string {
  const address = app.server.address();
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${typeof address === "object" ? address?.port : port}`;
}
