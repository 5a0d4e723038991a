import { describe, expect, test } from "vitest";
import { type CheckedPriceMessage, checkPriceMessage } from "../../relayer/message/priceMessage.ts";
import {
  checkDateConsistency,
  checkTimeWindows,
  DEFAULT_WINDOWS,
  formatTimeMs,
} from "../../relayer/message/timeWindows.ts";
import { NOW_MS, priceMessage, timeMs } from "./signedPrices.ts";

const SECOND = 1_000n;
const HOUR = 3_600n * SECOND;
const MIDNIGHT = timeMs("2026-03-04T00:00:00Z");

function message(changes: Parameters<typeof priceMessage>[0]): CheckedPriceMessage {
  const checked = checkPriceMessage(priceMessage(changes));
  if (!checked.ok) throw new Error(checked.refusal.message);
  return checked.value;
}

/** What a message is refused with at a time; "accepted" when it is not. */
function verdict(changes: Parameters<typeof priceMessage>[0], nowMs: bigint = NOW_MS): string {
  const checked = checkTimeWindows(message(changes), nowMs);
  return checked.ok ? "accepted" : checked.refusal.code;
}

describe("against the clock, to the millisecond", () => {
  test.each<[string, Parameters<typeof priceMessage>[0], string]>([
    ["expiry now", { expiryMs: NOW_MS }, "accepted"],
    ["expiry a millisecond ago", { expiryMs: NOW_MS - 1n }, "ExpiryPassed"],
    ["expiry 25 h ahead", { expiryMs: NOW_MS + 25n * HOUR }, "accepted"],
    ["expiry a millisecond more", { expiryMs: NOW_MS + 25n * HOUR + 1n }, "ExpiryTooFarAhead"],
    ["published 1 h ahead", { publishTimeMs: NOW_MS + HOUR }, "accepted"],
    ["published a millisecond more", { publishTimeMs: NOW_MS + HOUR + 1n }, "PublishTimeTooFarAhead"],
    ["published 48 h ago", { publishTimeMs: NOW_MS - 48n * HOUR, date: "2026-03-02" }, "accepted"],
    [
      "published a millisecond earlier",
      { publishTimeMs: NOW_MS - 48n * HOUR - 1n, date: "2026-03-02" },
      "PublishTimeTooOld",
    ],
  ])("%s", (_, changes, expected) => {
    // An expiry that every date here allows, except where the case is about the expiry.
    expect(verdict({ expiryMs: NOW_MS + HOUR, ...changes })).toBe(expected);
  });

  test("times that no calendar reaches are told, not computed with", () => {
    expect(verdict({ expiryMs: 2n ** 256n })).toBe("ExpiryTooFarAhead");
    expect(verdict({ publishTimeMs: 2n ** 256n })).toBe("PublishTimeTooFarAhead");
    expect(verdict({ publishTimeMs: 0n })).toBe("PublishTimeTooOld");
    expect(formatTimeMs(2n ** 64n)).toBe("18446744073709551616 ms");
    expect(formatTimeMs(8_640_000_000_000_000n)).toBe("+275760-09-13T00:00:00.000Z");
  });
});

describe("against its own date", () => {
  const consistency = (changes: Parameters<typeof priceMessage>[0], maxExpiryAfterDateMs = 72n * HOUR) => {
    const checked = checkDateConsistency(message(changes), { maxExpiryAfterDateMs });
    return checked.ok ? "accepted" : checked.refusal.code;
  };

  test.each<[string, Parameters<typeof priceMessage>[0], string]>([
    ["published as the date begins", { publishTimeMs: MIDNIGHT }, "accepted"],
    ["published a millisecond before", { publishTimeMs: MIDNIGHT - 1n }, "PublishedBeforeDate"],
    ["expires as the date begins", { publishTimeMs: MIDNIGHT, expiryMs: MIDNIGHT }, "ExpiryNotAfterDate"],
    ["expires a millisecond later", { publishTimeMs: MIDNIGHT, expiryMs: MIDNIGHT + 1n }, "accepted"],
    ["expires 72 h later", { expiryMs: MIDNIGHT + 72n * HOUR }, "accepted"],
    ["expires a millisecond more", { expiryMs: MIDNIGHT + 72n * HOUR + 1n }, "ExpiryTooFarFromDate"],
    ["is published after it expires", { publishTimeMs: MIDNIGHT + 2n, expiryMs: MIDNIGHT + 1n }, "accepted"],
  ])("%s", (_, changes, expected) => {
    expect(consistency(changes)).toBe(expected);
  });

  test("the longest expiry is a parameter", () => {
    expect(consistency({ expiryMs: MIDNIGHT + 30n * HOUR }, 30n * HOUR)).toBe("accepted");
    expect(consistency({ expiryMs: MIDNIGHT + 30n * HOUR + 1n }, 30n * HOUR)).toBe("ExpiryTooFarFromDate");
  });

  test("the clock comes first", () => {
    expect(verdict({ expiryMs: MIDNIGHT - HOUR })).toBe("ExpiryPassed");
    expect(verdict({ date: "2026-03-06" })).toBe("PublishedBeforeDate");
    expect(verdict({ date: "2026-03-02" })).toBe("ExpiryTooFarFromDate");
  });
});

test("refusals carry the values", () => {
  const refusal = (changes: Parameters<typeof priceMessage>[0]) => {
    const checked = checkTimeWindows(message(changes), NOW_MS);
    return checked.ok ? "" : checked.refusal.message;
  };
  expect(refusal({ expiryMs: NOW_MS - 3_661n * SECOND })).toBe(
    "expired at 2026-03-04T13:58:59.000Z, 1 h 1 min 1 s ago",
  );
  expect(refusal({ expiryMs: NOW_MS - 1n })).toBe("expired at 2026-03-04T14:59:59.999Z, 1 ms ago");
  expect(refusal({ expiryMs: NOW_MS + 25n * HOUR + SECOND })).toBe(
    "expires at 2026-03-05T16:00:01.000Z, 25 h 1 s ahead; at most 25 h is allowed",
  );
  expect(refusal({ publishTimeMs: NOW_MS - 49n * HOUR })).toBe(
    "published at 2026-03-02T14:00:00.000Z, 49 h ago; at most 48 h is allowed",
  );
  expect(refusal({ publishTimeMs: NOW_MS + 61n * 60n * SECOND })).toBe(
    "published at 2026-03-04T16:01:00.000Z, 1 h 1 min in the future; at most 1 h is allowed",
  );
});

test("the windows are the specification's", () => {
  expect(DEFAULT_WINDOWS).toEqual({
    maxExpiryAheadMs: 25n * HOUR,
    maxPublishAgeMs: 48n * HOUR,
    maxPublishAheadMs: HOUR,
    maxExpiryAfterDateMs: 72n * HOUR,
  });
});
