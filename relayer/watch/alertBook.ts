import type { AlertRecord, Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import { type AlertIdentity, alertKeyOf, readAlertKey } from "./alertKey.ts";
import type { Alert, AlertMessage } from "./alertMessage.ts";
import { alertPatienceMs } from "./alertPatience.ts";
import { AlertRecords } from "./alertRecords.ts";
import type { Condition } from "./condition.ts";
import type { Webhook } from "./webhook.ts";

/** Something that stands, told already or not. */
export type StandingAlert = AlertIdentity & Pick<AlertRecord, "severity" | "message" | "sinceMs">;

export type AlertBookOptions = {
  readonly journal: Pick<Journal, "alerts" | "putAlert" | "removeAlert">;
  /** Without one, the log alone tells. */
  readonly webhook: Pick<Webhook, "send"> | undefined;
  readonly log: Logger;
  /** What still stands after that long is told again. */
  readonly repeatAfterMs: number;
  /** After a message that was not taken, the next is not tried before that long. */
  readonly pauseAfterFailureMs?: number;
};

const DEFAULT_PAUSE_MS = 30_000;

/**
 * Tells people of conditions: once when they have stood for as long as their kind must ({@link alertPatienceMs}), again
 * while they last, and when they are over. What has been told is in the journal, so that neither a restart nor another
 * process that shares it tells the same again. It is written down after it was delivered: what a crash or a webhook that
 * is down has kept back is told later, at least once.
 *
 * Works without its journal, too, from memory, and writes down what it has missed as soon as it can.
 */
export class AlertBook {
  readonly #records: AlertRecords;
  readonly #webhook: Pick<Webhook, "send"> | undefined;
  readonly #log: Logger;
  readonly #repeatAfterMs: bigint;
  readonly #pauseAfterFailureMs: bigint;
  #silentUntilMs = 0n;
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** What to do about the conditions that this process has seen; the journal does not keep that. */
  readonly #hints = new Map<string, string>();
  /** Conditions that are over, whose end has not been told yet. */
  readonly #over = new Set<string>();
  /** What the log has been told while the webhook has not taken it: once is enough. */
  readonly #logged = new Set<string>();

  constructor({ journal, webhook, log, repeatAfterMs, pauseAfterFailureMs = DEFAULT_PAUSE_MS }: AlertBookOptions) {
    this.#records = new AlertRecords(journal, log);
    this.#webhook = webhook;
    this.#log = log;
    this.#repeatAfterMs = BigInt(repeatAfterMs);
    this.#pauseAfterFailureMs = BigInt(pauseAfterFailureMs);
  }

  /** Why the journal could not be read or written the last time, in a few words. */
  get journalProblem(): string | undefined {
    return this.#records.problem;
  }

  /** What stood when the journal was looked at last, in all scopes. */
  standing(): StandingAlert[] {
    return this.#records.known().flatMap((record) => {
      const identity = readAlertKey(record.key);
      const { severity, message, sinceMs } = record;
      return identity && !this.#over.has(record.key) ? [{ ...identity, severity, message, sinceMs }] : [];
    });
  }

  /** Takes these for all that stands in a scope from now on, and tells what is due. */
  reconcile(scope: string, conditions: readonly Condition[], nowMs: bigint): Promise<void> {
    return this.#inTurn(async () => {
      await this.#note(scope, conditions, nowMs);
      await this.#tell([scope], nowMs);
    });
  }

  /** Tells what is due in some scopes: what has stood for long enough by now, and what was not delivered before. */
  tellDue(scopes: readonly string[], nowMs: bigint): Promise<void> {
    return this.#inTurn(async () => {
      await this.#records.refresh();
      await this.#tell(scopes, nowMs);
    });
  }

  /** Forgets alerts of scopes that nobody watches any more, such as a chain that was taken out of the configuration. */
  forgetScopes(isWatched: (scope: string, lastTouchedMs: bigint) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      await this.#records.refresh();
      for (const { key, message, sinceMs, toldAtMs } of this.#records.known()) {
        const identity = readAlertKey(key);
        if (identity && isWatched(identity.scope, toldAtMs ?? sinceMs)) continue;
        this.#log.info({ ...identity, alert: message }, "an alert is forgotten: nobody watches its place any more");
        await this.#forget(key);
      }
    });
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    await this.#lastTurn;
  }

  /** One after the other: two that overlap would tell the same twice. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  async #note(scope: string, conditions: readonly Condition[], nowMs: bigint): Promise<void> {
    await this.#records.refresh();
    const standing = new Map(conditions.map((condition) => [alertKeyOf({ scope, ...condition }), condition]));
    const before = new Map(this.#recordsOf([scope]).map((record) => [record.key, record]));
    for (const [key, { kind, severity, message, hint }] of standing) {
      this.#over.delete(key);
      this.#hints.set(key, hint);
      const known = before.get(key);
      // What gets worse is told anew.
      const isWorse = known?.severity === "warning" && severity === "critical";
      const sinceMs = known && known.sinceMs < nowMs ? known.sinceMs : nowMs;
      const record = { key, kind, severity, message, sinceMs, toldAtMs: isWorse ? undefined : known?.toldAtMs };
      if (!known || !isSame(known, record)) await this.#records.put(record);
    }
    for (const { key, kind, toldAtMs, sinceMs } of before.values()) {
      if (standing.has(key)) continue;
      // What came and went while it was waited for is nobody's concern; what should have been told still is.
      if (toldAtMs !== undefined || nowMs - sinceMs >= alertPatienceMs(kind)) this.#over.add(key);
      else await this.#forget(key);
    }
  }

  async #tell(scopes: readonly string[], nowMs: bigint): Promise<void> {
    const records = this.#recordsOf(scopes);
    const over = records.filter(({ key }) => this.#over.has(key));
    const due = records.filter((record) => !this.#over.has(record.key) && this.#isDue(record, nowMs));
    if (over.length + due.length === 0 || nowMs < this.#silentUntilMs) return;
    if (due.length > 0 && (await this.#deliver("firing", due, nowMs))) {
      for (const record of due) await this.#records.put({ ...record, toldAtMs: nowMs });
    }
    if (over.length > 0 && (await this.#deliver("resolved", over, nowMs))) {
      for (const { key } of over) await this.#forget(key);
    }
  }

  #isDue({ kind, sinceMs, toldAtMs }: AlertRecord, nowMs: bigint): boolean {
    if (toldAtMs === undefined) return nowMs - sinceMs >= alertPatienceMs(kind);
    // Also one that was told in a future which a corrected clock has taken back.
    return nowMs - toldAtMs >= this.#repeatAfterMs || toldAtMs - nowMs > this.#repeatAfterMs;
  }

  /** Tells the log, once, and the webhook. Returns whether it is done. */
  async #deliver(status: AlertMessage["status"], records: readonly AlertRecord[], nowMs: bigint): Promise<boolean> {
    const alerts = records.flatMap((record): Alert[] => {
      const { key, severity, message, sinceMs } = record;
      const identity = readAlertKey(key);
      if (!identity) return [];
      // What another process has seen, it alone knows the hint of.
      const hint = this.#hints.get(key) ?? `docs/operators.md says what to do about ${identity.kind}.`;
      return [{ ...identity, severity, message, hint: status === "firing" ? hint : "", sinceMs }];
    });
    for (const alert of alerts) this.#logOnce(status, alert);
    const isDelivered = (await this.#webhook?.send({ status, alerts })) ?? true;
    if (isDelivered) for (const alert of alerts) this.#logged.delete(`${status} ${alertKeyOf(alert)}`);
    else this.#silentUntilMs = nowMs + this.#pauseAfterFailureMs;
    return isDelivered;
  }

  #logOnce(status: AlertMessage["status"], { message, sinceMs, ...alert }: Alert): void {
    const line = `${status} ${alertKeyOf(alert)}`;
    if (this.#logged.has(line)) return;
    this.#logged.add(line);
    const fields = { ...alert, since: new Date(Number(sinceMs)).toISOString() };
    if (status === "firing") this.#log.error(fields, `alert: ${message}`);
    else this.#log.info(fields, `recovered: ${message}`);
  }

  async #forget(key: string): Promise<void> {
    await this.#records.remove(key);
    this.#over.delete(key);
    this.#hints.delete(key);
    this.#logged.delete(`firing ${key}`);
    this.#logged.delete(`resolved ${key}`);
  }

  #recordsOf(scopes: readonly string[]): AlertRecord[] {
    return this.#records.known().filter(({ key }) => scopes.includes(readAlertKey(key)?.scope ?? ""));
  }
}

function isSame(a: AlertRecord, b: AlertRecord): boolean {
  return a.severity === b.severity && a.message === b.message && a.sinceMs === b.sinceMs && a.toldAtMs === b.toldAtMs;
}
