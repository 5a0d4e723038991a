import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editionOfDay } from "../../simulator/edition.ts";

/** Ten minutes into an edition: it is out, and the one before it is still served. */
const AFTER_PUBLISHING_MS = 600_000;
const DAY_MS = 86_400_000;

/** How long processes take to notice that the clock was moved. */
const NOTICED_AFTER_MS = 100;

/** The clock that the processes of a test share and the test moves, from one edition to the next. */
export class MovableClock {
  readonly #file: string;
  #aheadMs = 0;
  #day: number;

  /** @param folder Where to keep the file that the processes follow. */
  constructor(folder: string) {
    this.#file = join(folder, "clock");
    // The whole of the first edition is before us, at whatever time of day the test is started.
    this.#day = Math.floor(Date.now() / DAY_MS) + 1;
    this.#set();
  }

  /** Node's arguments and the environment of a process that follows this clock. */
  get nodeArguments(): readonly string[] {
    return ["--import", join(import.meta.dirname, "followClockFile.ts")];
  }

  get environment(): Readonly<Record<string, string>> {
    return { CLOCK_FILE: this.#file };
  }

  /** Date of the edition that is out, in days since 1970-01-01. */
  get day(): number {
    return this.#day;
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Moves to the same time of the next day, Eastern, and waits until every process has noticed. */
  async toNextEdition(): Promise<void> {
    this.#day += 1;
    this.#set();
    await new Promise((resolve) => setTimeout(resolve, NOTICED_AFTER_MS));
  }

  async forward(milliseconds: number): Promise<void> {
    this.#write(this.#aheadMs + milliseconds);
    await new Promise((resolve) => setTimeout(resolve, NOTICED_AFTER_MS));
  }

  #set(): void {
    this.#write(Number(editionOfDay(this.#day).publishTimeMs) + AFTER_PUBLISHING_MS - Date.now());
  }

  #write(aheadMs: number): void {
    this.#aheadMs = aheadMs;
    // Whoever reads it meanwhile reads the old one or the new one, never half of one.
    writeFileSync(`${this.#file}.new`, String(aheadMs));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
