import { openJournal } from "../../relayer/journal/openJournal.ts";
import { newAttempt, transactionOf } from "./journalFixture.ts";

/**
 * A process that tries to open an attempt for each of many rounds, against others that try the same; prints a line per
 * round that it won. Started by the tests: `node race.ts <store> <number of this process> <rounds> nonce|update`.
 */
const [store = "", number = "0", rounds = "1", about = "nonce"] = process.argv.slice(2);

const journal = await openJournal(store);
const prices = (await journal.unexpiredPrices(0n)).toSorted((a, b) => Number(a.id - b.id));
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
for (let round = 0; round < Number(rounds); round += 1) {
  const price = prices[round];
  // Either all want the same nonce for nothing, or the same price with nonces of their own.
  const wanted = about === "nonce" ? [] : price ? [price] : [];
  const nonce = about === "nonce" ? round : 1_000 * Number(number) + round;
  try {
    const transaction = transactionOf(10_000 * (Number(number) + 1) + round);
    await journal.openAttempt(newAttempt(wanted, { nonce, transaction }));
    process.stdout.write(`won ${round}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ATTEMPT_CONFLICT")) throw error;
  }
}
await journal.close();
process.exit();
