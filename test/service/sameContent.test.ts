import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { haveSameContent } from "../../relayer/service/sameContent.ts";

/** What a read item is made of, from a small range, so that equal ones occur. */
const content = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(0, 1, -0, 0n, 1n, "", "1", true, null, undefined, Number.NaN),
    fc.uint8Array({ maxLength: 2, max: 1 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
  ),
})).value;

test("agrees with Node's own comparison", () =>
  fc.assert(
    fc.property(content, content, (a, b) => {
      expect(haveSameContent(a, b)).toBe(isDeepStrictEqual(a, b));
      expect(haveSameContent(a, structuredClone(a))).toBe(isDeepStrictEqual(a, structuredClone(a)));
    }),
    { numRuns: 2_000 },
  ));
