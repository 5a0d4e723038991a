import { describe, expect, onTestFinished, test } from "vitest";
import { AttemptConflictError } from "../../relayer/journal/attemptConflictError.ts";
import type { Delivery, Journal } from "../../relayer/journal/journal.ts";
import { JournalStepError } from "../../relayer/journal/journalErrors.ts";
import { startOfDayMs } from "../../relayer/message/calendarDate.ts";
import {
  archive,
  checkedPrice,
  DAY,
  minedIn,
  NOON_MS,
  newAttempt,
  OTHER_TARGET,
  SENDER,
  TARGET,
  transactionOf,
} from "./journalFixture.ts";

const STORED = { outcome: "stored" } as const;
const LATER = NOON_MS + 60_000n;

/**
 * What every journal keeps, whatever database it is in.
 * @param open Opens an empty journal.
 */
export function describeJournal(open: () => Promise<Journal>): void {
  const opened = async (): Promise<Journal> => {
    const journal = await open();
    onTestFinished(() => journal.close());
    return journal;
  };

  describe("received prices", () => {
    test("come back as they were received, down to the last bit", async () => {
      const journal = await opened();
      const received = checkedPrice({ price: 2n ** 60n - 1n, feedId: 3_999_999_999n });
      await journal.recordReceived([received], NOON_MS);
      const [archived] = await journal.pricesOn(DAY);
      expect(archived).toEqual({
        id: archived?.id,
        feedId: 3_999_999_999n,
        day: DAY,
        price: 2n ** 60n - 1n,
        publishTimeMs: received.message.publishTimeMs,
        expiryMs: received.message.expiryMs,
        publicKey: received.publicKey.hex,
        messageBytes: received.messageBytes,
        signature: received.signature,
        xOfR: received.xOfR,
        receivedAtMs: NOON_MS,
      });
      expect(typeof archived?.id).toBe("bigint");
      expect(archived?.messageBytes.constructor).toBe(Uint8Array);
    });

    test("hold numbers of 63 bits", async () => {
      const journal = await opened();
      const largest = 2n ** 63n - 1n;
      const price = checkedPrice();
      const message = { ...price.message, feedId: largest, publishTimeMs: largest, expiryMs: largest };
      await journal.recordReceived([{ ...price, feedId: largest, message }], NOON_MS);
      expect(await journal.pricesOn(DAY)).toMatchObject([
        { feedId: largest, publishTimeMs: largest, expiryMs: largest },
      ]);
    });

    test("are archived once, and the first bytes stay", async () => {
      const journal = await opened();
      const first = checkedPrice();
      const again = { ...first, signature: new Uint8Array(64).fill(9) };
      await journal.recordReceived([first, again], NOON_MS);
      await journal.recordReceived([again], LATER);
      expect(await journal.pricesOn(DAY)).toMatchObject([{ signature: first.signature, receivedAtMs: NOON_MS }]);
    });

    test("another publish time or another price is another price", async () => {
      const journal = await opened();
      await archive(journal);
      await archive(journal, { price: 1n });
      await archive(journal, { publishTimeMs: NOON_MS + 1n });
      expect(await journal.pricesOn(DAY)).toHaveLength(3);
    });

    test("unexpired ones are listed by feed, then by publish time; one that expires now is expired", async () => {
      const journal = await opened();
      const expiryMs = NOON_MS + 10n;
      await archive(journal, { feedId: 2n, expiryMs: expiryMs + 1n, publishTimeMs: 20n });
      await archive(journal, { feedId: 2n, expiryMs: expiryMs + 1n, publishTimeMs: 10n, day: DAY - 1 });
      await archive(journal, { feedId: 1n, expiryMs: expiryMs + 1n, publishTimeMs: 30n });
      await archive(journal, { feedId: 3n, expiryMs });
      const listed = (await journal.unexpiredPrices(expiryMs)).map(({ feedId, publishTimeMs }) => [
        feedId,
        publishTimeMs,
      ]);
      expect(listed).toEqual([
        [1n, 30n],
        [2n, 10n],
        [2n, 20n],
      ]);
    });

    test("are found by number, in the order that was asked for", async () => {
      const journal = await opened();
      const one = await archive(journal, { feedId: 1n });
      const two = await archive(journal, { feedId: 2n });
      expect(await journal.pricesById([two.id, 10_000n, one.id])).toEqual([two, one]);
      expect(await journal.pricesById([])).toEqual([]);
    });

    test("10,000 of them go into one transaction", async () => {
      const journal = await opened();
      const prices = Array.from({ length: 10_000 }, (_, index) => checkedPrice({ feedId: BigInt(index + 1) }));
      await journal.recordReceived(prices, NOON_MS);
      const archived = await journal.unexpiredPrices(NOON_MS);
      expect(archived).toHaveLength(10_000);
      await journal.recordPlan(
        TARGET,
        archived.map(({ id, feedId, day }) => ({ feedId, day, priceId: id, state: "planned" as const, reason: "new" })),
        NOON_MS,
      );
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toHaveLength(10_000);
    });

    test("open their editions: the first sight stays, the earliest publish time counts", async () => {
      const journal = await opened();
      expect(await journal.newestEdition("sales")).toBeUndefined();
      await archive(journal, { feedId: 1n, publishTimeMs: NOON_MS });
      await archive(journal, { feedId: 2n, publishTimeMs: NOON_MS - 5n }, LATER);
      await archive(journal, { feedId: 3n, publishTimeMs: NOON_MS + 5n }, LATER);
      await archive(journal, { feedId: 4n, day: DAY - 1 }, LATER);
      await archive(journal, { feedId: 2_000_000_001n, day: DAY + 1 }, LATER);
      expect(await journal.newestEdition("sales")).toEqual({
        kind: "sales",
        day: DAY,
        firstSeenMs: NOON_MS,
        publishTimeMs: NOON_MS - 5n,
      });
      expect(await journal.newestEdition("rental")).toMatchObject({ day: DAY + 1, firstSeenMs: LATER });
      expect(await journal.editionDaysSince("sales", DAY - 1)).toEqual([DAY - 1, DAY]);
      expect(await journal.editionDaysSince("sales", DAY)).toEqual([DAY]);
    });
  });

  describe("refusals", () => {
    const item = {
      kind: "sales" as const,
      marketId: 7n,
      feedId: 7n,
      code: "ExpiryPassed",
      reason: "expired 1 h ago",
      messageBytes: new Uint8Array(74).fill(1),
      signature: new Uint8Array(64).fill(2),
    };
    const bare = {
      kind: "rental" as const,
      marketId: undefined,
      feedId: undefined,
      code: "MalformedItem",
      reason: "x",
    };

    test("the same item again is one record, with the newest reason", async () => {
      const journal = await opened();
      await journal.recordRefusals([item], NOON_MS);
      await journal.recordRefusals([{ ...item, reason: "expired 2 h ago" }], LATER);
      expect(await journal.refusalsOn(NOON_MS, LATER)).toEqual([
        { ...item, reason: "expired 2 h ago", firstReceivedMs: NOON_MS, lastReceivedMs: LATER, times: 2 },
      ]);
    });

    test("what differs in kind, market, code or bytes is another record", async () => {
      const journal = await opened();
      const others = [
        item,
        { ...item, kind: "rental" as const },
        { ...item, marketId: 8n },
        { ...item, code: "WrongFeed" },
        { ...item, messageBytes: new Uint8Array(74).fill(3) },
        { ...item, signature: new Uint8Array(64).fill(3) },
        bare,
      ];
      await journal.recordRefusals(others, NOON_MS);
      expect(await journal.refusalsOn(NOON_MS, NOON_MS + 1n)).toHaveLength(others.length);
    });

    test("an answer that is recorded twice, because nobody knew whether it was, counts once", async () => {
      const journal = await opened();
      for (const _ of [1, 2]) await journal.recordRefusals([item, bare, bare], NOON_MS);
      expect((await journal.refusalsOn(0n, LATER)).map(({ times }) => times)).toEqual([1, 1]);
    });

    test("the next day's are records of their own, and are found by when they came", async () => {
      const journal = await opened();
      const nextDay = NOON_MS + 86_400_000n;
      await journal.recordRefusals([bare], NOON_MS);
      await journal.recordRefusals([bare], nextDay);
      expect(await journal.refusalsOn(0n, nextDay)).toEqual([
        { ...bare, firstReceivedMs: NOON_MS, lastReceivedMs: NOON_MS, times: 1 },
      ]);
      expect(await journal.refusalsOn(NOON_MS + 1n, nextDay + 1n)).toMatchObject([{ firstReceivedMs: nextDay }]);
    });
  });

  describe("plans", () => {
    const planOf = (price: { id: bigint; feedId: bigint; day: number }, state = "planned", reason = "new date") => ({
      feedId: price.feedId,
      day: price.day,
      priceId: price.id,
      state: state as "planned" | "current" | "waiting" | "refused" | "missed",
      reason,
    });

    test("what is planned is a delivery, on that target alone", async () => {
      const journal = await opened();
      const price = await archive(journal);
      await journal.recordPlan(TARGET, [planOf(price)], NOON_MS);
      expect(await journal.deliveriesIn(TARGET, ["planned", "sent"])).toEqual<Delivery[]>([
        {
          target: TARGET,
          feedId: price.feedId,
          day: DAY,
          priceId: price.id,
          state: "planned",
          reason: "new date",
          attemptId: undefined,
          plannedAtMs: NOON_MS,
          sentAtMs: undefined,
          minedAtMs: undefined,
          finalAtMs: undefined,
          updatedAtMs: NOON_MS,
        },
      ]);
      expect(await journal.deliveriesIn(OTHER_TARGET, ["planned"])).toEqual([]);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toEqual([]);
      expect(await journal.deliveriesIn(TARGET, [])).toEqual([]);
    });

    test("an address counts whatever its letters' case, and comes back with its checksum", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const oracle = TARGET.oracle.toLowerCase() as typeof TARGET.oracle;
      await journal.recordPlan({ ...TARGET, oracle }, [planOf(price)], NOON_MS);
      await journal.openAttempt(
        newAttempt([price], { target: { ...TARGET, oracle }, sender: SENDER.toLowerCase() as typeof SENDER }),
      );
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toMatchObject([{ target: TARGET }]);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([{ sender: SENDER, target: TARGET }]);
      expect(await journal.history({ limit: 9 })).toMatchObject([{ delivery: { target: TARGET } }]);
    });

    test("a look that says nothing new changes nothing; another word does, and the time of planning stays", async () => {
      const journal = await opened();
      const price = await archive(journal);
      await journal.recordPlan(TARGET, [planOf(price)], NOON_MS);
      await journal.recordPlan(TARGET, [planOf(price)], LATER);
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([{ updatedAtMs: NOON_MS }]);
      await journal.recordPlan(TARGET, [planOf(price, "planned", "fees are too high")], LATER);
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([
        { updatedAtMs: LATER, plannedAtMs: NOON_MS, reason: "fees are too high" },
      ]);
      await journal.recordPlan(TARGET, [planOf(price, "missed", "expired")], LATER);
      expect(await journal.deliveriesIn(TARGET, ["missed"])).toMatchObject([{ plannedAtMs: NOON_MS }]);
    });

    test("of two words on one edition in one plan, the later one counts", async () => {
      const journal = await opened();
      const price = await archive(journal);
      await journal.recordPlan(TARGET, [planOf(price), planOf(price, "current")], NOON_MS);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([{ state: "current" }]);
    });

    test("a price that is in an attempt is left as it is, whatever a look at the chain says", async () => {
      const journal = await opened();
      const price = await archive(journal);
      await journal.openAttempt(newAttempt([price]));
      for (const state of ["planned", "current", "refused", "missed"]) {
        await journal.recordPlan(TARGET, [planOf(price, state)], LATER);
        expect(await journal.newestDeliveries(TARGET)).toMatchObject([
          { state: "sent", updatedAtMs: NOON_MS + 1_000n },
        ]);
      }
      await journal.recordPlan(OTHER_TARGET, [planOf(price)], LATER);
      expect(await journal.newestDeliveries(OTHER_TARGET)).toMatchObject([{ state: "planned" }]);
    });

    test("a revision takes the place of what was brought; the chain's own, for a price that was only signed anew, does not", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.recordMined(attempt.id, minedIn(attempt), [STORED]);
      await journal.recordFinal(attempt.id, LATER);
      const signedAnew = await archive(journal, { publishTimeMs: LATER });
      await journal.recordPlan(TARGET, [planOf(signedAnew, "current", "the chain holds the same price")], LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([{ state: "final", priceId: price.id }]);
      const revision = await archive(journal, { publishTimeMs: LATER, price: 5n });
      await journal.recordPlan(TARGET, [planOf(revision)], LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([
        { state: "planned", priceId: revision.id, attemptId: undefined, finalAtMs: undefined },
      ]);
    });

    test("what waits in quarantine becomes current once it is served, and keeps its attempt", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.recordMined(attempt.id, minedIn(attempt), [{ outcome: "quarantined" }]);
      await journal.recordPlan(TARGET, [planOf(price)], LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([{ state: "waiting" }]);
      await journal.recordPlan(TARGET, [planOf(price, "current", "served")], LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([
        { state: "current", attemptId: attempt.id, minedAtMs: NOON_MS + 13_000n },
      ]);
    });

    test("the newest date of each feed, and everything since a date", async () => {
      const journal = await opened();
      const prices = [
        await archive(journal, { feedId: 2n, day: DAY }),
        await archive(journal, { feedId: 2n, day: DAY - 1 }),
        await archive(journal, { feedId: 1n, day: DAY - 3 }),
        await archive(journal, { feedId: 1n, day: DAY - 2 }),
      ];
      await journal.recordPlan(
        TARGET,
        prices.map((price) => planOf(price)),
        NOON_MS,
      );
      const keys = (deliveries: Delivery[]) => deliveries.map(({ feedId, day }) => [feedId, day]);
      expect(keys(await journal.newestDeliveries(TARGET))).toEqual([
        [1n, DAY - 2],
        [2n, DAY],
      ]);
      expect(keys(await journal.deliveriesSince(TARGET, DAY - 2))).toEqual([
        [1n, DAY - 2],
        [2n, DAY - 1],
        [2n, DAY],
      ]);
      expect(await journal.newestDeliveries(OTHER_TARGET)).toEqual([]);
    });

    test("a price that is not archived cannot be planned", async () => {
      const journal = await opened();
      await expect(journal.recordPlan(TARGET, [planOf({ id: 77n, feedId: 1n, day: DAY })], NOON_MS)).rejects.toThrow(
        JournalStepError,
      );
      expect(await journal.newestDeliveries(TARGET)).toEqual([]);
    });
  });

  describe("attempts", () => {
    test("come back whole, and their deliveries are sent", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price], { gasLimit: 16_777_216n, nonce: 7 }));
      expect(attempt).toEqual({
        id: attempt.id,
        target: TARGET,
        sender: SENDER,
        nonce: 7,
        state: "sent",
        gasLimit: 16_777_216n,
        openedAtMs: NOON_MS + 1_000n,
        updates: [{ feedId: price.feedId, day: DAY, priceId: price.id }],
        transactions: [transactionOf(1_007)],
      });
      expect(await journal.openAttempts(1, SENDER)).toEqual([attempt]);
      expect(await journal.openAttempts(10, SENDER)).toEqual([]);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toMatchObject([
        { attemptId: attempt.id, sentAtMs: NOON_MS + 1_000n, priceId: price.id },
      ]);
    });

    test("fees above 2^63 wei are kept exactly", async () => {
      const journal = await opened();
      const transaction = transactionOf(1, { maxFeePerGas: 2n ** 200n + 1n });
      const attempt = await journal.openAttempt(newAttempt([], { transaction }));
      expect(attempt.transactions[0]?.maxFeePerGas).toBe(2n ** 200n + 1n);
      expect((await journal.spending(1, SENDER, 0n)).reservedWei).toBe(1_000_000n * (2n ** 200n + 1n));
    });

    test("a nonce is given once a sender and chain, whatever the oracle", async () => {
      const journal = await opened();
      const one = await archive(journal, { feedId: 1n });
      const two = await archive(journal, { feedId: 2n });
      await journal.openAttempt(newAttempt([one]));
      const second = newAttempt([two], { transaction: transactionOf(2) });
      const conflict = { code: "ATTEMPT_CONFLICT", message: expect.stringContaining("nonce") };
      await expect(journal.openAttempt(second)).rejects.toMatchObject(conflict);
      const elsewhere = { ...second, target: { ...TARGET, oracle: OTHER_TARGET.oracle } };
      await expect(journal.openAttempt(elsewhere)).rejects.toMatchObject(conflict);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toMatchObject([{ feedId: 1n }]);
      await journal.openAttempt({ ...second, target: OTHER_TARGET });
      await journal.openAttempt({ ...second, sender: OTHER_TARGET.oracle });
    });

    test("a price is in one attempt of a target, and what came with it is not written either", async () => {
      const journal = await opened();
      const one = await archive(journal, { feedId: 1n });
      const two = await archive(journal, { feedId: 2n });
      await journal.openAttempt(newAttempt([one]));
      await expect(journal.openAttempt(newAttempt([two, one], { nonce: 1 }))).rejects.toMatchObject({
        code: "ATTEMPT_CONFLICT",
        message: expect.stringContaining("prices"),
      });
      expect(await journal.openAttempts(1, SENDER)).toHaveLength(1);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toHaveLength(1);
      await journal.openAttempt(newAttempt([two, one], { target: OTHER_TARGET }));
    });

    test("replacements are kept in their order, once each", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      const dearer = transactionOf(2, { maxFeePerGas: 9_000_000_000n, host: "https://second.example" });
      for (const _ of [1, 2]) await journal.addReplacement(attempt.id, dearer);
      const [open] = await journal.openAttempts(1, SENDER);
      expect(open?.transactions).toEqual([transactionOf(1_000), dearer]);
      expect((await journal.spending(1, SENDER, 0n)).reservedWei).toBe(9_000_000_000n * 1_000_000n);
    });

    test("what is stored is mined, then final; a step taken twice is taken once", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      const mined = minedIn(attempt);
      for (const _ of [1, 2]) await journal.recordMined(attempt.id, mined, [STORED]);
      await journal.recordMined(attempt.id, { ...mined, minedAtMs: LATER }, [STORED]);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([
        { state: "mined", mined, updates: [{ outcome: STORED }] },
      ]);
      expect(await journal.deliveriesIn(TARGET, ["mined"])).toMatchObject([{ minedAtMs: NOON_MS + 13_000n }]);
      for (const atMs of [LATER, LATER + 1n]) await journal.recordFinal(attempt.id, atMs);
      await journal.recordMined(attempt.id, mined, [STORED]);
      expect(await journal.openAttempts(1, SENDER)).toEqual([]);
      const [entry] = await journal.history({ limit: 1 });
      expect(entry?.delivery).toMatchObject({ state: "final", finalAtMs: LATER, attemptId: attempt.id });
      expect(entry?.attempt).toMatchObject({ state: "final", mined, transactions: [{ rawTransaction: "0x" }] });
      expect(entry?.price).toEqual(price);
    });

    test("each update's delivery becomes what the contract made of it, and none may be sent again", async () => {
      const journal = await opened();
      const prices = [];
      for (const feedId of [1n, 2n, 3n, 4n]) prices.push(await archive(journal, { feedId }));
      const attempt = await journal.openAttempt(newAttempt(prices));
      const outcomes = [
        STORED,
        { outcome: "skipped" },
        { outcome: "quarantined" },
        { outcome: "refused", reason: "UnknownSigner" },
      ] as const;
      await journal.recordMined(attempt.id, minedIn(attempt), outcomes);
      const states = async () => (await journal.newestDeliveries(TARGET)).map(({ state }) => state);
      expect(await states()).toEqual(["mined", "current", "waiting", "refused"]);
      expect((await journal.openAttempts(1, SENDER))[0]?.updates.map(({ outcome }) => outcome)).toEqual(outcomes);
      expect((await journal.newestDeliveries(TARGET)).at(3)?.reason).toBe("UnknownSigner");
      await journal.recordFinal(attempt.id, LATER);
      expect(await states()).toEqual(["final", "current", "waiting", "refused"]);
      for (const [index, price] of prices.entries()) {
        await expect(journal.openAttempt(newAttempt([price], { nonce: index + 1 }))).rejects.toThrow(
          AttemptConflictError,
        );
      }
    });

    test("a transaction that failed as a whole lets its prices go", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.recordMined(attempt.id, minedIn(attempt, { succeeded: false }), []);
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([
        { attemptId: undefined, sentAtMs: undefined },
      ]);
      const next = await journal.openAttempt(newAttempt([price], { nonce: 1 }));
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toMatchObject([{ attemptId: next.id }]);
      await journal.recordFinal(attempt.id, LATER);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toHaveLength(1);
      expect(await journal.attemptsOf([price.id])).toMatchObject([{ id: attempt.id }, { id: next.id }]);
    });

    test("a transaction that only uses up the nonce lets the prices go once it is mined, not before", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      const nothing = transactionOf(2, { carriesUpdates: false });
      await journal.addReplacement(attempt.id, nothing);
      expect(await journal.deliveriesIn(TARGET, ["sent"])).toHaveLength(1);
      await expect(journal.openAttempt(newAttempt([price], { nonce: 1 }))).rejects.toThrow(AttemptConflictError);
      await journal.recordMined(attempt.id, minedIn(attempt, { hash: nothing.hash }), []);
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([{ attemptId: undefined }]);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([{ state: "mined", updates: [] }]);
      await journal.recordReorganised(attempt.id, LATER);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([
        { state: "sent", updates: [{ priceId: price.id }] },
      ]);
      await journal.recordMined(attempt.id, minedIn(attempt, { hash: nothing.hash }), []);
      await journal.openAttempt(newAttempt([price], { nonce: 1 }));
    });

    test("but when the first transaction is mined after all, its updates count", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.addReplacement(attempt.id, transactionOf(2, { carriesUpdates: false }));
      await journal.recordMined(attempt.id, minedIn(attempt), [STORED]);
      expect(await journal.deliveriesIn(TARGET, ["mined"])).toHaveLength(1);
    });

    test("a reorganisation clears what the block said, and the price stays taken", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.recordMined(attempt.id, minedIn(attempt), [STORED]);
      for (const _ of [1, 2]) await journal.recordReorganised(attempt.id, LATER);
      expect(await journal.openAttempts(1, SENDER)).toEqual([attempt]);
      expect(await journal.spending(1, SENDER, 0n)).toMatchObject({
        spentWei: 0n,
        reservedWei: 3_000_000_000_000_000n,
      });
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([
        { attemptId: attempt.id, minedAtMs: undefined, sentAtMs: NOON_MS + 1_000n },
      ]);
      await expect(journal.openAttempt(newAttempt([price], { nonce: 1 }))).rejects.toThrow(AttemptConflictError);
      await journal.recordMined(attempt.id, minedIn(attempt, { blockNumber: 101n }), [STORED]);
      expect(await journal.deliveriesIn(TARGET, ["mined"])).toHaveLength(1);
    });

    test("a failed transaction that a reorganisation brings back does not take a price from who has it now", async () => {
      const journal = await opened();
      const shared = await archive(journal, { feedId: 1n });
      const own = await archive(journal, { feedId: 2n });
      const first = await journal.openAttempt(newAttempt([shared, own]));
      await journal.recordMined(first.id, minedIn(first, { succeeded: false }), []);
      const second = await journal.openAttempt(newAttempt([shared], { nonce: 1 }));
      await journal.recordReorganised(first.id, LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([
        { feedId: 1n, state: "sent", attemptId: second.id },
        { feedId: 2n, state: "planned", attemptId: first.id },
      ]);
      await journal.recordMined(first.id, minedIn(first, { blockNumber: 101n }), [STORED, STORED]);
      await journal.recordMined(second.id, minedIn(second), [{ outcome: "skipped" }]);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([{ state: "current" }, { state: "mined" }]);
    });

    test("another block takes the place of the one before", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      await journal.recordMined(attempt.id, minedIn(attempt), [{ outcome: "skipped" }]);
      const other = minedIn(attempt, { blockHash: transactionOf(5).hash, gasUsed: 3n, minedAtMs: LATER });
      await journal.recordMined(attempt.id, other, [STORED]);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([{ mined: other, updates: [{ outcome: STORED }] }]);
      expect(await journal.deliveriesIn(TARGET, ["mined"])).toMatchObject([{ minedAtMs: LATER }]);
    });

    test("a displaced attempt lets go of its nonce and its prices", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      for (const _ of [1, 2]) await journal.recordDisplaced(attempt.id, LATER);
      expect(await journal.openAttempts(1, SENDER)).toEqual([]);
      expect(await journal.highestNonce(1, SENDER)).toBeUndefined();
      expect(await journal.deliveriesIn(TARGET, ["planned"])).toMatchObject([
        { plannedAtMs: LATER, attemptId: undefined },
      ]);
      await journal.openAttempt(newAttempt([price], { transaction: transactionOf(3) }));
      expect(await journal.highestNonce(1, SENDER)).toBe(0);
    });

    test("a revision that took the place of a price is not touched by what becomes of that", async () => {
      const journal = await opened();
      const price = await archive(journal);
      const attempt = await journal.openAttempt(newAttempt([price]));
      const revision = await archive(journal, { price: 5n, publishTimeMs: LATER });
      const next = await journal.openAttempt(newAttempt([revision], { nonce: 1 }));
      await journal.recordMined(attempt.id, minedIn(attempt), [STORED]);
      await journal.recordReorganised(attempt.id, LATER);
      await journal.recordDisplaced(attempt.id, LATER);
      expect(await journal.newestDeliveries(TARGET)).toMatchObject([
        { state: "sent", priceId: revision.id, attemptId: next.id },
      ]);
    });

    test("what cannot be is refused, and nothing is changed", async () => {
      const journal = await opened();
      const prices = [await archive(journal, { feedId: 1n }), await archive(journal, { feedId: 2n })];
      const attempt = await journal.openAttempt(newAttempt(prices));
      const mined = minedIn(attempt);
      const before = await journal.openAttempts(1, SENDER);
      const impossible = [
        () => journal.recordMined(99n, mined, [STORED, STORED]),
        () => journal.recordMined(attempt.id, { ...mined, hash: transactionOf(5).hash }, [STORED, STORED]),
        () => journal.recordMined(attempt.id, mined, [STORED]),
        () => journal.recordMined(attempt.id, { ...mined, succeeded: false }, [STORED, STORED]),
        () => journal.recordFinal(attempt.id, LATER),
        () => journal.openAttempt(newAttempt([{ id: 77n, feedId: 3n, day: DAY }], { nonce: 1 })),
      ];
      for (const step of impossible) await expect(step()).rejects.toThrow(JournalStepError);
      expect(await journal.openAttempts(1, SENDER)).toEqual(before);
      await journal.recordMined(attempt.id, mined, [STORED, STORED]);
      await expect(journal.addReplacement(attempt.id, transactionOf(2))).rejects.toThrow(JournalStepError);
      await expect(journal.recordDisplaced(attempt.id, LATER)).rejects.toThrow(JournalStepError);
      await journal.recordFinal(attempt.id, LATER);
      await expect(journal.recordReorganised(attempt.id, LATER)).rejects.toThrow(JournalStepError);
      await expect(journal.recordDisplaced(attempt.id, LATER)).rejects.toThrow(JournalStepError);
      const elsewhere = { ...mined, blockHash: transactionOf(5).hash };
      await expect(journal.recordMined(attempt.id, elsewhere, [STORED, STORED])).rejects.toThrow(JournalStepError);
    });

    test("an attempt without updates only uses up a nonce", async () => {
      const journal = await opened();
      const attempt = await journal.openAttempt(newAttempt([], { nonce: 3 }));
      await journal.recordMined(attempt.id, minedIn(attempt), []);
      await journal.recordFinal(attempt.id, LATER);
      expect(await journal.highestNonce(1, SENDER)).toBe(3);
    });

    test("spending counts what was mined since an instant, failed or not, and what may still be", async () => {
      const journal = await opened();
      const attempts = [];
      for (const nonce of [0, 1, 2, 3]) attempts.push(await journal.openAttempt(newAttempt([], { nonce })));
      const [early, failed, , displaced] = attempts;
      if (!early || !failed || !displaced) throw new Error("attempts are missing");
      await journal.recordMined(early.id, minedIn(early, { minedAtMs: NOON_MS - 1n }), []);
      await journal.recordMined(failed.id, minedIn(failed, { succeeded: false, gasUsed: 7n, minedAtMs: NOON_MS }), []);
      await journal.recordFinal(failed.id, LATER);
      await journal.recordDisplaced(displaced.id, LATER);
      expect(await journal.spending(1, SENDER, NOON_MS)).toEqual({
        spentWei: 7n * 2_000_000_000n,
        reservedWei: 1_000_000n * 3_000_000_000n,
        firstSpentAtMs: NOON_MS,
      });
      expect((await journal.spending(1, SENDER, 0n)).spentWei).toBe(500_007n * 2_000_000_000n);
      expect(await journal.spending(10, SENDER, 0n)).toEqual({
        spentWei: 0n,
        reservedWei: 0n,
        firstSpentAtMs: undefined,
      });
    });
  });

  test("history is newest first, and narrowed by chain, feed, dates and state", async () => {
    const journal = await opened();
    for (const feedId of [1n, 2n, 2_000_000_001n]) {
      for (const day of [DAY - 2, DAY - 1, DAY]) {
        const { id } = await archive(journal, { feedId, day });
        const planned = { feedId, day, priceId: id, reason: "" };
        await journal.recordPlan(TARGET, [{ ...planned, state: "planned" }], NOON_MS);
        await journal.recordPlan(OTHER_TARGET, [{ ...planned, state: "current" }], NOON_MS);
      }
    }
    const find = async (query: Partial<Parameters<Journal["history"]>[0]>) =>
      (await journal.history({ limit: 100, ...query })).map(({ delivery: { day, feedId, target } }) => [
        day - DAY,
        feedId,
        target.chainId,
      ]);
    expect(await find({})).toHaveLength(18);
    expect(await find({ limit: 3 })).toEqual([
      [0, 1n, 1],
      [0, 1n, 10],
      [0, 2n, 1],
    ]);
    expect(await find({ feedId: 2n, chainId: 10 })).toEqual([
      [0, 2n, 10],
      [-1, 2n, 10],
      [-2, 2n, 10],
    ]);
    expect(await find({ fromFeedId: 2_000_000_001n, fromDay: DAY - 1, toDay: DAY - 1 })).toEqual([
      [-1, 2_000_000_001n, 1],
      [-1, 2_000_000_001n, 10],
    ]);
    expect(await find({ toFeedId: 1n, states: ["planned", "missed"], toDay: DAY - 2 })).toEqual([[-2, 1n, 1]]);
  });

  test("alerts are remembered until they are removed", async () => {
    const journal = await opened();
    const alert = { key: "a", kind: "service-down", severity: "critical", message: "m", sinceMs: 1n } as const;
    await journal.putAlert({ ...alert, toldAtMs: undefined });
    await journal.putAlert({ ...alert, key: "b", sinceMs: 0n, severity: "warning", toldAtMs: 4n });
    await journal.putAlert({ ...alert, message: "n", toldAtMs: 3n });
    expect(await journal.alerts()).toEqual([
      { ...alert, key: "b", sinceMs: 0n, severity: "warning", toldAtMs: 4n },
      { ...alert, message: "n", toldAtMs: 3n },
    ]);
    for (const _ of [1, 2]) await journal.removeAlert("b");
    expect(await journal.alerts()).toHaveLength(1);
  });

  test("credits add up by month, whoever adds them at the same time", async () => {
    const journal = await opened();
    const { credits } = journal;
    expect(await credits.usedIn("2026-11")).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => credits.add("2026-11", 2.5)));
    await credits.add("2026-11", -10);
    await credits.add("2026-12", 1);
    expect(await credits.usedIn("2026-11")).toBe(40);
  });

  describe("pruning", () => {
    test("removes what is old, and never what is under way", async () => {
      const journal = await opened();
      const old = DAY - 100;
      const settled = await archive(journal, { feedId: 1n, day: old });
      const mined = await archive(journal, { feedId: 2n, day: old });
      const missed = await archive(journal, { feedId: 3n, day: old });
      const superseded = await archive(journal, { feedId: 3n, day: old, price: 1n });
      const recent = await archive(journal, { feedId: 1n, day: DAY });
      const openedLongAgo = { signedAtMs: startOfDayMs(old) };
      const first = await journal.openAttempt(newAttempt([settled], { transaction: transactionOf(1, openedLongAgo) }));
      const second = await journal.openAttempt(
        newAttempt([mined], { nonce: 1, transaction: transactionOf(2, openedLongAgo) }),
      );
      const third = await journal.openAttempt(newAttempt([recent], { nonce: 2 }));
      for (const attempt of [first, second, third]) await journal.recordMined(attempt.id, minedIn(attempt), [STORED]);
      for (const attempt of [first, third]) await journal.recordFinal(attempt.id, LATER);
      await journal.recordPlan(
        TARGET,
        [{ feedId: 3n, day: old, priceId: missed.id, state: "missed", reason: "expired" }],
        NOON_MS,
      );
      const refusal = { kind: "sales" as const, marketId: 1n, feedId: 1n, code: "ZeroPrice", reason: "" };
      await journal.recordRefusals([refusal], startOfDayMs(old));
      await journal.recordRefusals([refusal], NOON_MS);

      expect(await journal.size()).toMatchObject({ prices: 5, oldestDay: old });
      expect(await journal.prune(DAY - 10)).toEqual({ prices: 3 });
      expect(await journal.prune(DAY - 10)).toEqual({ prices: 0 });
      expect(await journal.pricesById([settled.id, missed.id, superseded.id, mined.id, recent.id])).toEqual([
        mined,
        recent,
      ]);
      expect((await journal.history({ limit: 9 })).map(({ price }) => price.id)).toEqual([recent.id, mined.id]);
      expect(await journal.attemptsOf([settled.id])).toEqual([]);
      expect(await journal.openAttempts(1, SENDER)).toMatchObject([{ id: second.id }]);
      expect(await journal.refusalsOn(0n, LATER)).toHaveLength(1);
      expect(await journal.size()).toMatchObject({ prices: 2, oldestDay: old });
      await journal.recordFinal(second.id, LATER);
      expect(await journal.prune(DAY - 10)).toEqual({ prices: 1 });
    });

    test("leaves what could still be brought, and is told the newest edition all the same", async () => {
      const journal = await opened();
      const planned = await archive(journal);
      await journal.recordPlan(
        TARGET,
        [{ feedId: planned.feedId, day: DAY, priceId: planned.id, state: "planned", reason: "" }],
        NOON_MS,
      );
      expect(await journal.prune(DAY + 1)).toEqual({ prices: 0 });
      expect(await journal.prune(DAY + 5)).toEqual({ prices: 1 });
      expect(await journal.size()).toMatchObject({ prices: 0, oldestDay: undefined });
      expect(await journal.newestEdition("sales")).toMatchObject({ day: DAY });
    });

    test("a number is never given twice, so that an old one cannot come to mean another price", async () => {
      const journal = await opened();
      const { id } = await archive(journal, { day: DAY - 50 });
      await journal.prune(DAY);
      expect((await archive(journal)).id).toBeGreaterThan(id);
    });
  });

  test("the size on disk is said", async () => {
    const journal = await opened();
    await archive(journal);
    expect((await journal.size()).bytes).toBeGreaterThan(50_000n);
  });
}
