import { formatTimeMs } from "../relayer/message/timeWindows.ts";
import type { AnsweredRequest } from "./httpServer.ts";

/** Requests that are remembered. */
const MOST_REQUESTS = 100;

/** Characters of a body that are shown. */
const MOST_BODY_CHARACTERS = 2_000;

/** Names of parameters whose values may be somebody's secrets. */
const SECRET_NAME = /key|token|secret|password|auth|signature/i;

const HIDDEN = "…";

/** A request as the service saw it, without secrets. */
export type SeenRequest = {
  /** ISO 8601, by the service's clock; `null` when that broke down. */
  readonly time: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: "valid" | "invalid" | "absent";
  /** Cut after 2,000 characters. */
  readonly body: string;
  readonly status: number;
};

/** The last requests, oldest first. */
export class RequestLog {
  readonly #secrets: readonly string[];
  readonly #requests: SeenRequest[] = [];

  /** @param secrets Never shown, wherever a client has put them. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  record(request: AnsweredRequest, isAuthorized: boolean): void {
    const { receivedAtMs, method, path, query, authorization, bodyText, status } = request;
    const visible = (name: string, value: string) => (SECRET_NAME.test(name) ? HIDDEN : this.#hideSecrets(value));
    this.#requests.push({
      time: receivedAtMs === undefined ? null : formatTimeMs(receivedAtMs),
      method,
      path: this.#hideSecrets(path),
      query: Object.fromEntries([...query].map(([name, value]) => [name, visible(name, value)])),
      authorization: authorization === undefined ? "absent" : isAuthorized ? "valid" : "invalid",
      body: this.#hideSecrets(bodyText).slice(0, MOST_BODY_CHARACTERS),
      status,
    });
    if (this.#requests.length > MOST_REQUESTS) this.#requests.shift();
  }

  list(): readonly SeenRequest[] {
    return [...this.#requests];
  }

  #hideSecrets(text: string): string {
    return this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  }
}
