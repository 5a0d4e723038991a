import { privateKeyToAddress } from "viem/accounts";
import { readPrices, type StoredPrice } from "../../relayer/chain/readPrices.ts";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { feedIdOf } from "../../relayer/message/feedId.ts";
import type { PooledTransaction } from "../chain/pooledTransaction.ts";
import { DAY_MS, type Day, HOUR_MS, MINUTE_MS } from "../disturbances/disturbance.ts";
import type { Revisions } from "../disturbances/serviceDisturbances.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { findAboveFeeCap } from "../violations/aboveFeeCap.ts";
import { ChainAudit } from "../violations/chainAudit.ts";
import { findDeadWithoutAlert, type ToldAlerts } from "../violations/deadWithoutAlert.ts";
import { findFeedNotCurrent } from "../violations/feedNotCurrent.ts";
import { OverBudget } from "../violations/overBudget.ts";
import { PaidTwice } from "../violations/paidTwice.ts";
import { findPricesNotSigned } from "../violations/priceNotSigned.ts";
import {
  findStateLost,
  findUnknownTransactions,
  type JournalContents,
  readJournalContents,
} from "../violations/stateLost.ts";
import type { Violation } from "../violations/violation.ts";
import type { ChainWorld } from "./chainWorld.ts";
import { connectionTo } from "./deployedChain.ts";
import type { PriceServiceWorld } from "./priceServiceWorld.ts";
import { RELAYERS, SERVICE, type TroubleLog, troubleOfChain, troubleOfFeed } from "./troubleLog.ts";
import { ARCHIVE_DAYS, FEEDS } from "./worldSettings.ts";

/** In small letters. */
const RELAYER = privateKeyToAddress(LOCAL_RELAYER_KEY).toLowerCase();

/** How long nothing may have been wrong for a feed to have to be current: the hour that is promised, and one pause. */
const CALM_MS = HOUR_MS + 10 * MINUTE_MS;

/** How far back the journal must remember everything: less than it is told to keep. */
const REMEMBERED_MS = (ARCHIVE_DAYS - 5) * DAY_MS;

type JudgedChain = {
  readonly world: ChainWorld;
  readonly audit: ChainAudit;
  readonly paidTwice: PaidTwice;
  readonly overBudget: OverBudget;
  readonly deadSinceMs: Map<bigint, number>;
};

export type JudgeOptions = {
  readonly kernel: Kernel;
  readonly service: PriceServiceWorld;
  readonly troubles: TroubleLog;
  readonly alerts: ToldAlerts;
  readonly chains: readonly ChainWorld[];
  readonly journalPath: string;
  /** Since when some relayer has been up without a break; `undefined` while none is. */
  readonly upSinceMs: () => number | undefined;
};

/** Compares what the relayers did with what must never happen. */
export class Judge {
  readonly violations: Violation[] = [];
  readonly costWei = new Map<string, bigint>();
  transactions = 0;
  expectations = 0;
  excused = 0;
  readonly #options: JudgeOptions;
  readonly #chains: readonly JudgedChain[];
  #contents: JournalContents = new Map();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#chains = options.chains.map((world) => ({
      world,
      audit: new ChainAudit(world),
      paidTwice: new PaidTwice(),
      overBudget: new OverBudget(world.specification.dailyBudgetWei),
      deadSinceMs: new Map(),
    }));
  }

  note(rule: string, messages: readonly string[]): void {
    const atMs = this.#options.kernel.time.nowMs();
    for (const message of messages) {
      this.violations.push({ rule, atMs, message });
      this.#options.kernel.note(`VIOLATION ${rule}: ${message}`, "judge");
    }
  }

  /** Looks at what a chain serves, and whether people know of what it does not. */
  async lookForDeadFeeds(): Promise<void> {
    const { kernel, alerts, upSinceMs } = this.#options;
    const nowMs = kernel.time.nowMs();
    for (const { world, deadSinceMs } of this.#chains) {
      const stored = await readStored(world);
      for (const feed of FEEDS) {
        const feedId = feedIdOf(feed);
        const expiryMs = Number(stored.get(feedId)?.expiry ?? 0n) * 1000;
        if (expiryMs > nowMs) {
          deadSinceMs.delete(feedId);
          continue;
        }
        const sinceMs = deadSinceMs.get(feedId) ?? Math.max(expiryMs, nowMs - HOUR_MS);
        deadSinceMs.set(feedId, sinceMs);
        const dead = { chain: world.name, feedId, deadSinceMs: sinceMs, upSinceMs: upSinceMs() };
        this.note("dead without an alert", findDeadWithoutAlert(dead, alerts, nowMs));
      }
    }
  }

  /** Looks at a transaction that a node has just taken. */
  lookAtTransaction({ specification }: ChainWorld, transaction: PooledTransaction): void {
    if (transaction.sender !== RELAYER) return;
    this.note("above the fee cap", findAboveFeeCap(transaction, specification.maxFeePerGas));
  }

  /** Remembers what the journal holds: it may never hold less. */
  lookAtJournal(): void {
    const { kernel, journalPath } = this.#options;
    const sinceMs = kernel.time.nowMs() - REMEMBERED_MS;
    const contents = readJournalContents(journalPath, sinceMs);
    this.note("state lost", findStateLost(this.#contents, contents, sinceMs));
    this.#contents = contents;
  }

  /** Judges a day that is about to end. */
  async judgeDay(day: Day, revisions: Revisions): Promise<void> {
    const { kernel, service } = this.#options;
    this.lookAtJournal();
    for (const chain of this.#chains) {
      const transactions = await chain.audit.next();
      const ours = transactions.filter(({ sender }) => sender === RELAYER);
      this.transactions += ours.length;
      const spentWei = ours.reduce((sum, { costWei }) => sum + costWei, 0n);
      this.costWei.set(chain.world.name, (this.costWei.get(chain.world.name) ?? 0n) + spentWei);
      this.note(
        "price not signed",
        findPricesNotSigned(transactions, (identity) => service.signed.has(identity)),
      );
      this.note("paid twice", chain.paidTwice.find(ours));
      this.note("over the budget", chain.overBudget.find(ours));
      this.note(
        "transaction not in the journal",
        findUnknownTransactions(
          ours.map(({ hash }) => hash),
          this.#contents,
        ),
      );
      await this.#judgeFeeds(day, revisions, chain);
      chain.paidTwice.forgetBefore(day.fromMs - 10 * DAY_MS);
    }
    service.signed.forgetBefore(BigInt(kernel.time.nowMs() - 10 * DAY_MS));
    this.#options.troubles.forgetBefore(day.fromMs - DAY_MS);
  }

  async #judgeFeeds(day: Day, revisions: Revisions, { world, overBudget }: JudgedChain): Promise<void> {
    const { kernel, service, troubles } = this.#options;
    const nowMs = kernel.time.nowMs();
    const stored = await readStored(world);
    // A day whose fees have used up most of what may be spent is one on which less than everything can be brought.
    const spentWei = [day.fromMs, nowMs].map((timeMs) => overBudget.spentOn(timeMs));
    const isPoor = spentWei.some((wei) => wei * 2n > world.specification.dailyBudgetWei);
    for (const feed of FEEDS) {
      const feedId = feedIdOf(feed);
      const subjects = [SERVICE, RELAYERS, troubleOfChain(world.name), troubleOfFeed(feedId)];
      const calm = isPoor ? undefined : troubles.calmSpan(subjects, { fromMs: day.fromMs, toMs: nowMs }, CALM_MS);
      if (!calm) {
        this.excused += 1;
        continue;
      }
      this.expectations += 1;
      const revisedAtMs = revisions.revisedAtMs(feedId) ?? Number.POSITIVE_INFINITY;
      const asPublished = service.rightPrice(feed, calm.fromMs, { isRevised: false });
      const asRevised = service.rightPrice(feed, calm.fromMs, { isRevised: true });
      if (!asPublished || !asRevised) continue;
      // A revision counts from when the service gave it out: nobody can bring what nobody was given.
      const mustBeRevised = service.signed.wasGivenOut(feedId, day.day, asRevised.price, calm.toMs - CALM_MS);
      const prices = [...(mustBeRevised ? [] : [asPublished.price]), ...(revisedAtMs < nowMs ? [asRevised.price] : [])];
      const because = `nothing was wrong from ${isoOf(calm.fromMs)} to ${isoOf(calm.toMs)}`;
      const expected = { chain: world.name, feedId, day: day.day, prices, because };
      this.note("feed not current", findFeedNotCurrent(expected, stored.get(feedId), nowMs));
    }
  }
}

async function readStored({ chain, edr, specification, oracle }: ChainWorld): Promise<Map<bigint, StoredPrice>> {
  await chain.catchUp();
  return readPrices(
    connectionTo(edr, specification.chainId),
    oracle,
    FEEDS.map((feed) => feedIdOf(feed)),
  );
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
