import { describe, expect, test } from "vitest";
import { askAgainAtMs } from "../../relayer/edition/askAgain.ts";
import type { CollectionReport } from "../../relayer/edition/collectionReport.ts";
import { timeMs } from "../message/signedPrices.ts";
import { ALL_FEEDS } from "../relay/relayFixture.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { conditionOf, type EditionFixture, editionOf, kindsOf, startEditionFixture } from "./editionFixture.ts";

/** Nothing is wrong with an edition that has come as a whole. */
async function collectWhole(fixture: EditionFixture, time: string): Promise<CollectionReport> {
  const report = await fixture.at(time).collect();
  expect(report.conditions).toEqual([]);
  expect(report.editions.every(({ isComplete, isDueThere }) => isComplete && isDueThere)).toBe(true);
  return report;
}

describe("an edition in time", () => {
  test("is new when it comes first, known afterwards, and archived before it is reported", async () => {
    const fixture = await startEditionFixture();
    const first = await collectWhole(fixture, "2026-03-04T12:30:05Z");
    expect(editionOf(first)).toMatchObject({ status: "new", date: "2026-03-04" });
    expect(first).toMatchObject({ newPrices: 4, pricesAsked: 4, revisions: [] });
    expect(await fixture.journal.pricesOn(editionOf(first).day ?? 0)).toHaveLength(4);

    const again = await fixture.at("2026-03-04T13:00:00Z").collect();
    expect(editionOf(again)).toMatchObject({ status: "known", date: "2026-03-04" });
    expect(again.newPrices).toBe(0);
    expect(askAgainAtMs(again, 0, 0n)).toBeUndefined();
  });

  test.each([
    [["2026-03-07T12:30:01Z", "2026-03-08T11:30:01Z", "2026-03-09T11:30:01Z"]],
    [["2026-10-31T11:30:01Z", "2026-11-01T12:30:01Z", "2026-11-02T12:30:01Z"]],
  ])("is new over a change of the clocks: %s", async (times) => {
    const fixture = await startEditionFixture();
    for (const time of times) {
      expect(editionOf(await collectWhole(fixture, time))).toMatchObject({ status: "new", date: time.slice(0, 10) });
    }
  });

  test("is new after a sleep of days, and those that never came are told of for three days", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-04T12:31:00Z");
    const after = await fixture.at("2026-03-09T20:00:00Z").collect();
    expect(editionOf(after)).toMatchObject({ status: "new", date: "2026-03-09", isComplete: true });
    expect(conditionOf(after, "edition-missed").message).toBe(
      "no sales price of 2026-03-05 to 2026-03-08 was ever received",
    );
    expect(kindsOf(after)).toEqual(["edition-missed sales", "edition-missed rental"]);
    for (const day of ["10", "11"]) {
      expect(kindsOf(await fixture.at(`2026-03-${day}T20:00:00Z`).collect())).toContain("edition-missed sales");
    }
    await collectWhole(fixture, "2026-03-12T20:00:00Z");
  });
});

describe("an edition that is not there", () => {
  test("is not published yet while the date has not advanced, without an alert; late after the configured hour, with one", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-03T12:31:00Z");
    fixture.faults("yesterday");
    const waiting = await fixture.at("2026-03-04T12:31:00Z").collect();
    expect(editionOf(waiting)).toMatchObject({ status: "not-published", date: "2026-03-03", isDueThere: false });
    expect(waiting.conditions).toEqual([]);

    // By then the edition before has expired, and the simulator refuses to sign it: nothing comes at all.
    const late = await fixture.at("2026-03-04T15:00:00Z").collect();
    expect(kindsOf(late)).toEqual(expect.arrayContaining(["edition-late sales", "edition-late rental"]));
    expect(conditionOf(late, "edition-late")).toMatchObject({
      severity: "critical",
      message: expect.stringMatching(/due since 2026-03-04T12:30:00.000Z is not there: the newest is of 2026-03-03/),
    });

    fixture.faults();
    expect(editionOf(await collectWhole(fixture, "2026-03-04T16:00:00Z")).status).toBe("new");
  });

  test("is told of a process that slept for days and wakes before today's is out", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-02T12:31:00Z");
    const report = await fixture.faults("yesterday").at("2026-03-05T12:31:00Z").collect();
    // Two editions newer than what it knew, and still not the one that is due.
    expect(editionOf(report)).toMatchObject({ status: "not-published", date: "2026-03-04", isDueThere: false });
    expect(report.newPrices).toBe(4);
  });

  test("is asked for with few prices until it shows itself, and then as a whole", async () => {
    const markets = Array.from({ length: 20 }, (_, index) => 5_000_001 + index);
    const fixture = await startEditionFixture({
      prices: priceTable(...markets.map((market) => `sales ${market} 2026-03-01 200.5`)),
    });
    const wanted = markets.map((market) => ({ marketId: BigInt(market), kind: "sales" as const }));
    const context = { wanted };
    expect((await fixture.at("2026-03-03T12:31:00Z").collect({ context })).pricesAsked).toBe(20);
    fixture.faults("yesterday");
    expect((await fixture.at("2026-03-04T12:31:00Z").collect({ context })).pricesAsked).toBe(3);
    fixture.faults();
    const come = await fixture.at("2026-03-04T12:33:00Z").collect({ context });
    expect(come).toMatchObject({ pricesAsked: 20, newPrices: 20 });
    expect(editionOf(come)).toMatchObject({ status: "new", isComplete: true });
    expect((await fixture.collect({ context, everything: true })).pricesAsked).toBe(20);
  });

  test("of one kind does not make the other kind wait", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-03T12:31:00Z");
    fixture.faults("late-edition:2005826765", "late-edition:2005822447");
    const report = await fixture.at("2026-03-04T12:31:00Z").collect();
    expect(editionOf(report, "sales").status).toBe("new");
    expect(editionOf(report, "rental").status).toBe("not-published");
  });
});

describe("a service that fails", () => {
  test.each([
    ["unavailable", "service-down", "warning"],
    ["server-error", "service-down", "warning"],
    ["not-json", "service-down", "warning"],
    ["truncated", "service-down", "warning"],
    ["rate-limited", "service-down", "warning"],
    ["forbidden", "service-down", "critical"],
    ["unauthorized", "service-down", "critical"],
    ["no-credits", "credits-short", "critical"],
  ] as const)(
    "with %s is %s (%s), and the error is in the report instead of being thrown",
    async (fault, kind, severity) => {
      const fixture = await startEditionFixture();
      const report = await fixture.faults(fault).at("2026-03-04T12:31:00Z").collect();
      expect(report.serviceError).toBeDefined();
      expect(conditionOf(report, kind).severity).toBe(severity);
      expect(editionOf(report)).toMatchObject({ status: "unknown", isDueThere: false });
      expect(report.feeds.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed", "failed"]);
      expect(askAgainAtMs(report, 0, 0n)).toBe(60_000n);
    },
  );

  test("past the hour at which the edition is late is critical, and the edition is late", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-03T12:31:00Z");
    const report = await fixture.faults("unavailable").at("2026-03-04T15:00:00Z").collect();
    expect(conditionOf(report, "service-down").severity).toBe("critical");
    expect(conditionOf(report, "edition-late").message).toContain("the newest is of 2026-03-03");
  });

  test("for one kind is that kind's", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("forbidden@/v1/price_feed_rentals/latest").at("2026-03-04T12:31:00Z").collect();
    expect(kindsOf(report)).toEqual(["service-down rental"]);
    expect(report.serviceError).toBeUndefined();
    expect(editionOf(report, "sales")).toMatchObject({ status: "new", isComplete: true });
  });
});

describe("a market that is lacking", () => {
  test("and came with the edition before is dropped; one that never came is missing", async () => {
    const fixture = await startEditionFixture();
    fixture.faults("omitted:5822447");
    const first = await fixture.at("2026-03-03T12:31:00Z").collect();
    expect(kindsOf(first)).toEqual(["market-missing sales"]);
    expect(conditionOf(first, "market-missing").message).toContain("market 5822447");

    fixture.faults("omitted:5826765");
    const second = await fixture.at("2026-03-04T12:31:00Z").collect();
    expect(kindsOf(second)).toEqual(["market-dropped sales"]);
    expect(conditionOf(second, "market-dropped").message).toContain("market 5826765 (last came with 2026-03-03)");
    expect(editionOf(second)).toMatchObject({ status: "new", isComplete: false });
  });

  test("is asked for again alone, with pauses that grow to hours", async () => {
    const fixture = await startEditionFixture();
    fixture.faults("omitted:5826765");
    const report = await fixture.at("2026-03-04T12:31:00Z").collect();
    const pauses = Array.from({ length: 10 }, (_, attempt) => askAgainAtMs(report, attempt, 0n) ?? 0n);
    expect(pauses.map((pause) => Number(pause) / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
    // The lacking one, and those that tell whether a newer edition is out.
    expect((await fixture.at("2026-03-04T12:32:00Z").collect()).pricesAsked).toBe(1 + 1 + 2);
    fixture.faults();
    await collectWhole(fixture, "2026-03-04T12:34:00Z");
  });

  test("with an earlier date than the others is named with it", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-03T12:31:00Z");
    const report = await fixture.faults("late-edition:5826765").at("2026-03-04T12:31:00Z").collect();
    expect(kindsOf(report)).toEqual(["market-dropped sales"]);
    expect(conditionOf(report, "market-dropped").message).toContain("still of 2026-03-03");
    expect(editionOf(report).status).toBe("new");
  });

  test("because the service fails at it alone is named with the reason", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-03T12:31:00Z");
    const report = await fixture.faults("server-error:5826765").at("2026-03-04T12:31:00Z").collect();
    expect(conditionOf(report, "market-dropped").message).toMatch(/market 5826765 \(.*500/);
  });
});

describe("a service that gives something else than the newest edition in order", () => {
  test("yesterday's date again, after today's", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-04T12:31:00Z");
    const report = await fixture.faults("yesterday").at("2026-03-04T12:40:00Z").collect();
    expect(editionOf(report)).toMatchObject({ status: "older", date: "2026-03-04" });
    expect(conditionOf(report, "edition-older").message).toContain(
      "of 2026-03-03 again, after it gave those of 2026-03-04",
    );
  });

  test("a date that has not begun", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("future-date").at("2026-03-04T12:31:00Z").collect();
    expect(kindsOf(report)).toContain("edition-future sales");
    expect(conditionOf(report, "edition-future").message).toContain("2026-03-05");
    expect(await fixture.journal.newestEdition("sales")).toBeUndefined();
  });

  test("all of a complete edition is asked for again only where revisions are looked for", async () => {
    const wanted = [...ALL_FEEDS, ...[7n, 8n, 9n].map((marketId) => ({ marketId, kind: "sales" as const }))];
    const prices = ["5826765", "5822447", "7", "8", "9"].map((id) => `sales ${id} 2026-03-01 216.94`);
    const rents = ["5826765", "5822447"].map((id) => `rental ${id} 2026-03-01 1.474`);
    const fixture = await startEditionFixture({ prices: priceTable(...prices, ...rents) });
    const ask = (time: string, revisions: boolean) => fixture.at(time).collect({ context: { wanted }, revisions });
    expect(await ask("2026-03-04T12:30:05Z", true)).toMatchObject({ pricesAsked: 7 });
    expect(await ask("2026-03-04T13:00:00Z", false)).toMatchObject({ pricesAsked: 5 });
    expect(await ask("2026-03-04T14:00:00Z", true)).toMatchObject({ pricesAsked: 7 });
    // Before the next edition is there, a few tell whether it is.
    fixture.faults("yesterday");
    expect(await ask("2026-03-05T12:30:00Z", true)).toMatchObject({ pricesAsked: 5 });
  });

  test("a revised price is taken and named, without an alert", async () => {
    const fixture = await startEditionFixture();
    await collectWhole(fixture, "2026-03-04T12:31:00Z");
    const report = await fixture.faults("revised-price:5826765").at("2026-03-04T13:10:00Z").collect();
    expect(report.conditions).toEqual([]);
    expect(report.revisions).toEqual([
      { feedId: 5_826_765n, date: "2026-03-04", from: 21_694_000_000n, to: 21_910_000_000n },
    ]);
    expect(report.newPrices).toBe(1);
    expect(fixture.lines).toContainEqual(expect.objectContaining({ msg: "a price was revised", feedId: "5826765" }));
  });

  test("prices of the other kind under the market's name", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("sales-for-rental").at("2026-03-04T12:31:00Z").collect();
    expect(kindsOf(report)).toEqual(["price-of-another-market rental"]);
    expect(editionOf(report, "sales").isComplete).toBe(true);
  });

  test("single bad prices are refused, kept as evidence, and the others go on", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("bad-signature:5826765").at("2026-03-04T12:31:00Z").collect();
    expect(conditionOf(report, "price-refused")).toMatchObject({
      subject: "sales",
      message: expect.stringContaining("market 5826765: InvalidSignature"),
    });
    expect(report.newPrices).toBe(3);
    const refusals = await fixture.journal.refusalsOn(timeMs("2026-03-04T00:00:00Z"), timeMs("2026-03-05T00:00:00Z"));
    expect(refusals).toMatchObject([{ feedId: 5_826_765n, code: "InvalidSignature", times: 1 }]);
  });
});

describe("a clock that is wrong", () => {
  test.each([
    ["minutes", "2026-03-04T12:40:00Z", "2026-03-04T12:38:00Z", "warning"],
    ["hours", "2026-03-04T16:31:00Z", "2026-03-04T12:31:00Z", "critical"],
  ] as const)("by %s is told from the service's", async (_, ours, theirs, severity) => {
    const fixture = await startEditionFixture();
    const report = await fixture.at(ours, theirs).collect();
    expect(conditionOf(report, "clock-differs")).toMatchObject({
      severity,
      message: expect.stringContaining("behind"),
    });
  });

  test("and behind by a day does not make the service's prices ones of the future without saying why", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.at("2026-03-03T12:31:00Z", "2026-03-04T12:31:00Z").collect();
    expect(conditionOf(report, "clock-differs").message).toContain("86400 s ahead of this machine's");
    expect(report.newPrices).toBe(0);
  });
});

test("credits that end within days are told of", async () => {
  const fixture = await startEditionFixture();
  fixture.at("2026-03-04T12:31:00Z").service.setCredits(12);
  const report = await fixture.collect();
  expect(conditionOf(report, "credits-short")).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("enough for 2 more edition(s) of 4 prices"),
  });
});

test("a journal that fails ends the question with its error, before anything is reported", async () => {
  const fixture = await startEditionFixture();
  fixture.at("2026-03-04T12:31:00Z");
  const journal = { ...fixture.journal, recordReceived: () => Promise.reject(new Error("disk full")) };
  await expect(fixture.collect({ context: { journal } })).rejects.toThrow("disk full");
});

test("without any key to check with nothing is asked", async () => {
  const fixture = await startEditionFixture();
  const rules = { publicKeys: [], layout: {} as never, rentalOffset: 1n, maxExpiryAfterDateMs: 1n, timeZone: "UTC" };
  await expect(fixture.at("2026-03-04T12:31:00Z").collect({ context: { rules } })).rejects.toMatchObject({
    code: "NO_SIGNER_KEY",
    kind: "configuration",
  });
  expect(fixture.requests()).toBe(0);
});

test("every wanted feed is asked for once, in one request a kind", async () => {
  const fixture = await startEditionFixture();
  const report = await fixture.at("2026-03-04T12:31:00Z").collect({ everything: true });
  expect(fixture.requests()).toBe(2);
  expect(report.feeds.map(({ feedId }) => feedId).toSorted()).toHaveLength(ALL_FEEDS.length);
});
