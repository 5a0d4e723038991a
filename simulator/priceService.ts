import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { bytesToHex, type Hex } from "viem";
import { listenError } from "../relayer/errors/listenErrors.ts";
import { DEFAULT_RENTAL_OFFSET, FEED_KINDS, feedIdOf } from "../relayer/message/feedId.ts";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
import { ADMIN_PATH, adminRoutes } from "./adminFace.ts";
import type { Endpoint, V2Answers } from "./endpoints/endpoint.ts";
import { ENDPOINTS } from "./endpointTable.ts";
import type { Fault } from "./faults.ts";
import { type AnsweredRequest, createHttpServer, type Route } from "./httpServer.ts";
import type { MarketTable } from "./marketTable.ts";
import type { PlanChoice } from "./plan.ts";
import { PriceSigner } from "./priceSigner.ts";
import type { PriceTable } from "./priceTable.ts";
import { searchableMarkets } from "./searchableMarkets.ts";
import type { ServiceControls } from "./serviceControls.ts";
import { createServiceSigners, secretKeyOfSeed } from "./serviceSigners.ts";
import { SimulatedService } from "./simulatedService.ts";
import type { UnmatchedAnswer } from "./world/addresses.ts";
import { Worlds } from "./worlds.ts";

/** How long a stopping service lets answers under way reach their clients before it drops every connection. */
const CLOSING_GRACE_MS = 250;

/** What is logged of a request. */
export type RequestLogEntry = Pick<AnsweredRequest, "method" | "path" | "status" | "error">;

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
  /** For the routes under `/admin`; default random, `admin_…`. */
  readonly adminKey?: string;
  /** Ed25519 seed, 32 bytes; default the one of {@link seed}, or else random. */
  readonly secretKey?: Uint8Array;
  /**
   * Makes the same keys for signing at every start, and another world of generated data for every other seed. Keys of a
   * seed are no secrets. Without one, keys are random and the world is that of seed 0.
   */
  readonly seed?: number;
  readonly layout?: MessageLayout;
  readonly rentalOffset?: bigint;
  /** What stands for the maker's name in identifiers; default `svc`. */
  readonly idPrefix?: string;
  readonly faults?: readonly Fault[];
  /** Whether a price that fails a pre-signing check fails its request (default) or is left out of the answer. */
  readonly onRefusal?: "fail" | "omit";
  /** Whether market search finds generated markets, too, or only those given and those with prices (default). */
  readonly listsGeneratedMarkets?: boolean;
  /** The form in which property search v2 answers; default the specification's. */
  readonly v2Answers?: V2Answers;
  /** What an address search says of an address without a match beside others; default a record with a null id. */
  readonly unmatchedAddresses?: UnmatchedAnswer;
  /** What the account has bought; default the paid plan. */
  readonly plan?: PlanChoice;
  /** Default: every endpoint of the service. */
  readonly endpoints?: readonly Endpoint[];
  /** How long the fault `slow` holds an answer back; default 5,000. */
  readonly slowMs?: number;
  /** Called once an answer is ready. Never learns the API key. */
  readonly log?: (entry: RequestLogEntry) => void;
};

/** A price service that listens. */
export type PriceService = ServiceControls & {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** Base address of the admin face, without a slash at the end. */
  readonly adminUrl: string;
  readonly adminKey: string;
  readonly publicKey: Hex;
  /** The key that the fault `rotated-key` signs with. */
  readonly rotatedPublicKey: Hex;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
};

/**
 * Starts a price service that follows the specification for its endpoints.
 * @throws ListenError, InvalidLayoutError, InvalidIdError, InvalidSecretKeyError, InvalidFaultError, InvalidPlanError
 */
export async function startPriceService({
  prices,
  markets,
  host = "127.0.0.1",
  port = 0,
  nowMs = () => BigInt(Date.now()),
  apiKey = `sim_${randomBytes(24).toString("base64url")}`,
  adminKey = `admin_${randomBytes(24).toString("base64url")}`,
  seed,
  secretKey = seed === undefined ? randomBytes(32) : secretKeyOfSeed(seed),
  layout = DEFAULT_LAYOUT,
  rentalOffset = DEFAULT_RENTAL_OFFSET,
  idPrefix = "svc",
  faults = [],
  onRefusal = "fail",
  listsGeneratedMarkets = false,
  v2Answers = "items",
  unmatchedAddresses = "null id",
  plan = {},
  endpoints = ENDPOINTS,
  slowMs = 5_000,
  log = () => undefined,
}: PriceServiceOptions): Promise<PriceService> {
  checkLayout(layout, rentalOffset);
  // A market id that reaches into the rental range must fail here, not in some later request.
  for (const kind of FEED_KINDS) for (const marketId of prices[kind].keys()) feedIdOf({ marketId, kind }, rentalOffset);

  const signers = createServiceSigners(secretKey);
  const service = new SimulatedService({
    prices,
    markets: searchableMarkets(prices, markets),
    worlds: new Worlds({ seed: String(seed ?? 0), prices, markets }),
    signer: new PriceSigner({ layout, rentalOffset, signers }),
    rentalOffset,
    idPrefix,
    onRefusal,
    listsGeneratedMarkets,
    v2Answers,
    unmatchedAddresses,
    endpoints,
    apiKey,
    adminKey,
    faults,
    plan,
    slowMs,
    baseMs: nowMs,
  });
  const publicKeys = {
    publicKey: bytesToHex(signers.present.publicKey),
    rotatedPublicKey: bytesToHex(signers.next.publicKey),
  };
  const app = createHttpServer({
    routes: [
      ...serviceRoutes(service, endpoints),
      ...adminRoutes({ adminKey, controls: service, rentalOffset, publicKeys }),
    ],
    nowMs: () => service.nowMs(),
    onAnswered(request) {
      const { method, path, status } = request;
      log({ method, path, status, ...("error" in request && { error: request.error }) });
      if (!path.startsWith(`${ADMIN_PATH}/`)) service.record(request);
    },
  });
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    throw listenError(host, port, cause);
  }
  const url = addressOf(app, host, port);
  return {
    url,
    apiKey,
    adminUrl: url + ADMIN_PATH,
    adminKey,
    ...publicKeys,
    requests: service.requests,
    recentRequests: () => service.recentRequests(),
    faults: () => service.faults(),
    checkFault: (fault) => service.checkFault(fault),
    setFaults: (faults) => service.setFaults(faults),
    addFaults: (faults) => service.addFaults(faults),
    setCredits: (remaining) => service.setCredits(remaining),
    setPlan: (choice) => service.setPlan(choice),
    setClock: (setting) => service.setClock(setting),
    state: () => service.state(),
    async close() {
      service.stopWaiting();
      const drop = setTimeout(() => app.server.closeAllConnections(), CLOSING_GRACE_MS);
      await app.close();
      clearTimeout(drop);
    },
  };
}

/** Every endpoint under each of its paths. */
function serviceRoutes(service: SimulatedService, endpoints: readonly Endpoint[]): Route[] {
  return endpoints.flatMap((endpoint) =>
    [endpoint.path, ...(endpoint.otherPaths ?? [])].map((path) => ({
      method: endpoint.method,
      path,
      handle: (request) => service.respond(endpoint, request),
    })),
  );
}

/** An address that a client on this computer can use. */
function addressOf(app: FastifyInstance, host: string, port: number): string {
  const address = app.server.address();
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${typeof address === "object" ? address?.port : port}`;
}
