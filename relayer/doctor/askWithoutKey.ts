import type { Configuration } from "../configuration/configurationSchema.ts";
import { configuredClient } from "../configured/configuredClient.ts";
import type { Feed } from "../message/feedId.ts";
import { getLatestPrices } from "../service/getLatestPrices.ts";
import { type ClockReading, readingClock } from "../service/serviceClock.ts";
import { ServiceError } from "../service/serviceErrors.ts";
import { listenIn } from "./listenIn.ts";
import { PATIENCE } from "./patience.ts";

/** How the service behaves towards somebody who has no key. */
export type AnswerWithoutKey = {
  /** Scheme and host. */
  readonly origin: string;
  /** What is worth knowing of the address itself, such as that it is not encrypted. */
  readonly warnings: readonly string[];
  /** The service's refusal, or why there was no answer; `undefined` when it asks for no key. */
  readonly error: ServiceError | undefined;
  readonly clock: ClockReading | undefined;
};

/** Stands where the client wants a key; it is taken out of the request again. */
const NO_KEY = "no-key-is-sent";

/** For a request that is only to show how the service answers: most likely there is no such market, and no cost. */
export const ANY_FEED: Feed = { marketId: 1n, kind: "sales" };

/**
 * Asks for a latest price without an API key, which costs nothing: the service refuses it with 401 (specification,
 * authentication), and so shows that it is there, and what time it has.
 * @throws InvalidConfigurationError, ServiceConfigurationError when there is no address, or it cannot be one.
 */
export async function askWithoutKey(configuration: Configuration, nowMs: () => bigint): Promise<AnswerWithoutKey> {
  const warnings: string[] = [];
  let clock: ClockReading | undefined;
  const fetchWithClock = readingClock(nowMs, (reading) => {
    clock = reading;
  });
  const log = { debug: () => {}, info: () => {}, warn: (_fields: unknown, message: string) => warnings.push(message) };
  const client = configuredClient({ ...configuration, apiKey: NO_KEY }, log, {
    ...PATIENCE,
    // What is refused for want of a key costs nothing.
    budget: undefined,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("Authorization");
      return fetchWithClock(input, { ...init, headers });
    },
  });
  // Later ones speak of attempts that are repeated.
  const warningsOfAddress = [...warnings];
  const listening = listenIn(client);
  let error: unknown;
  try {
    await getLatestPrices(listening.client, { marketIds: [ANY_FEED.marketId], kind: ANY_FEED.kind });
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    error = thrown;
  }
  // "Not found" and a refused market are no errors to the function; here they are what matters.
  error ??= listening.heard.flatMap((heard) => ("error" in heard ? [heard.error] : []))[0];
  return {
    origin: client.origin,
    warnings: warningsOfAddress,
    error: error instanceof ServiceError ? error : undefined,
    clock,
  };
}
