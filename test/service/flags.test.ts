import { describe, expect, test } from "vitest";
import { flag, isNo, isUnknown, isYes, requestedBit, requestedSwitch } from "../../relayer/service/schemas/flag.ts";

const meaningOf = (written: unknown) => {
  const value = flag.parse(written);
  return { isYes: isYes(value), isNo: isNo(value), isUnknown: isUnknown(value) };
};

describe("a flag of an answer", () => {
  test.each([1, true, "1", "true"])("%j says yes, and nothing else", (written) => {
    expect(meaningOf(written)).toEqual({ isYes: true, isNo: false, isUnknown: false });
  });

  test.each([0, false, "0", "false"])("%j says no, and nothing else", (written) => {
    expect(meaningOf(written)).toEqual({ isYes: false, isNo: true, isUnknown: false });
  });

  test.each([null, undefined])("%j says neither", (written) => {
    expect(meaningOf(written)).toEqual({ isYes: false, isNo: false, isUnknown: true });
  });

  test.each([2, -1, "yes", "", "TRUE ", {}, []])("%j is none", (written) => {
    expect(flag.safeParse(written).success).toBe(false);
  });
});

test.each([
  [1, true, 1],
  [true, true, 1],
  [0, false, 0],
  [false, false, 0],
])("a flag of a request given as %j travels as the boolean %j or the bit %j", (given, asSwitch, asBit) => {
  expect(requestedSwitch.parse(given)).toBe(asSwitch);
  expect(requestedBit.parse(given)).toBe(asBit);
});
