import { bytesToHex, formatEther, type Hex } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { chooseFees, readAgreedFees } from "../chain/fees.ts";
import { prepareBatch, type UpdateToSend } from "../chain/prepareBatch.ts";
import { describeRpcError } from "../chain/rpcError.ts";
import type { ArchivedPrice, Attempt } from "../journal/journal.ts";
import { encodeUpdate } from "../message/update.ts";
import type { Condition } from "../watch/condition.ts";
import type { ChainContext } from "./chainContext.ts";
import { budgetSpent, readDailyBudget } from "./dailyBudget.ts";
import { feesAboveCap } from "./feesAboveCap.ts";
import { openAttempt } from "./openAttempt.ts";

/** A price that was not sent, and why; whether the oracle refuses it, or only has no use for it now. */
export type UnsentPrice = { readonly price: ArchivedPrice; readonly reason: string; readonly isRefused: boolean };

export type SentPrices = {
  readonly attempts: readonly Attempt[];
  /** Refused by a simulation, or not newer than what the oracle holds. */
  readonly unsent: readonly UnsentPrice[];
  /** Why nothing more is sent for now. */
  readonly blockedBy: string | undefined;
  readonly conditions: readonly Condition[];
  readonly balanceWei: bigint;
};

/** Gas without which no batch is worth a try: one update and the transaction around it. */
const SMALLEST_BATCH_GAS = 200_000n;

/**
 * Sends prices in as few transactions as the limits allow, one after the other without waiting for receipts: simulated,
 * signed, written into the journal, and only then handed to the nodes.
 *
 * Nothing is sent while fees are above the cap, beyond the day's budget, or what the sender cannot pay for.
 */
export async function sendPlanned(
  context: ChainContext,
  connection: ChainConnection,
  prices: readonly ArchivedPrice[],
  signerNumberOf: (price: ArchivedPrice) => number | undefined,
  signal: AbortSignal | undefined,
): Promise<SentPrices> {
  const { signer, access, log } = context;
  if (!signer) throw new RangeError("there is no signer");
  const attempts: Attempt[] = [];
  const unsent: UnsentPrice[] = [];
  const conditions: Condition[] = [];
  const byId = new Map(prices.map((price) => [price.id, price]));
  let balanceWei = await connection.publicClient.getBalance({ address: signer.address });
  const stop = (blockedBy: string | undefined, ...told: Condition[]): SentPrices => {
    conditions.push(...told);
    return { attempts, unsent, blockedBy, conditions, balanceWei };
  };

  let waiting: readonly UpdateToSend[] = prices.flatMap((price) => {
    const signerNumber = signerNumberOf(price);
    if (signerNumber !== undefined) return [toUpdate(price, signerNumber)];
    unsent.push({ price, isRefused: true, reason: `the oracle does not accept the signer ${price.publicKey}` });
    return [];
  });
  while (waiting.length > 0) {
    if (signal?.aborted) return stop("the run was stopped");
    const cap = context.settings.maxFeePerGas;
    const choice = chooseFees({ ...(await readAgreedFees(access, cap)), cap });
    if ("aboveCap" in choice) return stop("fees are above the cap", feesAboveCap(choice.aboveCap));
    const { fees } = choice;
    const budget = await readDailyBudget(context);
    const { limits } = context.settings;
    // Where gas costs nothing, any can be paid for.
    const gasFor = (wei: bigint) => (fees.maxFeePerGas === 0n ? limits.maxGasPerTransaction : wei / fees.maxFeePerGas);
    const affordable = gasFor(smallerOf(balanceWei, budget.leftWei));
    if (affordable < SMALLEST_BATCH_GAS) {
      const isBalance = gasFor(balanceWei) < SMALLEST_BATCH_GAS;
      return isBalance
        ? stop("the sender cannot pay", balanceEmpty(signer.address, balanceWei))
        : stop("the day's budget is spent", budgetSpent(context, budget));
    }
    const batch = await prepareBatch({
      connection,
      oracle: context.oracle,
      sender: signer.address,
      updates: waiting,
      limits: { ...limits, maxGasPerTransaction: smallerOf(limits.maxGasPerTransaction, affordable) },
    });
    waiting = batch.rest;
    for (const { update, reason, isOutOfGas = false } of batch.refused) {
      // What needs more gas than there is now is not bad: it may be sent when fees fall, or through another endpoint.
      unsent.push({ price: priceOf(update), reason, isRefused: !isOutOfGas });
    }
    for (const update of batch.unchanged) {
      unsent.push({ price: priceOf(update), reason: "not newer than what the oracle holds", isRefused: false });
    }
    if (batch.unchanged.length > 0)
      access.report(connection, "it holds prices that the others lack, or is ahead of them");
    if (batch.send.length === 0) continue;
    const attempt = await openAttempt(context, connection, batch, fees);
    if (!attempt) return stop("another process is sending with this key");
    attempts.push(attempt);
    balanceWei -= batch.gasLimit * fees.maxFeePerGas;
    const [transaction] = attempt.transactions;
    if (!transaction) continue;
    log.info(
      { transaction: transaction.hash, updates: batch.send.length, nonce: attempt.nonce },
      "sending a transaction",
    );
    const { taken, refused } = await access.broadcast(transaction.rawTransaction);
    if (taken.length === 0) {
      const [first] = refused;
      log.error({ transaction: transaction.hash }, `no endpoint took a transaction: ${describeRpcError(first?.error)}`);
      // It is on record, and handed over again by the next pass.
      return stop(`no endpoint took the transaction: ${describeRpcError(first?.error)}`);
    }
  }
  return stop(undefined);

  function priceOf({ priceId }: UpdateToSend): ArchivedPrice {
    const price = byId.get(priceId);
    if (!price) throw new RangeError(`price ${priceId} was not to be sent`);
    return price;
  }
}

/** The 171-byte form: the x of R is known from our own check of the signature. */
function toUpdate(
  { id, feedId, day, messageBytes, signature, xOfR }: ArchivedPrice,
  signerNumber: number,
): UpdateToSend {
  const bytes: Hex = bytesToHex(encodeUpdate(messageBytes, signature, { signerNumber, xOfR }));
  return { priceId: id, feedId, day, bytes };
}

function smallerOf(a: bigint, b: bigint | undefined): bigint {
  return b === undefined || a < b ? a : b;
}

function balanceEmpty(sender: string, balanceWei: bigint): Condition {
  return {
    kind: "balance-empty",
    subject: sender,
    severity: "critical",
    message: `the sender ${sender} cannot pay for a transaction: its balance is ${formatEther(balanceWei)}`,
    hint: "Send native currency to this address.",
  };
}
