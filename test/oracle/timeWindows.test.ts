import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay, startOfDayMs } from "../../relayer/message/calendarDate.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { START, startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, DAY_MS, dayOf, HOUR, HOUR_MS, type MessageFields, SECOND_MS, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

const NOW_MS = START * SECOND_MS;
const TODAY = dayOf(START);
const TODAY_MS = startOfDayMs(TODAY);

async function expectAccepted(...messages: MessageFields[]) {
  for (const message of messages) {
    expect(await oracle.wouldStore(oracle.signed(message))).toEqual([true]);
    expect(await oracle.wouldStore(oracle.signed({ ...message, hintedAs: 1 }))).toEqual([true]);
    expect(await oracle.parse(oracle.signed(message))).toHaveLength(1);
  }
}

async function expectRefused(message: MessageFields, name: string, args: readonly unknown[]) {
  const expected = { index: 0, name, args };
  expect(await oracle.refusalOf(oracle.signed(message))).toEqual(expected);
  expect(await oracle.refusalOf(oracle.signed({ ...message, hintedAs: 1 }))).toEqual(expected);
}

describe("the windows around now, to the millisecond", () => {
  it("expiry is not past", async () => {
    await expectAccepted({ expiryMs: NOW_MS }, { expiryMs: NOW_MS + 1n });
    await expectRefused({ expiryMs: NOW_MS - 1n }, "ExpiryPassed", [NOW_MS - 1n, NOW_MS]);
    await expectRefused({ expiryMs: 0n }, "ExpiryPassed", [0n, NOW_MS]);
  });

  it("expiry is at most 25 hours ahead", async () => {
    const limit = NOW_MS + 25n * HOUR_MS;
    await expectAccepted({ expiryMs: limit - 1n }, { expiryMs: limit });
    await expectRefused({ expiryMs: limit + 1n }, "ExpiryTooFarAhead", [limit + 1n, NOW_MS]);
    await expectRefused({ expiryMs: 2n ** 64n - 1n }, "ExpiryTooFarAhead", [2n ** 64n - 1n, NOW_MS]);
  });

  it("publish time is at most 48 hours ago", async () => {
    const limit = NOW_MS - 48n * HOUR_MS;
    const date = dateOfDay(TODAY - 2);
    const expiryMs = NOW_MS + HOUR_MS;
    await expectAccepted({ publishTimeMs: limit + 1n, date, expiryMs }, { publishTimeMs: limit, date, expiryMs });
    await expectRefused({ publishTimeMs: limit - 1n, date, expiryMs }, "PublishTimeTooOld", [limit - 1n, NOW_MS]);
    await expectRefused({ publishTimeMs: 0n }, "PublishTimeTooOld", [0n, NOW_MS]);
  });

  it("publish time is at most 1 hour ahead", async () => {
    const limit = NOW_MS + HOUR_MS;
    await expectAccepted({ publishTimeMs: limit - 1n }, { publishTimeMs: limit });
    await expectRefused({ publishTimeMs: limit + 1n }, "PublishTimeTooFarAhead", [limit + 1n, NOW_MS]);
    await expectRefused({ publishTimeMs: 2n ** 64n - 1n }, "PublishTimeTooFarAhead", [2n ** 64n - 1n, NOW_MS]);
  });
});

describe("a time that fits no 64 bits", () => {
  const wide = { offset: 0, width: 32, byteOrder: "big" } as const;
  const common = { ...DEFAULT_LAYOUT, constants: [] };

  it.each(["ms", "s"] as const)("in %s is refused as too far ahead, never computed", async (unit) => {
    const most = 2n ** 256n - 1n;
    const inUnit = (time: bigint) => (unit === "s" ? time * SECOND_MS : time);
    const layouts = {
      PublishTimeTooFarAhead: { ...common, publishTime: { ...wide, unit }, padding: [{ offset: 48, length: 8 }] },
      ExpiryTooFarAhead: { ...common, expiry: { ...wide, unit }, padding: [{ offset: 56, length: 8 }] },
    } satisfies Record<string, MessageLayout>;
    for (const [name, layout] of Object.entries(layouts)) {
      const signer = testSigner("wide times", layout);
      const deployed = await chain.deployOracle({ signers: [signer] });
      const field = name.startsWith("Publish") ? "publishTimeMs" : "expiryMs";
      for (const time of [most, most / 1_000n, most / 1_000n + 1n, 2n ** 64n, 2n ** 64n / 1_000n + 1n]) {
        const update = deployed.signed({ signer, [field]: inUnit(time) });
        // The contract says 2^64 − 1 of every time from there on.
        const stated = inUnit(time) >= 2n ** 64n ? 2n ** 64n - 1n : inUnit(time);
        const refusal = { index: 0, name, args: [stated, NOW_MS] };
        expect(await deployed.refusalOf(update)).toEqual(refusal);
        expect(await deployed.tryUpdate(update)).toMatchObject({ stored: [false], refused: [refusal] });
      }
      const good = deployed.signed({ signer, [field]: NOW_MS + HOUR_MS });
      expect(await deployed.wouldStore(good)).toEqual([true]);
    }
  });
});

describe("the windows around the date, to the millisecond", () => {
  it("publish time is not before 00:00 UTC of the date", async () => {
    await expectAccepted({ publishTimeMs: TODAY_MS }, { publishTimeMs: TODAY_MS + 1n });
    const args = [TODAY_MS - 1n, BigInt(TODAY)];
    await expectRefused({ publishTimeMs: TODAY_MS - 1n }, "PublishedBeforeDate", args);
    const tomorrow = { date: dateOfDay(TODAY + 1), publishTimeMs: NOW_MS };
    await expectRefused(tomorrow, "PublishedBeforeDate", [NOW_MS, BigInt(TODAY + 1)]);
  });

  it("expiry is at most 72 hours after it", async () => {
    const earlier = { date: dateOfDay(TODAY - 2), publishTimeMs: NOW_MS };
    const limit = TODAY_MS + DAY_MS;
    await expectAccepted({ ...earlier, expiryMs: limit - 1n }, { ...earlier, expiryMs: limit });
    const args = [limit + 1n, BigInt(TODAY - 2)];
    await expectRefused({ ...earlier, expiryMs: limit + 1n }, "ExpiryTooFarFromDate", args);
    const older = { date: dateOfDay(TODAY - 4), publishTimeMs: NOW_MS };
    await expectRefused(older, "ExpiryTooFarFromDate", [NOW_MS + 24n * HOUR_MS, BigInt(TODAY - 4)]);
  });

  it("expiry is after it", async () => {
    // Half an hour before midnight, a price may already be of tomorrow.
    const midnight = startOfDayMs(TODAY + 1);
    await chain.clock.set((midnight - HOUR_MS / 2n) / SECOND_MS);
    const tomorrow = { date: dateOfDay(TODAY + 1), publishTimeMs: midnight };
    await expectAccepted({ ...tomorrow, expiryMs: midnight + 1n });
    await expectRefused({ ...tomorrow, expiryMs: midnight }, "ExpiryNotAfterDate", [midnight, BigInt(TODAY + 1)]);
    await expectRefused({ ...tomorrow, expiryMs: midnight - 1n }, "ExpiryNotAfterDate", [
      midnight - 1n,
      BigInt(TODAY + 1),
    ]);
  });

  it("expiry's distance is a parameter of the deployment, at most 72 hours", async () => {
    const { now, nowMs } = chain.clock;
    const start = startOfDayMs(dayOf(now()));
    for (const hours of [1n, 24n, 30n]) {
      const strict = await chain.deployOracle({ maxExpiryAfterDate: hours * HOUR });
      expect(await strict.contract.read.MAX_EXPIRY_AFTER_DATE_MS()).toBe(hours * HOUR_MS);
      const limit = start + hours * HOUR_MS;
      const parsed = await strict.parse(strict.signed({ expiryMs: limit }));
      expect(parsed).toMatchObject([{ price: { expiry: limit / SECOND_MS } }]);
      expect(await strict.refusalOf(strict.signed({ expiryMs: limit + 1n }), "parsePrices")).toEqual({
        index: 0,
        name: "ExpiryTooFarFromDate",
        args: [limit + 1n, BigInt(dayOf(now()))],
      });
      if (limit >= nowMs()) expect(await strict.wouldStore(strict.signed({ expiryMs: limit }))).toEqual([true]);
    }
    for (const maxExpiryAfterDate of [0n, 3n * DAY + 1n, 2n ** 256n - 1n]) {
      const expected = { name: "InvalidExpiryAfterDate", args: [maxExpiryAfterDate] };
      expect(await errorOf(chain.deployOracle({ maxExpiryAfterDate }))).toEqual(expected);
    }
  });
});

describe("a time that fits no storage slot", () => {
  it("reverts the whole call: the block's time would have to be in the year 2527", async () => {
    const limitMs = 2n ** 44n;
    await chain.clock.set((limitMs - HOUR_MS) / SECOND_MS + 1n);
    const fitting = { publishTimeMs: chain.clock.nowMs(), expiryMs: limitMs - 1n };
    await expectAccepted(fitting, { ...fitting, publishTimeMs: limitMs - 1n });
    for (const times of [
      { ...fitting, expiryMs: limitMs },
      { publishTimeMs: limitMs, expiryMs: limitMs - 1n },
    ]) {
      const args = [times.publishTimeMs, times.expiryMs, BigInt(dayOf(chain.clock.now()))];
      for (const hintedAs of [undefined, 1]) {
        const update = oracle.signed({ ...times, hintedAs });
        expect(await oracle.failureOf("tryUpdatePrices", update)).toEqual({ name: "LatestPriceOverflow", args });
        expect(await oracle.parse(update)).toHaveLength(1);
      }
    }
  });
});
