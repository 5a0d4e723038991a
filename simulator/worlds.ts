import { LeastRecentlyUsed } from "./world/leastRecentlyUsed.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

/** Days that are asked about again: the newest edition's, that of one which is late, and one more. */
const DAYS_KEPT = 3;

/** The world that generated data come from, day by day. It is made when somebody asks for the first time. */
export class Worlds {
  readonly #options: Omit<WorldOptions, "asOf">;
  readonly #days: LeastRecentlyUsed<string, World>;
  #world: World | undefined;

  constructor(options: Omit<WorldOptions, "asOf">) {
    this.#options = options;
    this.#days = new LeastRecentlyUsed((date) => this.#make(date), DAYS_KEPT);
  }

  /**
   * The world as it stands on a date `YYYY-MM-DD`; nothing later has happened in it.
   * @throws InvalidWorldError
   */
  on(date: string): World {
    return this.#days.get(date);
  }

  #make(date: string): World {
    this.#world = this.#world?.on(date) ?? createWorld({ ...this.#options, asOf: date });
    return this.#world;
  }
}
