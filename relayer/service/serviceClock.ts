/** What a service's clock said, and this machine's at the same moment. Unix milliseconds. */
export type ClockReading = { readonly theirsMs: bigint; readonly oursMs: bigint };

/** An HTTP date has whole seconds (RFC 9110, section 5.6.7): on average the moment is half a second later. */
const HALF_SECOND_MS = 500n;

/**
 * A fetch that reads the service's clock from the Date header of each answer.
 * @param note Called for each answer that has one. Our own time is the middle between question and answer.
 */
export function readingClock(
  nowMs: () => bigint,
  note: (reading: ClockReading) => void,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const askedMs = nowMs();
    const response = await fetch(input, init);
    const theirsMs = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(theirsMs)) {
      note({ theirsMs: BigInt(theirsMs) + HALF_SECOND_MS, oursMs: (askedMs + nowMs()) / 2n });
    }
    return response;
  };
}
