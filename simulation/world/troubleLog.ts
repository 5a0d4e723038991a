/** A span of simulated time, Unix milliseconds; `toMs` is not part of it. */
export type Span = { readonly fromMs: number; readonly toMs: number };

type Entry = { readonly subject: string; readonly fromMs: number; toMs: number };

/**
 * When something was not as it should be that a relayer cannot help: the price service, a feed of it, a chain, or all
 * relayers. What is left is the time in which the relayer has to do its job.
 */
export class TroubleLog {
  #entries: Entry[] = [];

  /** Notes a span that is known beforehand. */
  add(subject: string, { fromMs, toMs }: Span): void {
    this.#entries.push({ subject, fromMs, toMs });
  }

  /** Notes that something has begun; what is returned says when it ended. */
  begin(subject: string, fromMs: number): (toMs: number) => void {
    const entry = { subject, fromMs, toMs: Number.POSITIVE_INFINITY };
    this.#entries.push(entry);
    return (toMs) => {
      entry.toMs = Math.max(fromMs, toMs);
    };
  }

  /** The first span of a length within another in which none of the subjects was in trouble; all of it. */
  calmSpan(subjects: readonly string[], { fromMs, toMs }: Span, leastMs: number): Span | undefined {
    const troubles = this.#entries
      .filter((entry) => subjects.includes(entry.subject) && entry.toMs > fromMs && entry.fromMs < toMs)
      .sort((a, b) => a.fromMs - b.fromMs);
    let calmFromMs = fromMs;
    for (const trouble of troubles) {
      if (trouble.fromMs - calmFromMs >= leastMs) return { fromMs: calmFromMs, toMs: trouble.fromMs };
      calmFromMs = Math.max(calmFromMs, trouble.toMs);
    }
    return toMs - calmFromMs >= leastMs ? { fromMs: calmFromMs, toMs } : undefined;
  }

  forgetBefore(timeMs: number): void {
    this.#entries = this.#entries.filter(({ toMs }) => toMs >= timeMs);
  }
}

export const SERVICE = "service";
export const RELAYERS = "relayers";

export function troubleOfFeed(feedId: bigint): string {
  return `feed ${feedId}`;
}

export function troubleOfChain(name: string): string {
  return `chain ${name}`;
}
