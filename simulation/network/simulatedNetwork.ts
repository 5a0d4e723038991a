import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import { NoAnswer } from "./noAnswer.ts";

export type SiteRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
};

export type SiteAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the connection breaks off in the middle of the text. */
  readonly isCutOff?: boolean | undefined;
};

/** Something that answers HTTP requests. */
export type Site = {
  /** What the kernel and its crash points call requests to it. */
  readonly kind: string;
  /** How long a request, and its answer, are on their way: least and most, in milliseconds. */
  readonly latencyMs: readonly [least: number, most: number];
  /** A request, for the trace. */
  readonly describe: (request: SiteRequest) => string;
  /** @throws NoAnswer */
  readonly answer: (request: SiteRequest) => Promise<SiteAnswer>;
};

/** The way between the simulated processes and everything that they reach over HTTP. It stands in for `fetch`. */
export class SimulatedNetwork {
  readonly #sites = new Map<string, Site>();
  readonly #kernel: Kernel;
  readonly #randomness: Randomness;

  constructor(kernel: Kernel, randomness: Randomness) {
    this.#kernel = kernel;
    this.#randomness = randomness;
  }

  /** @param origin Scheme and host. */
  serve(origin: string, site: Site): void {
    this.#sites.set(origin, site);
  }

  /** Puts this network in the place of the process's own; answers how to take it away again. */
  install(): () => void {
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => this.#fetch(input, init);
    return () => {
      globalThis.fetch = fetch;
    };
  }

  async #fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const sent = input instanceof Request ? new Request(input, init) : undefined;
    const url = new URL(sent?.url ?? String(input));
    const signal = init.signal ?? sent?.signal;
    signal?.throwIfAborted();
    const request: SiteRequest = {
      method: sent?.method ?? init.method ?? "GET",
      url,
      headers: new Headers(sent?.headers ?? init.headers),
      body: sent ? await sent.text() : String(init.body ?? ""),
    };
    const answered = this.#ask(request);
    if (!signal) return answered;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([answered, aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
      // What comes after nobody waits for it any more.
      answered.catch(() => undefined);
    }
  }

  async #ask(request: SiteRequest): Promise<Response> {
    const site = this.#sites.get(request.url.origin);
    if (!site) throw refused(`getaddrinfo ENOTFOUND ${request.url.hostname}`, "ENOTFOUND");
    const [least, most] = site.latencyMs;
    try {
      const answer = await this.#kernel.ask({
        kind: site.kind,
        what: site.describe(request),
        askingMs: this.#randomness.between(least, most),
        answeringMs: this.#randomness.between(least, most),
        perform: () => site.answer(request),
        describe: ({ status, text }) => `${status} ${shortened(text)}`,
      });
      return toResponse(answer);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (error.reason === "refused") throw refused(`connect ECONNREFUSED ${request.url.host}`, "ECONNREFUSED");
      // Until whoever asked gives up.
      return new Promise(() => undefined);
    }
  }
}

/** What `fetch` throws when there is no connection. */
function refused(message: string, code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

function toResponse({ status, contentType, text, headers = {}, isCutOff }: SiteAnswer): Response {
  const body = isCutOff ? brokenOff(text) : text;
  return new Response(status === 204 ? null : body, { status, headers: { ...headers, "content-type": contentType } });
}

function brokenOff(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) return controller.error(new TypeError("terminated"));
      isBegun = true;
      controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  });
}

function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 112)}… (${text.length})`;
}
