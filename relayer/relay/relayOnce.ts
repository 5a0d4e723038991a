import type { Address, Hex, LocalAccount } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { type PendingPrice, readPendingPrices } from "../chain/readPendingPrices.ts";
import { readPrices, type StoredPrice } from "../chain/readPrices.ts";
import { readUsableSigners } from "../chain/readSigners.ts";
import { describeRpcError, namingRpcErrors } from "../chain/rpcError.ts";
import type { SendLimits } from "../chain/sendLimits.ts";
import { awaitOutcome, type PlannedUpdate, sendUpdates, type TransactionOutcome } from "../chain/sendUpdates.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import type { Feed } from "../message/feedId.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import type { SignedPrice } from "../message/signedPrice.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import type { SentTransactions } from "../store/sentTransactions.ts";
import { matchSigners } from "./acceptedSigners.ts";
import { type CollectedPrice, collectPrices, type StrayItem } from "./collectPrices.ts";
import { lastsLongEnough, planFeed, waitsAlready } from "./planFeed.ts";
import type { FeedReport, FeedStatus, RelayReport, StrayItemReport, TransactionReport } from "./report.ts";
import { nextRunMs, type Schedule } from "./schedule.ts";
import { settleEarlier } from "./settleEarlier.ts";

/** Everything that a run works with. */
export type RelayContext = {
  readonly client: ServiceClient;
  readonly connection: ChainConnection;
  readonly oracle: Address;
  /** Absent in a dry run. */
  readonly account?: LocalAccount | undefined;
  readonly sentTransactions: SentTransactions;
  /** The feeds to carry. */
  readonly wanted: readonly Feed[];
  readonly signerPublicKey?: Ed25519PublicKey | undefined;
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateMs: bigint;
  readonly schedule: Schedule;
  readonly limits: SendLimits;
  readonly receiptTimeoutMs: number;
  readonly log: Logger;
};

export type RelayOptions = {
  /** Do everything but send. */
  readonly dryRun?: boolean;
  /** Aborting stops before the next step; a transaction that was sent is still waited for. */
  readonly signal?: AbortSignal | undefined;
};

/** What is known of a wanted feed while a run goes on. */
type FeedState = {
  readonly collected: CollectedPrice;
  status: FeedStatus;
  reason: string | undefined;
  transaction: Hex | undefined;
  /** What the chain holds, as read last. */
  onChain: StoredPrice | undefined;
};

/**
 * One full run: fetch both kinds, check everything, compare with the chain, batch, simulate, send, wait, read back.
 * @throws HomePriceError when the run as a whole cannot go on (service or chain out of reach, sender unfunded, signer
 *   not accepted); what concerns single feeds is in the report.
 */
export function relayOnce(context: RelayContext, options: RelayOptions = {}): Promise<RelayReport> {
  return namingRpcErrors(() => run(context, options));
}

async function run(context: RelayContext, { dryRun = false, signal }: RelayOptions): Promise<RelayReport> {
  const { connection, oracle, log, rentalOffset } = context;
  const nextMs = nextRunMs(context.schedule);
  const wait = { timeoutMs: context.receiptTimeoutMs, signal };
  if (!dryRun) await settleEarlier(connection, context.sentTransactions, { ...wait, log });

  const usable = await readUsableSigners(connection, oracle);
  const signers = matchSigners(usable, context.signerPublicKey, context.layout);
  log.info({ feeds: context.wanted.length }, "asking the price service");
  const { feeds: collected, strays } = await collectPrices(
    context.client,
    context.wanted,
    { ...context, publicKeys: signers.publicKeys, rentalOffset, timeZone: context.schedule.timeZone },
    { nowMs: currentTimeMs, signal },
  );

  const stored = await readPrices(
    connection,
    oracle,
    collected.map(({ feedId }) => feedId),
  );
  const states = new Map(collected.map((entry) => [entry.feedId, judgeFeed(entry, stored, nextMs)]));
  await leaveWhatWaits(context, states);
  const updates: PlannedUpdate[] = [];
  for (const { collected: entry, status } of states.values()) {
    if (entry.outcome !== "checked" || status !== "planned") continue;
    updates.push({ price: entry.price, signerNumber: signers.numbers.get(entry.price.publicKey.hex) ?? 0 });
  }
  log.info(
    { wanted: states.size, toSend: updates.length, ...countByStatus(states) },
    updates.length === 0 ? "nothing to send" : dryRun ? "would send" : "sending",
  );

  if (dryRun || updates.length === 0) return toReport(context, states, strays, []);
  const outcomes = await sendAndWait(context, updates, states, signal);
  await readBack(context, states, nextMs);
  return toReport(context, states, strays, outcomes);
}

/** Unix milliseconds of the process clock, which simulator and scheduler share on a local network. */
function currentTimeMs(): bigint {
  return BigInt(Date.now());
}

/** What is known of a feed before anything is sent. */
function judgeFeed(collected: CollectedPrice, stored: Map<bigint, StoredPrice>, nextMs: bigint): FeedState {
  const state = (status: FeedStatus, reason?: string): FeedState => ({
    collected,
    status,
    reason,
    transaction: undefined,
    onChain: undefined,
  });
  switch (collected.outcome) {
    case "checked": {
      const onChain = stored.get(collected.feedId);
      const { status, reason } = planFeed(collected.price, onChain, nextMs);
      return { ...state(status, reason), onChain };
    }
    case "refused":
      return state("refused", `${collected.refusal.code}: ${collected.refusal.message}`);
    case "missing":
      return state("missing", "the service gave no price for it");
    case "failed":
      return state("failed", collected.reason);
  }
}

/** A price that waits in quarantine already is not sent again. */
async function leaveWhatWaits({ connection, oracle }: RelayContext, states: Map<bigint, FeedState>): Promise<void> {
  const planned = [...states.values()].filter(({ status }) => status === "planned");
  const pending = await readPendingPrices(
    connection,
    oracle,
    planned.map(({ collected }) => collected.feedId),
  );
  for (const state of planned) {
    const waiting = pending.get(state.collected.feedId);
    if (state.collected.outcome !== "checked" || !waiting) continue;
    if (waitsAlready(state.collected.price, waiting)) Object.assign(state, failedWith(describeWaiting(waiting)));
  }
}

function describeWaiting({ servedFrom }: PendingPrice): string {
  const from = formatTimeMs(servedFrom * 1000n);
  return `waits in quarantine, because it lies outside the feed's band; served from ${from} unless the guardian vetoes it`;
}

/** Sends what is planned and waits for every receipt; each transaction is on record from before it leaves until then. */
async function sendAndWait(
  context: RelayContext,
  updates: readonly PlannedUpdate[],
  states: Map<bigint, FeedState>,
  signal: AbortSignal | undefined,
): Promise<TransactionOutcome[]> {
  const { connection, oracle, account, sentTransactions, log } = context;
  if (!account) {
    throw new HomePriceError("NO_PRIVATE_KEY", "there is no key to send with", {
      kind: "configuration",
      hint: "Set HOMEPRICE_PRIVATE_KEY or privateKeyFile, or use --dry-run.",
    });
  }
  const change = ({ price }: PlannedUpdate, changes: Partial<FeedState>) => {
    const state = states.get(price.feedId);
    if (state) Object.assign(state, changes);
  };
  const result = await sendUpdates({ connection, oracle, account }, updates, context.limits, {
    signal,
    beforeSend: async (transaction) => {
      await sentTransactions.add({
        chainId: connection.chain.id,
        hash: transaction.hash,
        sender: account.address,
        nonce: transaction.nonce,
        feeds: transaction.updates.map(({ price }) => price.feedId.toString()),
        sentAt: formatTimeMs(currentTimeMs()),
      });
      log.info({ transaction: transaction.hash, updates: transaction.updates.length }, "sending a transaction");
    },
  });
  for (const { update, reason } of result.failed) change(update, { status: "failed", reason });

  return Promise.all(
    result.sent.map(async (transaction) => {
      const outcome = await awaitOutcome({ connection, oracle }, transaction, {
        timeoutMs: context.receiptTimeoutMs,
        signal,
      });
      if (outcome.receipt) await sentTransactions.settle(transaction.hash);
      for (const update of transaction.updates) {
        change(update, { transaction: transaction.hash, ...(outcome.failure && failedWith(outcome.failure)) });
      }
      for (const { update, reason } of outcome.refused) change(update, failedWith(reason));
      return outcome;
    }),
  );
}

function failedWith(reason: string): Pick<FeedState, "status" | "reason"> {
  return { status: "failed", reason };
}

/** Reads back what was sent: a receipt alone does not say that the price is there. */
async function readBack(
  { connection, oracle }: RelayContext,
  states: Map<bigint, FeedState>,
  nextMs: bigint,
): Promise<void> {
  const sent = [...states.values()].filter(({ status }) => status === "planned");
  const feedIds = sent.map(({ collected }) => collected.feedId);
  let stored: Map<bigint, StoredPrice>;
  let pending: Map<bigint, PendingPrice>;
  try {
    stored = await readPrices(connection, oracle, feedIds);
    pending = await readPendingPrices(connection, oracle, feedIds);
  } catch (error) {
    for (const state of sent) Object.assign(state, failedWith(`sent, but not read back: ${describeRpcError(error)}`));
    return;
  }
  for (const state of sent) {
    if (state.collected.outcome !== "checked") continue;
    const { message } = state.collected.price;
    const onChain = stored.get(state.collected.feedId);
    const waiting = pending.get(state.collected.feedId);
    state.onChain = onChain;
    if (onChain && isStored(message, onChain)) {
      const isOurs = onChain.day === message.day && onChain.publishTime === message.publishTimeMs / 1000n;
      if (isOurs && state.transaction) state.status = "updated";
      else if (isOurs) Object.assign(state, { status: "current", reason: "somebody else has brought it" });
      else if (!lastsLongEnough(state.collected.price, onChain, nextMs)) {
        Object.assign(state, failedWith("somebody brought a newer one, which expires before the next run"));
      } else Object.assign(state, { status: "current", reason: "somebody brought a newer one" });
    } else if (waiting && waitsAlready(state.collected.price, waiting)) {
      Object.assign(state, failedWith(describeWaiting(waiting)));
    } else {
      const held = onChain ? formatPrice(onChain.price) : "nothing";
      const what = state.transaction ? "sent, but" : "not newer than what is stored:";
      Object.assign(state, failedWith(`${what} the chain holds ${held}`));
    }
  }
}

/** Whether the chain has this price, a newer word on its date, or already a later date's. */
function isStored({ price, day, publishTimeMs }: SignedPrice["message"], onChain: StoredPrice): boolean {
  if (onChain.day !== day) return onChain.day > day;
  const publishTime = publishTimeMs / 1000n;
  return onChain.publishTime > publishTime || (onChain.publishTime === publishTime && onChain.price === price);
}

function countByStatus(states: Map<bigint, FeedState>): Partial<Record<FeedStatus, number>> {
  const counts: Partial<Record<FeedStatus, number>> = {};
  for (const { status } of states.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function toReport(
  { connection, oracle }: RelayContext,
  states: Map<bigint, FeedState>,
  strays: readonly StrayItem[],
  outcomes: readonly TransactionOutcome[],
): RelayReport {
  const feeds = [...states.values()].map(toFeedReport);
  const transactions = outcomes.map(
    ({ transaction, receipt }): TransactionReport => ({
      hash: transaction.hash,
      chainId: connection.chain.id,
      gasUsed: receipt ? receipt.gasUsed.toString() : null,
      feeds: transaction.updates.map(({ price }) => price.feedId.toString()),
    }),
  );
  const inOrder = feeds.every(({ status }) => status === "updated" || status === "current" || status === "planned");
  return {
    ok: inOrder && strays.length === 0,
    chainId: connection.chain.id,
    oracle,
    feeds,
    transactions,
    ...(strays.length > 0 && { strayItems: strays.map(toStrayReport) }),
  };
}

function toStrayReport({ kind, marketId, refusal }: StrayItem): StrayItemReport {
  return { kind, marketId: marketId?.toString() ?? null, reason: `${refusal.code}: ${refusal.message}` };
}

function toFeedReport({ collected, status, reason, transaction, onChain }: FeedState): FeedReport {
  const { feedId, marketId, kind } = collected;
  return {
    feedId: feedId.toString(),
    marketId: marketId.toString(),
    kind,
    status,
    ...(reason !== undefined && { reason }),
    ...(status === "current" && onChain ? describeStored(onChain) : describeReceived(collected)),
    ...(transaction && { transaction }),
  };
}

type DescribedPrice = Pick<FeedReport, "price" | "date" | "publishTime">;

/** Of a feed that is current, what the chain holds: the price received may be an older one. */
function describeStored({ price, day, publishTime }: StoredPrice): DescribedPrice {
  return { price: formatPrice(price), date: dateOfDay(day), publishTime: formatTimeMs(publishTime * 1000n) };
}

function describeReceived(collected: CollectedPrice): DescribedPrice {
  if (collected.outcome !== "checked") return { price: null, date: null };
  const { price, date, publishTimeMs } = collected.price.message;
  return { price: formatPrice(price), date, publishTime: formatTimeMs(publishTimeMs) };
}
