import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { dayOf, HOUR_MS, MARKET, RENTAL_OFFSET, SIGNER, type UpdateOptions } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  // Not yet the signer's time: its publish times begin an hour from now.
  oracle = await chain.deployOracle({ signers: [{ signer: SIGNER, validFrom: chain.clock.now() + 3_600n }] });
});
afterAll(() => chain.close());

/** What is wrong with an update, in the order in which the contract finds it; each has to be found before those below it. */
function faults(): readonly { fault: UpdateOptions; name: string; onlyAgainstNow?: true }[] {
  const nowMs = chain.clock.nowMs();
  const today = dayOf(chain.clock.now());
  return [
    { fault: { feedId: RENTAL_OFFSET }, name: "InvalidFeedId" },
    { fault: { rewrite: (message) => message.fill(7, 0, 1) }, name: "UnexpectedConstantBytes" },
    { fault: { price: 0n }, name: "ZeroPrice" },
    { fault: { date: "2026-02-30" }, name: "InvalidDate" },
    { fault: { expiryMs: nowMs - 1n }, name: "ExpiryPassed", onlyAgainstNow: true },
    { fault: { publishTimeMs: nowMs - 49n * HOUR_MS }, name: "PublishTimeTooOld", onlyAgainstNow: true },
    { fault: { date: dateOfDay(today + 1) }, name: "PublishedBeforeDate" },
    { fault: { date: dateOfDay(today - 4) }, name: "ExpiryTooFarFromDate" },
    { fault: { publishTimeMs: nowMs - 1n }, name: "PublishTimeOutsideSigner" },
  ];
}

describe("the checks of an update", () => {
  it("come one after the other, for parsePrices without those that depend on now", async () => {
    const all = faults();
    for (const [index, { name, onlyAgainstNow }] of all.entries()) {
      // This fault and all that are found later, the earlier of two that set the same field winning.
      const update = {
        ...Object.assign(
          {},
          ...all
            .slice(index)
            .map(({ fault }) => fault)
            .toReversed(),
        ),
      };
      const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0xff, 0, 1);
      const plain = oracle.signed({ ...update, forge });
      const hinted = oracle.signed({ ...update, forge, hintedAs: 1, xOfR: 5n });
      expect(await oracle.refusalOf(plain)).toMatchObject({ name });
      expect(await oracle.refusalOf(hinted)).toMatchObject({ name });
      if (onlyAgainstNow) continue;
      expect(await oracle.refusalOf(plain, "parsePrices")).toMatchObject({ name });
      expect(await oracle.refusalOf(hinted, "parsePrices")).toMatchObject({ name });
    }
  });

  it("end with the signature", async () => {
    const publishTimeMs = chain.clock.nowMs() + HOUR_MS;
    const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);
    expect(await oracle.refusalOf(oracle.signed({ publishTimeMs, forge }))).toMatchObject({ name: "InvalidSignature" });
    expect(await oracle.wouldStore(oracle.signed({ publishTimeMs }))).toEqual([true]);
  });

  it("begin with the length, then the signer number of the long form", async () => {
    const hopeless = { feedId: 0n, hintedAs: 9 };
    const update = oracle.signed(hopeless);
    expect(await oracle.refusalOf(`${update}00`)).toMatchObject({ name: "InvalidUpdateLength" });
    expect(await oracle.refusalOf(update)).toMatchObject({ name: "UnknownSigner" });
    expect(await oracle.refusalOf(oracle.signed({ ...hopeless, hintedAs: 1 }))).toMatchObject({
      name: "InvalidFeedId",
    });
  });

  it("skip what is not newer before they look at anything behind the ids", async () => {
    const stored = await chain.deployOracle();
    const publishTimeMs = chain.clock.nowMs();
    await stored.update(stored.signed({ publishTimeMs }));
    const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0xff);
    const broken: UpdateOptions = { publishTimeMs, forge, price: 0n, expiryMs: 0n, date: "no date at" };
    const rewrite = (message: Uint8Array) => message.fill(0, 0, 32);
    for (const hintedAs of [undefined, 1]) {
      const update: Hex = stored.signed({ ...broken, rewrite, hintedAs, xOfR: 0n });
      expect(await stored.update(update)).toMatchObject({ stored: [false], events: [] });
      const older = stored.signed({ ...broken, rewrite, hintedAs, publishTimeMs: 0n });
      expect(await stored.tryUpdate(older)).toMatchObject({ stored: [false], events: [] });
      // One millisecond newer, and all of it is looked at.
      const newer = stored.signed({ ...broken, rewrite, hintedAs, publishTimeMs: publishTimeMs + 1n });
      expect(await stored.refusalOf(newer)).toMatchObject({ name: "UnexpectedConstantBytes" });
      // The ids come first.
      const noFeed = stored.signed({ ...broken, hintedAs, feedId: 0n });
      expect(await stored.refusalOf(noFeed)).toMatchObject({ name: "InvalidFeedId" });
      // And parsePrices skips nothing.
      expect(await stored.refusalOf(update, "parsePrices")).toMatchObject({ name: "UnexpectedConstantBytes" });
    }
    expect(await stored.contract.read.latestPrice([MARKET])).toMatchObject({ publishTime: publishTimeMs / 1_000n });
  });
});
