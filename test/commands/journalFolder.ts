import { join } from "node:path";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import type { PriceMessage } from "../../relayer/message/priceMessage.ts";
import { minedIn, newAttempt, TARGET, transactionOf } from "../journal/journalFixture.ts";
import { NOW_MS, priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";
import { folderWith } from "./commandInFolder.ts";

/** The date of the prices, and that of the day before. */
export const DATE = "2026-03-04";
export const DATE_BEFORE = "2026-03-03";

const MARKET = 5_826_765n;
const OTHER_MARKET = 5_503_877n;
const RENTAL = 2_000_000_000n;
const SENT_MS = NOW_MS + 5_000n;

/** A folder with a journal in which much has happened, and the environment that a command finds it by. */
export async function folderWithJournal(): Promise<{
  readonly folder: string;
  readonly store: string;
  readonly environment: Readonly<Record<string, string>>;
}> {
  const folder = await folderWith();
  const store = join(folder, "journal.sqlite");
  const journal = await openJournal(store);
  await fill(journal);
  await journal.close();
  return { folder, store, environment: { HOMEPRICE_STORE: store } };
}

async function receive(journal: Journal, changes: Partial<PriceMessage> & { price?: string }, atMs = NOW_MS) {
  const price = signedPrice(priceMessage(changes), atMs);
  await journal.recordReceived([price], atMs);
  const found = (await journal.pricesOn(price.message.day)).find(
    ({ feedId, publishTimeMs }) => feedId === price.feedId && publishTimeMs === price.message.publishTimeMs,
  );
  if (!found) throw new Error("a price that was recorded is not there");
  return found;
}

async function fill(journal: Journal): Promise<void> {
  const yesterdayMs = NOW_MS - 86_400_000n;
  const missed = await receive(
    journal,
    {
      date: DATE_BEFORE,
      publishTimeMs: timeMs("2026-03-03T12:30:00Z"),
      expiryMs: timeMs("2026-03-04T13:25:00Z"),
    },
    yesterdayMs,
  );
  const first = await receive(journal, { price: "216.94" });
  const rental = await receive(journal, { feedId: RENTAL + MARKET, price: "1.75" });
  const other = await receive(journal, { feedId: OTHER_MARKET, price: "300" });
  const plan = (price: typeof first, state: "planned" | "current" | "missed", reason: string) => ({
    feedId: price.feedId,
    day: price.day,
    priceId: price.id,
    state,
    reason,
  });
  await journal.recordPlan(TARGET, [plan(missed, "missed", "expired before it could be brought")], NOW_MS);
  await journal.recordPlan(
    TARGET,
    [plan(first, "planned", "new date"), plan(rental, "planned", "new date"), plan(other, "current", "the same price")],
    NOW_MS,
  );
  const attempt = await journal.openAttempt(
    newAttempt([first, rental], { transaction: transactionOf(1, { signedAtMs: SENT_MS }) }),
  );
  await journal.addReplacement(attempt.id, transactionOf(2, { signedAtMs: SENT_MS + 60_000n }));
  const mined = minedIn(attempt, { hash: transactionOf(2).hash, minedAtMs: SENT_MS + 70_000n });
  await journal.recordMined(attempt.id, mined, [{ outcome: "stored" }, { outcome: "refused", reason: "ZeroPrice" }]);
  await journal.recordFinal(attempt.id, SENT_MS + 900_000n);
  await journal.recordRefusals(
    [{ kind: "sales", marketId: 77n, feedId: 77n, code: "WrongFeed", reason: "the message is of another market" }],
    NOW_MS,
  );
  // A revision, which takes the place of what was brought.
  const revision = await receive(journal, { price: "217", publishTimeMs: timeMs("2026-03-04T14:00:00Z") });
  await journal.recordPlan(
    TARGET,
    [plan(revision, "planned", "revised, the chain holds 216.94")],
    SENT_MS + 1_000_000n,
  );
}
