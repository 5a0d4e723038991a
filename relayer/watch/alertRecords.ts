import { HomePriceError } from "../errors/HomePriceError.ts";
import type { AlertRecord, Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";

/**
 * The journal's alerts, and what stands in for them while the journal fails: the last that was read, with the changes
 * that could not be written, which are written as soon as that works again.
 */
export class AlertRecords {
  readonly #journal: Pick<Journal, "alerts" | "putAlert" | "removeAlert">;
  readonly #log: Logger;
  #read: readonly AlertRecord[] = [];
  /** Changes that are not in the journal yet; `undefined` stands for a removal. */
  readonly #unwritten = new Map<string, AlertRecord | undefined>();
  #problem: string | undefined;

  constructor(journal: Pick<Journal, "alerts" | "putAlert" | "removeAlert">, log: Logger) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Why the journal failed the last time, in a few words. */
  get problem(): string | undefined {
    return this.#problem;
  }

  known(): AlertRecord[] {
    const byKey = new Map(this.#read.map((record) => [record.key, record]));
    for (const [key, record] of this.#unwritten) {
      if (record) byKey.set(key, record);
      else byKey.delete(key);
    }
    return [...byKey.values()];
  }

  /** Writes what is left to write, and reads what others have written. */
  async refresh(): Promise<void> {
    await this.#guarded(async () => {
      await this.#flush();
      this.#read = await this.#journal.alerts();
    });
  }

  async put(record: AlertRecord): Promise<void> {
    await this.#change(record.key, record);
  }

  async remove(key: string): Promise<void> {
    await this.#change(key, undefined);
  }

  async #change(key: string, record: AlertRecord | undefined): Promise<void> {
    this.#unwritten.set(key, record);
    await this.#guarded(() => this.#flush());
  }

  async #flush(): Promise<void> {
    if (this.#problem !== undefined && this.#unwritten.size > 0) await this.#reconsider();
    for (const [key, record] of [...this.#unwritten]) {
      if (record) await this.#journal.putAlert(record);
      else await this.#journal.removeAlert(key);
      this.#read = [...this.#read.filter((other) => other.key !== key), ...(record ? [record] : [])];
      this.#unwritten.delete(key);
    }
  }

  /** Another process may have written before us, once the journal was back: what it has told stays told. */
  async #reconsider(): Promise<void> {
    const before = new Map(this.#read.map((record) => [record.key, record]));
    this.#read = await this.#journal.alerts();
    for (const written of this.#read) {
      if (!this.#unwritten.has(written.key)) continue;
      const mine = this.#unwritten.get(written.key);
      if (mine) this.#unwritten.set(written.key, joined(mine, written));
      // Not the one that is over: it has come back since.
      else if (written.sinceMs !== before.get(written.key)?.sinceMs) this.#unwritten.delete(written.key);
    }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#problem = undefined;
    } catch (error) {
      const problem = describe(error);
      if (this.#problem !== problem) this.#log.error({ problem }, "the journal's alerts are out of reach");
      this.#problem = problem;
    }
  }
}

/** What two processes know of one alert: since when it stands, and when it was told last by either. */
function joined(mine: AlertRecord, written: AlertRecord): AlertRecord {
  const [first] = [mine, written].toSorted((a, b) => Number(a.sinceMs - b.sinceMs));
  const isMineLater = (mine.toldAtMs ?? -1n) > (written.toldAtMs ?? -1n);
  return { ...mine, ...(first && { sinceMs: first.sinceMs }), toldAtMs: (isMineLater ? mine : written).toldAtMs };
}

/** Ours say what is wrong without secrets; of others only the code is known not to hold any. */
function describe(error: unknown): string {
  if (error instanceof HomePriceError) return error.message;
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
