/** Keeps the results of a function for the keys asked for last, at most `capacity` of them. */
export class LeastRecentlyUsed<Key, Value> {
  readonly #capacity: number;
  readonly #make: (key: Key) => Value;
  readonly #values = new Map<Key, Value>();

  constructor(make: (key: Key) => Value, capacity: number) {
    this.#capacity = capacity;
    this.#make = make;
  }

  get(key: Key): Value {
    const kept = this.#values.get(key);
    if (kept !== undefined) {
      // A Map iterates in the order of insertion: what was used goes to its end.
      this.#values.delete(key);
      this.#values.set(key, kept);
      return kept;
    }
    const made = this.#make(key);
    this.#values.set(key, made);
    if (this.#values.size > this.#capacity) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return made;
  }
}
