import { expect, test } from "vitest";
import { readRetryAfterMs } from "../../relayer/service/retryAfter.ts";

const NOW = Date.UTC(2026, 2, 2, 12, 30);

test.each([
  [null, undefined],
  ["", undefined],
  ["0", 0],
  [" 120 ", 120_000],
  ["-5", undefined],
  ["soon", undefined],
  ["Mon, 02 Mar 2026 12:30:10 GMT", 10_000],
  ["Mon, 02 Mar 2026 12:00:00 GMT", 0],
])("Retry-After %j", (header, expected) => {
  expect(readRetryAfterMs(header, NOW)).toBe(expected);
});
