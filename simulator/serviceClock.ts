/** How the service's clock differs from the one that it was started with: it goes before or behind, or stands still. */
export type ClockSetting =
  | { readonly offsetMs: bigint }
  | {
      /** Unix milliseconds. */
      readonly fixedMs: bigint;
    };

/** The clock that decides everything the service does. */
export class ServiceClock {
  readonly #baseMs: () => bigint;
  #setting: ClockSetting = { offsetMs: 0n };

  /** @param baseMs Unix milliseconds. */
  constructor(baseMs: () => bigint) {
    this.#baseMs = baseMs;
  }

  /** Unix milliseconds. */
  nowMs(): bigint {
    return "fixedMs" in this.#setting ? this.#setting.fixedMs : this.#baseMs() + this.#setting.offsetMs;
  }

  get setting(): ClockSetting {
    return this.#setting;
  }

  set(setting: ClockSetting): void {
    this.#setting = setting;
  }
}
