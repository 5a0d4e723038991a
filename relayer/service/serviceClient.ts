import { toDotPath } from "zod/v4/core";
import { REQUEST_SPELLINGS, type RequestSpelling, type RequestStyle } from "./buildRequest.ts";
import type { CreditBudget } from "./creditBudget.ts";
import { type CreditUse, createCreditMeter } from "./creditMeter.ts";
import { type CleanText, textCleaner } from "./foreignText.ts";
import {
  type LatestResponseFields,
  type LatestResponseFieldsInput,
  latestResponseFieldsSchema,
  resolveResponseFields,
} from "./latestResponseFields.ts";
import type { RuleContext } from "./rules/requestRule.ts";
import { type Connection, factsOf, type ServiceRequest, sendRequest } from "./sendRequest.ts";
import { type RequestFacts, ServiceConfigurationError } from "./serviceErrors.ts";
import type { ServiceLog } from "./serviceLog.ts";

export type ServiceClientOptions = {
  /** Base address, http or https, without user name and password. */
  readonly apiUrl: string;
  /** The raw key, without "Bearer". */
  readonly apiKey: string;
  /** The word that stands for the maker in identifiers; `svc` means `svc_id` and `svc_ids`. */
  readonly idPrefix?: string | undefined;
  readonly responseFields?: LatestResponseFieldsInput | undefined;
  /** Longest wait for the answer to one attempt, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, where another may help. Default 3. */
  readonly retries?: number | undefined;
  /** Wait before the second attempt, doubled and randomized for each further one. Default 1,000. */
  readonly minRetryDelayMs?: number | undefined;
  /** Longest wait between attempts, and longest Retry-After that is honoured instead of reported. Default 60,000. */
  readonly maxRetryDelayMs?: number | undefined;
  /** Longest body that is read. Default 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Ends whatever the client is doing. */
  readonly signal?: AbortSignal | undefined;
  readonly log?: ServiceLog | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Credits that requests may use. Default: as many as the account has. */
  readonly budget?: CreditBudget | undefined;
  /** How requests are spelt where specification and public clients differ. Default: as in the specification. */
  readonly requestSpelling?: RequestSpelling | undefined;
  /** Name of the list in the body of an address search. Default: the body is the bare list. */
  readonly addressListName?: string | undefined;
  /** The market that is the whole nation, in which property search wants an operator named. Default 5826765. */
  readonly nationwideMarketId?: bigint | undefined;
};

/** What the functions of this folder work with. Holds no secret that could be read from it. */
export type ServiceClient = {
  /** Scheme and host: all of the address that may be printed. */
  readonly origin: string;
  readonly idPrefix: string;
  readonly responseFields: LatestResponseFields;
  readonly style: RequestStyle;
  /** What rules go by that are checked before a request leaves. */
  readonly ruleContext: () => RuleContext;
  readonly log: ServiceLog | undefined;
  /** What this client's requests have cost, and what is left. */
  readonly creditUse: () => CreditUse;
  /** Sends one request: see {@link sendRequest} for retries and errors. */
  readonly request: (request: ServiceRequest) => Promise<unknown>;
  /** Which request an error of the caller's own speaks of. */
  readonly facts: (request: ServiceRequest) => RequestFacts;
  /** Makes text that came from the service fit for messages, should it echo the key. */
  readonly clean: CleanText;
};

/** The United States of America (observed). */
export const NATIONWIDE_MARKET_ID = 5_826_765n;

const ID_PREFIX = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * A client of the price service. Nothing is sent yet.
 * @throws ServiceConfigurationError
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { idPrefix = "svc", responseFields = {}, log } = options;
  const apiUrl = readApiUrl(options.apiUrl);
  const apiKey = readApiKey(options.apiKey);
  if (!ID_PREFIX.test(idPrefix)) {
    throw new ServiceConfigurationError(
      "INVALID_SERVICE_OPTIONS",
      "idPrefix is not a word",
      "Give the word that stands before _id in the service's identifiers, such as svc.",
    );
  }
  const spelling = options.requestSpelling ?? "specification";
  if (!REQUEST_SPELLINGS.includes(spelling)) {
    throw new ServiceConfigurationError(
      "INVALID_SERVICE_OPTIONS",
      "requestSpelling is not known",
      `Use one of ${REQUEST_SPELLINGS.join(", ")}.`,
    );
  }
  const fields = latestResponseFieldsSchema.safeParse(responseFields);
  if (!fields.success) {
    const problems = fields.error.issues.map(({ path, message }) => `${toDotPath(path)}: ${message}`);
    throw new ServiceConfigurationError(
      "INVALID_SERVICE_OPTIONS",
      `responseFields ${problems.join("; ")}`,
      "Correct responseFields: names of fields of a latest answer.",
    );
  }
  if (apiUrl.protocol === "http:" && !isLoopback(apiUrl.hostname)) {
    log?.warn(
      { origin: apiUrl.origin },
      "the API key travels unencrypted: the price service's address is http, not https",
    );
  }
  const connection: Connection = {
    apiUrl,
    apiKey,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    minRetryDelayMs: options.minRetryDelayMs ?? 1_000,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 60_000,
    maxResponseBytes: options.maxResponseBytes ?? 32 * 1024 * 1024,
    signal: options.signal,
    log,
    fetch: options.fetch ?? globalThis.fetch,
    clean: textCleaner(apiKey),
    credits: createCreditMeter(options.budget),
    accountPaths: [...new Set([fields.data.account, "account", "account_info"])],
  };
  // The key lives in these closures only; what is printed of a client cannot show it.
  return {
    origin: apiUrl.origin,
    idPrefix,
    responseFields: resolveResponseFields(fields.data, idPrefix),
    style: { idPrefix, spelling, addressListName: options.addressListName },
    ruleContext: () => ({ nationwideMarketId: options.nationwideMarketId ?? NATIONWIDE_MARKET_ID }),
    log,
    creditUse: connection.credits.use,
    request: (request) => sendRequest(connection, request),
    facts: (request) => factsOf(connection, request),
    clean: (text, maxLength) => connection.clean(text, maxLength),
  };
}

function readApiUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ServiceConfigurationError(
      "INVALID_API_URL",
      "the API URL is not an http or https address",
      "Set HOMEPRICE_API_URL to the base address of the service, such as https://api.example.com.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ServiceConfigurationError(
      "INVALID_API_URL",
      `the API URL for ${url.origin} holds a user name or password`,
      "Remove them from HOMEPRICE_API_URL: the service takes its API key in the Authorization header and nothing else.",
    );
  }
  url.hash = "";
  return url;
}

function readApiKey(key: string): string {
  const hint = "Give the raw key in HOMEPRICE_API_KEY, as the service issued it: no Bearer, no quotes, no line break.";
  if (/^\s*bearer(\s|$)/i.test(key)) {
    throw new ServiceConfigurationError("INVALID_API_KEY", 'the API key begins with "Bearer": give the raw key', hint);
  }
  if (key.trim() === "") {
    throw new ServiceConfigurationError("INVALID_API_KEY", "the API key is empty: give the raw key", hint);
  }
  // Visible ASCII is all that a header value can safely carry.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ServiceConfigurationError(
      "INVALID_API_KEY",
      "the API key holds spaces, line breaks or other characters that no key has: give the raw key",
      hint,
    );
  }
  return key;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}
