import { hostOf } from "../chain/rpcError.ts";
import type { Logger } from "../logging/logger.ts";
import type { Health } from "./health.ts";
import { type NotificationPatience, sendNotification } from "./sendNotification.ts";

export type HeartbeatOptions = NotificationPatience & {
  /** A secret: whoever has it can pretend that all is well. */
  readonly url: string;
  readonly log: Logger;
  /** Called with every outcome. */
  readonly onSent?: ((delivered: boolean) => void) | undefined;
};

/** What healthchecks.io answers, with status 200, to a ping that does not count. */
const IGNORED_PING = /^OK \((?:not found|rate limited)\)/i;

/**
 * Tells a service elsewhere that this process is alive and doing its job, by a plain GET of one URL. A machine that is
 * dead, asleep or cut off cannot report itself; the service notices that no ping comes.
 *
 * Only health is pinged. While the process is not healthy nothing is sent, so that the service raises its alarm; the log
 * says that pings are held back, and why.
 */
export class Heartbeat {
  readonly #url: string;
  readonly #host: string;
  readonly #log: Logger;
  readonly #patience: NotificationPatience;
  readonly #onSent: ((delivered: boolean) => void) | undefined;
  #isHeldBack = false;

  constructor({ url, log, onSent, ...patience }: HeartbeatOptions) {
    this.#url = url;
    this.#host = hostOf(url);
    this.#log = log;
    this.#onSent = onSent;
    this.#patience = patience;
  }

  /** Pings if all is well. Returns whether a ping was taken; never throws. */
  async beat({ ok, reasons }: Health): Promise<boolean> {
    if (!ok) {
      if (!this.#isHeldBack) this.#log.warn({ heartbeat: this.#host, reasons }, "heartbeats are held back");
      this.#isHeldBack = true;
      return false;
    }
    if (this.#isHeldBack) this.#log.info({ heartbeat: this.#host }, "heartbeats go on");
    this.#isHeldBack = false;
    const outcome = await sendNotification({ url: this.#url, method: "GET" }, this.#patience);
    const problem = !outcome.taken ? outcome.reason : IGNORED_PING.test(outcome.answer) ? outcome.answer : undefined;
    if (problem !== undefined) this.#log.warn({ heartbeat: this.#host, reason: problem }, "a heartbeat was not taken");
    this.#onSent?.(problem === undefined);
    return problem === undefined;
  }
}
