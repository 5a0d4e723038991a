import { openJournal } from "../../relayer/journal/openJournal.ts";
import { checkedPrice, DAY, minedIn, NOON_MS, newAttempt, TARGET, transactionOf } from "./journalFixture.ts";

/**
 * A process that writes without end until it is killed, and says of each operation when it has returned. Started by the
 * tests: `node writer.ts <store> <number of the first attempt>`.
 */
const [store = "", first = "0"] = process.argv.slice(2);

const journal = await openJournal(store);
for (let number = Number(first); ; number += 1) {
  const feedIds = Array.from({ length: 20 }, (_, index) => BigInt(20 * number + index + 1));
  await journal.recordReceived(
    feedIds.map((feedId) => checkedPrice({ feedId })),
    NOON_MS,
  );
  process.stdout.write(`received ${number}\n`);
  const prices = (await journal.pricesOn(DAY)).filter(({ feedId }) => feedIds.includes(feedId));
  await journal.recordPlan(
    TARGET,
    prices.map(({ id, feedId, day }) => ({ feedId, day, priceId: id, state: "planned" as const, reason: "new" })),
    NOON_MS,
  );
  const attempt = await journal.openAttempt(
    newAttempt(prices, { nonce: number, transaction: transactionOf(number + 1) }),
  );
  process.stdout.write(`opened ${number}\n`);
  await journal.recordMined(
    attempt.id,
    minedIn(attempt),
    prices.map(() => ({ outcome: "stored" })),
  );
  process.stdout.write(`mined ${number}\n`);
}
