import { join } from "node:path";
import { expect, test } from "vitest";
import { Randomness } from "../../simulation/kernel/randomness.ts";
import { ChainLedger } from "./chainLedger.ts";
import { type Running, waitFor } from "./commandLine.ts";
import { contradictions, readJournal, type WorkLeft, workLeft } from "./journalAgainstChain.ts";
import { TwoChainNetwork } from "./twoChainNetwork.ts";

/**
 * The relayer's own process, killed with SIGKILL again and again at moments drawn by a seed: while it starts, while it
 * works, while it finishes what an earlier one has left, and while it has nothing to do.
 */
const isLong = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
const KILLS = isLong ? 100 : 10;
const MARKETS = 100;
const SEED = process.env["KILL_SEED"] ?? "killed relayer";
const TIME_LIMIT_MS = isLong ? 60 * 60_000 : 180_000;

/** The engine has started: from here on, the process works. */
const AT_WORK = "waiting for the next edition";

const LOOK_EVERY_MS = 200;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** When to kill a process: after a part of the time that starting, or working, has taken before; or a while after the work. */
type Moment =
  | { readonly when: "starting"; readonly part: number }
  | { readonly when: "working"; readonly part: number }
  | { readonly when: "idle"; readonly ms: number };

function drawMoment(random: Randomness): Moment {
  const draw = random.fraction();
  if (draw < 0.1) return { when: "starting", part: random.fraction() };
  if (draw < 0.9) return { when: "working", part: random.fraction() };
  return { when: "idle", ms: random.between(0, 3_000) };
}

type Kill = {
  readonly when: Moment["when"];
  readonly hadAsked: boolean;
  readonly wasAtWork: boolean;
  readonly left: readonly WorkLeft[];
};

/**
 * Whether work was under way when a process was killed: a transaction was written down and its fate was not, or the run
 * was between its first question to the price service and the last receipt.
 */
function isUnderWay({ hadAsked, wasAtWork, left }: Kill): boolean {
  const hasUnsettled = left.some(({ unsettled }) => unsettled > 0);
  const isInRun = left.some(({ undelivered, hasEdition }) => undelivered > 0 && (hasEdition || hadAsked));
  return wasAtWork && (hasUnsettled || isInRun);
}

test(
  `a relayer killed ${KILLS} times brings every price once`,
  async () => {
    const random = new Randomness(SEED);
    const network = await TwoChainNetwork.start({
      markets: MARKETS,
      editions: KILLS + 2,
      maxUpdatesPerTransaction: 25,
    });
    const store = join(network.folder, "journal.sqlite");
    const ledgers = network.chains.map((chain) => new ChainLedger(chain, network.sender));
    const days = [network.clock.day];
    const kills: Kill[] = [];
    // Learnt from the processes that were left alone.
    let startingMs = 1_000;
    let workingMs = 5_000;
    let running: Running | undefined;
    try {
      while (kills.length < KILLS || !(await network.isEverythingCurrent())) {
        if (await network.isEverythingCurrent()) {
          await check(network, ledgers, store, days, { isSettled: false });
          await network.toNextEdition();
          days.push(network.clock.day);
        }
        const isRecovering = !(await isUntouched());
        // Every second process that finds something left is let finish it.
        const isSpared = kills.length >= KILLS || (isRecovering && random.chance(0.5));
        const moment = isSpared ? undefined : drawMoment(random);
        const askedBefore = await network.pricesAsked();
        const startedMs = performance.now();
        running = network.startRelayer({ HOMEPRICE_STORE: store });
        const relayer = running;
        if (moment?.when === "starting") {
          await pause(moment.part * startingMs);
        } else {
          await waitFor(relayer, () => relayer.stderr().includes(AT_WORK) || undefined);
          const atWorkMs = performance.now();
          startingMs = atWorkMs - startedMs;
          if (moment?.when === "working") {
            await pause(moment.part * workingMs);
          } else {
            while (!(await network.isEverythingCurrent())) await pause(LOOK_EVERY_MS);
            if (!isRecovering) workingMs = performance.now() - atWorkMs;
            await pause(moment?.ms ?? 0);
          }
        }
        if (!moment) {
          expect(await relayer.stop("SIGTERM"), relayer.stderr()).toBe(0);
          continue;
        }
        await relayer.stop("SIGKILL");
        const left = await readJournal(store, (journal) =>
          Promise.all(network.chains.map((chain) => workLeft(journal, network, chain))),
        );
        kills.push({
          when: moment.when,
          hadAsked: (await network.pricesAsked()) > askedBefore,
          wasAtWork: relayer.stderr().includes(AT_WORK),
          left,
        });
      }
      running = network.startRelayer({ HOMEPRICE_STORE: store });
      await untilSettled();
      await running.stop("SIGTERM");
      await check(network, ledgers, store, days, { isSettled: true });
      report(kills, ledgers, days.length);
      expect(kills.filter(isUnderWay).length).toBeGreaterThanOrEqual(KILLS * 0.6);
    } finally {
      await running?.stop("SIGKILL");
      await network.stop();
    }

    /** Whether nothing of the edition that is out is in the journal yet. */
    function isUntouched(): Promise<boolean> {
      return readJournal(store, async (journal) => (await journal.pricesOn(network.clock.day)).length === 0);
    }

    async function untilSettled(): Promise<void> {
      for (;;) {
        const open = await readJournal(store, (journal) =>
          Promise.all(network.chains.map(({ chainId }) => journal.openAttempts(chainId, network.sender))),
        );
        if (open.flat().every(({ state }) => state !== "sent")) return;
        await pause(LOOK_EVERY_MS);
      }
    }
  },
  TIME_LIMIT_MS,
);

/** The chains are the truth; what a process has not settled yet, the journal may still have to learn. */
async function check(
  network: TwoChainNetwork,
  ledgers: readonly ChainLedger[],
  store: string,
  days: readonly number[],
  { isSettled }: { readonly isSettled: boolean },
): Promise<void> {
  await Promise.all(ledgers.map((ledger) => ledger.read()));
  expect(ledgers.flatMap((ledger) => ledger.problems())).toEqual([]);
  const problems = await readJournal(store, async (journal) =>
    (await Promise.all(ledgers.map((ledger) => contradictions(journal, ledger, days)))).flat(),
  );
  expect(problems.filter((problem) => isSettled || !problem.endsWith("the journal does not say so"))).toEqual([]);
  const counts = await Promise.all(
    network.chains.map(({ client }) => client.getTransactionCount({ address: network.sender })),
  );
  expect(counts).toEqual(ledgers.map(({ transactions }) => transactions.length));
}

function report(kills: readonly Kill[], ledgers: readonly ChainLedger[], editions: number): void {
  const underWay = kills.filter(isUnderWay);
  const unsettled = underWay.filter(({ left }) => left.some((each) => each.unsettled > 0));
  const moments = Object.entries(Object.groupBy(kills, ({ when }) => when)).map(
    ([when, some]) => `${some.length} ${when}`,
  );
  const sent = ledgers.map(
    ({ chain, transactions, updates }) =>
      `${transactions.length} transactions with ${updates} updates on ${chain.name}`,
  );
  process.stdout.write(
    `${kills.length} kills (${moments.join(", ")}), seed "${SEED}": ${underWay.length} while work was under way, ` +
      `${unsettled.length} of them with a transaction whose fate was not written down. ` +
      `${editions} editions of ${2 * MARKETS} feeds on 2 chains: ${sent.join(", ")}; none twice.\n`,
  );
}
