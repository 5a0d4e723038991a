import type { ChainConnection } from "../chain/chainConnection.ts";
import { readUsableSigners } from "../chain/readSigners.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Attempt } from "../journal/journal.ts";
import { matchSigners } from "../relay/acceptedSigners.ts";
import { balanceRunway } from "./balanceRunway.ts";
import { forgetChainBegunAnew } from "./chainBegunAnew.ts";
import { type ChainContext, targetOf } from "./chainContext.ts";
import { readDailyBudget } from "./dailyBudget.ts";
import { toDeliveredFeeds } from "./deliveredFeed.ts";
import { toDeliveredTransaction } from "./deliveredTransaction.ts";
import type { DeliveredFeed, DeliveryReport } from "./deliveryReport.ts";
import { lookAgainAtMs } from "./lookAgain.ts";
import { planDeliveries } from "./planDeliveries.ts";
import { replaceStuck } from "./replaceStuck.ts";
import { sendPlanned, type UnsentPrice } from "./sendPlanned.ts";
import { type SettledAttempts, settleAttempts } from "./settleAttempts.ts";
import { standingConditions } from "./standingConditions.ts";
import { throughOneEndpoint } from "./throughOneEndpoint.ts";

export type DeliverOptions = {
  /** Do everything but send, and leave no trace. */
  readonly dryRun?: boolean | undefined;
  /** What has been sent since then is called updated in the report; Unix milliseconds. */
  readonly sinceMs?: bigint | undefined;
  /** Aborting stops before the next step; what has been sent is in the journal. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * One pass over one chain: finishes what is under way, compares everything that was received with what the chain holds,
 * and sends what is missing. It waits for nothing: the report says when to look again.
 *
 * @throws RpcUnreachableError, WrongChainError, and what {@link matchSigners} throws; errors of viem when the pinned
 *   endpoint fails in between, which the next pass then leaves out; the journal's errors.
 */
export async function deliverToChain(context: ChainContext, options: DeliverOptions = {}): Promise<DeliveryReport> {
  return (await passOver(context, options)).report;
}

/** What a pass did, and the attempts that it did it with: those that it found, and its own. */
export type Pass = { readonly report: DeliveryReport; readonly attempts: readonly Attempt[] };

/**
 * The same for who goes on with the attempts.
 * @param earlier Attempts of the same run that are settled already.
 */
export function passOver(
  context: ChainContext,
  options: DeliverOptions & { readonly earlier?: readonly Attempt[] } = {},
): Promise<Pass> {
  return throughOneEndpoint(context, (connection) => pass(context, connection, options));
}

async function pass(
  context: ChainContext,
  connection: ChainConnection,
  { dryRun = false, signal, sinceMs = context.nowMs(), earlier = [] }: Parameters<typeof passOver>[1] & object,
): Promise<Pass> {
  const { access, oracle, signer, settings, nowMs, journal } = context;
  const begunAtMs = nowMs();
  if (!dryRun) await forgetChainBegunAnew(context);
  const settled: SettledAttempts =
    dryRun && signer
      ? { attempts: await journal.openAttempts(access.chain.id, signer.address), conditions: [] }
      : await settleAttempts(context, connection);
  const replaced = dryRun ? { ...settled, conditions: [] } : await replaceStuck(context, connection, settled.attempts);
  const settledAtMs = nowMs();

  const signers = matchSigners(await readUsableSigners(connection, oracle), context.signerPublicKey, context.layout);
  const found = [...earlier, ...replaced.attempts];
  const { feeds: plans, missed } = await planDeliveries(context, connection, found, { isRecorded: !dryRun });
  const plannedAtMs = nowMs();

  // By date: the oracle takes an earlier date's price only before a later one's.
  const toSend = plans.flatMap((plan) => plan.toSend).toSorted((a, b) => a.day - b.day);
  if (!dryRun && toSend.length > 0 && !signer) throw noKey();
  const sent =
    dryRun || toSend.length === 0
      ? undefined
      : await sendPlanned(context, connection, toSend, ({ publicKey }) => signers.numbers.get(publicKey), signal);
  await recordRefused(context, sent?.unsent ?? []);
  const sentAtMs = nowMs();

  const attempts = [...found, ...(sent?.attempts ?? [])];
  const feeds = toDeliveredFeeds(plans, { attempts, sent, sinceMs });
  if (isBehind(feeds, attempts)) access.report(connection, "it does not show what is mined");
  const balanceWei = sent?.balanceWei ?? (await readBalance(context, connection));
  const runwayDays = balanceWei === undefined ? undefined : await balanceRunway(context, balanceWei);
  const report: DeliveryReport = {
    name: settings.name,
    chainId: access.chain.id,
    oracle,
    sender: signer?.address,
    feeds,
    transactions: attempts.map(toDeliveredTransaction),
    unmined: attempts.filter(({ state }) => state === "sent").length,
    unfinal: attempts.filter(({ state }) => state === "sent" || state === "mined").length,
    lookAgainAtMs: lookAgainAtMs(context, attempts, plans, {
      isBlocked: sent?.blockedBy !== undefined,
      hasFailed: feeds.some(({ status }) => status === "failed"),
    }),
    conditions: [
      ...settled.conditions,
      ...replaced.conditions,
      ...(sent?.conditions ?? []),
      ...standingConditions(context, { feeds, missed, balanceWei, runwayDays }),
      ...access.conditions(),
    ],
    endpoints: access.health(),
    balanceWei,
    runwayDays,
    spentTodayWei: (await readDailyBudget(context)).spentWei,
    durationsMs: {
      settle: Number(settledAtMs - begunAtMs),
      plan: Number(plannedAtMs - settledAtMs),
      send: Number(sentAtMs - plannedAtMs),
    },
  };
  return { report, attempts };
}

/** Whether something of ours is mined by what the endpoints say of it, and not there by what they say of the oracle. */
function isBehind(feeds: readonly DeliveredFeed[], attempts: readonly Attempt[]): boolean {
  return feeds.some(({ status }) => status === "sent") && attempts.every(({ state }) => state !== "sent");
}

/** The next pass tries these again; until then it is on record why they were not sent. */
async function recordRefused(context: ChainContext, unsent: readonly UnsentPrice[]): Promise<void> {
  const refused = unsent.filter(({ isRefused }) => isRefused);
  const records = refused.map(({ price: { feedId, day, id }, reason }) => ({
    feedId,
    day,
    priceId: id,
    state: "refused" as const,
    reason,
  }));
  await context.journal.recordPlan(targetOf(context), records, context.nowMs());
}

async function readBalance({ signer }: ChainContext, { publicClient }: ChainConnection): Promise<bigint | undefined> {
  return signer && publicClient.getBalance({ address: signer.address });
}

function noKey(): HomePriceError {
  return new HomePriceError("NO_PRIVATE_KEY", "there is no key to send with", {
    kind: "configuration",
    hint: "Set HOMEPRICE_PRIVATE_KEY or privateKeyFile, or use --dry-run.",
  });
}
