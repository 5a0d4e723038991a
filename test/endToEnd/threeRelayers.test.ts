import { afterAll, beforeAll, expect, test } from "vitest";
import { Randomness } from "../../simulation/kernel/randomness.ts";
import type { PostgresServer } from "../journal/postgresServer.ts";
import { serverForTests } from "../journal/serverForTests.ts";
import { ChainLedger } from "./chainLedger.ts";
import type { Running } from "./commandLine.ts";
import { contradictions, readJournal, type WorkLeft, workLeft } from "./journalAgainstChain.ts";
import { RelayerLog } from "./relayerLog.ts";
import { type DeliveredChain, TwoChainNetwork } from "./twoChainNetwork.ts";

/**
 * Three relayer processes that share one PostgreSQL and two chains. In every edition, one of them is killed with SIGKILL
 * while it is sending to a chain; another one takes its work over, and a new process takes its place.
 */
const isLong = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
const KILLS = isLong ? 12 : 3;
const LEAST_UNDER_WAY = isLong ? 10 : 3;
const MARKETS = isLong ? 1_000 : 50;
/** So that each chain needs several transactions for an edition. */
const UPDATES_PER_TRANSACTION = isLong ? 100 : 20;
const TRANSACTIONS_PER_EDITION = (2 * MARKETS) / UPDATES_PER_TRANSACTION;
const PROCESSES = 3;
const SEED = process.env["KILL_SEED"] ?? "three relayers";
const TIME_LIMIT_MS = isLong ? 60 * 60_000 : 300_000;

const SENDING = "sending a transaction";
const LOOK_EVERY_MS = 100;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Relayer = { readonly running: Running; readonly log: RelayerLog };

type Kill = { readonly chain: string; readonly left: WorkLeft; readonly takeoverMs: number };

let server: PostgresServer | undefined;
beforeAll(async () => {
  server = await serverForTests("three relayers with one database");
});
afterAll(() => server?.stop());

test(
  `of three relayers with one database, ${KILLS} are killed while they send, and every price is brought once`,
  async ({ skip }) => {
    if (!server) return skip();
    const random = new Randomness(SEED);
    const network = await TwoChainNetwork.start({
      markets: MARKETS,
      editions: KILLS + 1,
      maxUpdatesPerTransaction: UPDATES_PER_TRANSACTION,
    });
    const store = await server.createDatabase();
    const ledgers = network.chains.map((chain) => new ChainLedger(chain, network.sender));
    const days = [network.clock.day];
    const everStarted: Relayer[] = [];
    const living = new Set<Relayer>();
    const kills: Kill[] = [];
    const start = () => {
      const running = network.startRelayer({ HOMEPRICE_STORE: store });
      const relayer = { running, log: new RelayerLog(running) };
      everStarted.push(relayer);
      living.add(relayer);
    };
    const end = async (relayer: Relayer, signal: NodeJS.Signals) => {
      living.delete(relayer);
      return relayer.running.stop(signal);
    };
    try {
      for (;;) {
        const beganMs = performance.now();
        while (living.size < PROCESSES) start();
        if (kills.length < KILLS) kills.push(await killOne(beganMs));
        await until(() => network.isEverythingCurrent());
        await Promise.all(ledgers.map((ledger) => ledger.read()));
        expect(ledgers.flatMap((ledger) => ledger.problems())).toEqual([]);
        if (kills.length >= KILLS) break;
        await network.toNextEdition();
        days.push(network.clock.day);
      }
      await until(async () => {
        const open = await readJournal(store, (journal) =>
          Promise.all(network.chains.map(({ chainId }) => journal.openAttempts(chainId, network.sender))),
        );
        return open.flat().every(({ state }) => state !== "sent");
      });
      for (const relayer of [...living]) expect(await end(relayer, "SIGTERM"), relayer.running.stderr()).toBe(0);
      await Promise.all(ledgers.map((ledger) => ledger.read()));
      expect(ledgers.flatMap((ledger) => ledger.problems())).toEqual([]);
      const problems = await readJournal(store, async (journal) =>
        (await Promise.all(ledgers.map((ledger) => contradictions(journal, ledger, days)))).flat(),
      );
      expect(problems).toEqual([]);
      report(server, kills, ledgers, days.length, everStarted);
      expect(kills.filter(isUnderWay).length).toBeGreaterThanOrEqual(LEAST_UNDER_WAY);
    } finally {
      for (const relayer of living) await end(relayer, "SIGKILL");
      await network.stop();
    }

    /** Kills a process a little while after one of its transactions has left, but not the last one of the edition. */
    async function killOne(sinceMs: number): Promise<Kill> {
      const chain = random.pick(network.chains);
      const transaction = random.between(1, TRANSACTIONS_PER_EDITION - 1);
      const victim = await untilFound(() => {
        const sending = [...living].map((relayer) => ({ relayer, lines: sendingLines(relayer, chain, sinceMs) }));
        const count = sending.reduce((sum, { lines }) => sum + lines.length, 0);
        return count >= transaction ? latest(sending) : undefined;
      });
      await pause(random.between(0, 200));
      await end(victim, "SIGKILL");
      const killedMs = performance.now();
      const left = await readJournal(store, (journal) => workLeft(journal, network, chain));
      const first = await untilFound(() =>
        [...living]
          .flatMap(({ log }) => log.onChain(chain.name, killedMs))
          .toSorted((a, b) => a.atMs - b.atMs)
          .at(0),
      );
      return { chain: chain.name, left, takeoverMs: first.atMs - killedMs };
    }
  },
  TIME_LIMIT_MS,
);

function sendingLines({ log }: Relayer, chain: DeliveredChain, sinceMs: number) {
  return log.onChain(chain.name, sinceMs).filter(({ msg }) => msg === SENDING);
}

/** Who has sent last. */
function latest(sending: readonly { relayer: Relayer; lines: readonly { atMs: number }[] }[]): Relayer | undefined {
  return sending.toSorted((a, b) => (a.lines.at(-1)?.atMs ?? 0) - (b.lines.at(-1)?.atMs ?? 0)).at(-1)?.relayer;
}

/** A transaction was written down and its fate was not, or some of the edition's were still to be sent. */
function isUnderWay({ left: { unsettled, undelivered } }: Kill): boolean {
  return unsettled > 0 || undelivered > 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_EVERY_MS);
}

async function untilFound<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await pause(LOOK_EVERY_MS / 5);
  }
}

function report(
  { version, programs }: PostgresServer,
  kills: readonly Kill[],
  ledgers: readonly ChainLedger[],
  editions: number,
  relayers: readonly Relayer[],
): void {
  const times = kills.map(({ takeoverMs }) => takeoverMs).toSorted((a, b) => a - b);
  const seconds = (index: number) => ((times[index] ?? 0) / 1_000).toFixed(1);
  const sent = ledgers.map(({ chain, transactions, updates }) => {
    const senders = relayers.filter((relayer) => sendingLines(relayer, chain, 0).length > 0).length;
    return `${transactions.length} transactions with ${updates} updates on ${chain.name}, sent by ${senders} processes`;
  });
  process.stdout.write(
    `PostgreSQL ${version} of ${programs}; ${relayers.length} relayer processes, three at a time. ` +
      `${kills.length} kills, seed "${SEED}": ${kills.filter(isUnderWay).length} while work was under way, ` +
      `${kills.filter(({ left }) => left.unsettled > 0).length} of them with a transaction whose fate was not written down. ` +
      `Takeover after ${seconds(0)} s at least, ${seconds(Math.floor((times.length - 1) / 2))} s in the median, ` +
      `${seconds(times.length - 1)} s at most. ` +
      `${editions} editions of ${2 * MARKETS} feeds on 2 chains: ${sent.join("; ")}; none twice.\n`,
  );
}
