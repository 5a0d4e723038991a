import { describe, expect, test } from "vitest";
import { type AccountBlock, mergeAccounts, readAccount } from "../../relayer/service/account.ts";

describe("the account block", () => {
  test.each([
    [{ account: { est_credits_used: 3, est_remaining_credits: 997 } }, { creditsUsed: 3, creditsRemaining: 997 }],
    [{ account: { est_credits_used: 3 } }, { creditsUsed: 3, creditsRemaining: undefined }],
    [{ account: { est_remaining_credits: "12" } }, { creditsUsed: undefined, creditsRemaining: 12 }],
    [{ account: {} }, undefined],
    [{ account: null }, undefined],
    [{ account: "free" }, undefined],
    [{}, undefined],
    [null, undefined],
  ])("of %j", (answer, expected) => {
    expect(readAccount(answer, "account")).toEqual(expected);
  });

  test("may be nested", () => {
    expect(readAccount({ meta: { credits: { est_credits_used: 1 } } }, "meta.credits")?.creditsUsed).toBe(1);
  });

  test("of several answers: what they used together, what the last one left", () => {
    const blocks: (AccountBlock | undefined)[] = [
      undefined,
      { creditsUsed: 3, creditsRemaining: 997 },
      { creditsUsed: undefined, creditsRemaining: 990 },
      { creditsUsed: 4, creditsRemaining: undefined },
      undefined,
    ];
    expect(blocks.reduce(mergeAccounts)).toEqual({ creditsUsed: 7, creditsRemaining: 990 });
  });
});
