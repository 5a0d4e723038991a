import {
  type Address,
  bytesToHex,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  parseEventLogs,
  type TransactionReceipt,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import type { SignedPrice } from "../message/signedPrice.ts";
import { encodeUpdate } from "../message/update.ts";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { describeOracleError } from "./oracleErrors.ts";
import { describeRpcError, isNodeOutOfReach, revertDataOf } from "./rpcError.ts";
import type { SendLimits } from "./sendLimits.ts";
import { isInsufficientFunds, UnfundedSenderError } from "./unfundedSender.ts";
import { type ReceiptWait, waitForReceipt } from "./waitForReceipt.ts";

/** A signed price and the number that its signer has in the oracle. */
export type PlannedUpdate = { readonly price: SignedPrice; readonly signerNumber: number };

/** A transaction that has been handed to a node. */
export type SentTransaction = {
  readonly hash: Hex;
  readonly nonce: number;
  readonly updates: readonly PlannedUpdate[];
};

/** What became of a transaction. */
export type TransactionOutcome = {
  readonly transaction: SentTransaction;
  /** Absent when it was not mined within the wait. */
  readonly receipt?: TransactionReceipt;
  /** Updates that the contract passed over, with its reason. */
  readonly refused: readonly { update: PlannedUpdate; reason: string }[];
  /** Why there is no receipt, or that the transaction failed as a whole. */
  readonly failure?: string;
};

/** An update that cannot be sent, and why. */
export type FailedUpdate = { readonly update: PlannedUpdate; readonly reason: string };

export type SenderContext = {
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly account: LocalAccount;
};

/** Updates in the call that measures what one costs. */
const PROBE_SIZE = 4;
/** Added to a measured update: the first price of a feed writes two slots that a later one only changes. */
const NEW_FEED_GAS = 35_000n;
/** Headroom over the measurement, in percent. */
const GAS_HEADROOM_PERCENT = 20n;
/** A transaction's own cost and what the contract reads once a call. */
const BASE_GAS = 80_000n;

/**
 * Sends updates in as few transactions as the limits allow, one after the other without waiting for receipts.
 *
 * Every batch is simulated first, against the pending block, with the function that reverts on the first invalid
 * update; one that is named there is left out and reported, the others go on. What is sent is the function that passes
 * over invalid ones, so that whatever changes until the transaction is mined costs one feed and not a batch.
 *
 * @param beforeSend Called with hash and nonce before a transaction leaves, so that it is on record whatever happens next.
 * @param signal Aborting stops before the next transaction; those already sent are returned.
 * @throws UnfundedSenderError
 */
export async function sendUpdates(
  context: SenderContext,
  updates: readonly PlannedUpdate[],
  limits: SendLimits,
  {
    beforeSend,
    signal,
  }: { beforeSend: (transaction: SentTransaction) => Promise<void>; signal?: AbortSignal | undefined },
): Promise<{ sent: SentTransaction[]; failed: FailedUpdate[]; unchanged: PlannedUpdate[] }> {
  const sent: SentTransaction[] = [];
  const failed: FailedUpdate[] = [];
  const unchanged: PlannedUpdate[] = [];
  const { publicClient } = context.connection;
  const balance = await publicClient.getBalance({ address: context.account.address });
  if (balance === 0n) throw new UnfundedSenderError(context.account.address, balance);

  let nonce = await publicClient.getTransactionCount({ address: context.account.address, blockTag: "pending" });
  let gasPerUpdate: bigint | undefined;
  let waiting = [...updates];
  while (waiting.length > 0 && !signal?.aborted) {
    const size = batchSize(gasPerUpdate, limits);
    let batch: readonly PlannedUpdate[] = waiting.slice(0, size);
    waiting = waiting.slice(size);
    try {
      const simulated = await simulateBatch(context, batch);
      failed.push(...simulated.failed);
      unchanged.push(...simulated.unchanged);
      batch = simulated.willChange;
      if (batch.length === 0) continue;
      gasPerUpdate ??= await measureGasPerUpdate(context, batch.slice(0, PROBE_SIZE));
      const allowed = batchSize(gasPerUpdate, limits);
      const [now, later] = [batch.slice(0, allowed), batch.slice(allowed)];
      waiting = [...later, ...waiting];
      sent.push(await sendBatch(context, now, nonce, gasOf(now.length, gasPerUpdate, limits), beforeSend));
      nonce += 1;
    } catch (error) {
      const unfunded = isInsufficientFunds(error) && new UnfundedSenderError(context.account.address, balance);
      // What has been sent must not be forgotten over it.
      if (unfunded && sent.length === 0) throw unfunded;
      const reason = `not sent: ${unfunded ? unfunded.message : describeFailure(error)}`;
      failed.push(...[...batch, ...waiting].map((update) => ({ update, reason })));
      return { sent, failed: dedupe(failed), unchanged };
    }
  }
  failed.push(...waiting.map((update) => ({ update, reason: "not sent: the run was stopped" })));
  return { sent, failed, unchanged };
}

/**
 * Waits until a transaction is mined, and reads from its events which updates the contract passed over.
 * Never throws: a transaction that was sent is reported on whatever happens.
 */
export async function awaitOutcome(
  { connection, oracle }: Pick<SenderContext, "connection" | "oracle">,
  transaction: SentTransaction,
  { timeoutMs, signal }: ReceiptWait,
): Promise<TransactionOutcome> {
  let receipt: TransactionReceipt | undefined;
  try {
    receipt = await waitForReceipt(connection, transaction.hash, { timeoutMs, signal });
  } catch (error) {
    const late = error instanceof WaitForTransactionReceiptTimeoutError;
    const failure = late ? `not mined within ${timeoutMs / 1000} s; it may still be` : describeRpcError(error);
    return { transaction, refused: [], failure };
  }
  if (!receipt) return { transaction, refused: [], failure: "not mined when the relayer was stopped; it may still be" };
  if (receipt.status === "reverted") return { transaction, receipt, refused: [], failure: "the transaction reverted" };
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === oracle.toLowerCase());
  const refused = parseEventLogs({ abi: homePriceOracleAbi, eventName: "UpdateRefused", logs }).flatMap(({ args }) => {
    const update = transaction.updates[Number(args.index)];
    return update ? [{ update, reason: describeOracleError(args.reason)?.message ?? args.reason }] : [];
  });
  return { transaction, receipt, refused };
}

function batchSize(gasPerUpdate: bigint | undefined, { maxGasPerTransaction, maxUpdatesPerTransaction }: SendLimits) {
  if (gasPerUpdate === undefined) return maxUpdatesPerTransaction;
  const affordable = Number((maxGasPerTransaction - BASE_GAS) / gasPerUpdate);
  return Math.max(1, Math.min(maxUpdatesPerTransaction, affordable));
}

function gasOf(count: number, gasPerUpdate: bigint, { maxGasPerTransaction }: SendLimits): bigint {
  const gas = BASE_GAS + BigInt(count) * gasPerUpdate;
  return gas < maxGasPerTransaction ? gas : maxGasPerTransaction;
}

/** Runs a batch against the pending block; takes out the invalid updates one by one until the rest goes through. */
async function simulateBatch(
  context: SenderContext,
  batch: readonly PlannedUpdate[],
): Promise<{ willChange: PlannedUpdate[]; unchanged: PlannedUpdate[]; failed: FailedUpdate[] }> {
  const failed: FailedUpdate[] = [];
  let rest = [...batch];
  while (rest.length > 0) {
    try {
      const stored = await simulateOnce(context, rest);
      return {
        willChange: rest.filter((_, index) => stored[index]),
        unchanged: rest.filter((_, index) => !stored[index]),
        failed,
      };
    } catch (error) {
      const data = revertDataOf(error);
      const described = data && describeOracleError(data);
      const invalid = described?.index === undefined ? undefined : rest[described.index];
      if (described && invalid) {
        failed.push({ update: invalid, reason: described.message });
        rest = rest.filter((update) => update !== invalid);
        continue;
      }
      if (isNodeOutOfReach(error)) throw error;
      // A batch too large for what the node lets a call spend comes apart; a single update is told as it is.
      if (rest.length > 1) {
        const middle = Math.ceil(rest.length / 2);
        const first = await simulateBatch(context, rest.slice(0, middle));
        const second = await simulateBatch(context, rest.slice(middle));
        return {
          willChange: [...first.willChange, ...second.willChange],
          unchanged: [...first.unchanged, ...second.unchanged],
          failed: [...failed, ...first.failed, ...second.failed],
        };
      }
      failed.push(...rest.map((update) => ({ update, reason: `simulation failed: ${describeFailure(error)}` })));
      return { willChange: [], unchanged: [], failed };
    }
  }
  return { willChange: [], unchanged: [], failed };
}

async function simulateOnce(
  { connection, oracle, account }: SenderContext,
  updates: readonly PlannedUpdate[],
): Promise<readonly boolean[]> {
  const { result } = await connection.publicClient.simulateContract({
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "updatePrices",
    args: [updates.map(toUpdateHex)],
    account: account.address,
    blockTag: "pending",
  });
  return result;
}

/** Gas of one update in a batch, with headroom, from one estimate of a few. */
async function measureGasPerUpdate(
  { connection, oracle, account }: SenderContext,
  probe: readonly PlannedUpdate[],
): Promise<bigint> {
  const gas = await connection.publicClient.estimateContractGas({
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "updatePrices",
    args: [probe.map(toUpdateHex)],
    account: account.address,
    blockTag: "pending",
  });
  const measured = gas / BigInt(probe.length) + NEW_FEED_GAS;
  return (measured * (100n + GAS_HEADROOM_PERCENT)) / 100n;
}

async function sendBatch(
  { connection, oracle, account }: SenderContext,
  updates: readonly PlannedUpdate[],
  nonce: number,
  gas: bigint,
  beforeSend: (transaction: SentTransaction) => Promise<void>,
): Promise<SentTransaction> {
  const { publicClient, chain } = connection;
  const fees = await publicClient.estimateFeesPerGas();
  const serialized = await account.signTransaction({
    type: "eip1559",
    chainId: chain.id,
    to: oracle,
    data: encodeFunctionData({
      abi: homePriceOracleAbi,
      functionName: "tryUpdatePrices",
      args: [updates.map(toUpdateHex)],
    }),
    nonce,
    gas,
    ...fees,
  });
  const transaction: SentTransaction = { hash: keccak256(serialized), nonce, updates };
  await beforeSend(transaction);
  try {
    await publicClient.sendRawTransaction({ serializedTransaction: serialized });
  } catch (error) {
    // The answer may have been lost on its way back, or a repetition answered with "already known".
    const isKnown = await publicClient.getTransaction({ hash: transaction.hash }).then(
      () => true,
      () => false,
    );
    if (!isKnown) throw error;
  }
  return transaction;
}

/** The 171-byte form: the x of R is known from our own check of the signature. */
function toUpdateHex({ price, signerNumber }: PlannedUpdate): Hex {
  return bytesToHex(encodeUpdate(price.messageBytes, price.signature, { signerNumber, xOfR: price.xOfR }));
}

function describeFailure(error: unknown): string {
  const data = revertDataOf(error);
  const described = data && describeOracleError(data);
  return described ? `${described.message}. ${described.hint}` : describeRpcError(error);
}

function dedupe(failed: readonly FailedUpdate[]): FailedUpdate[] {
  return [...new Map(failed.map((entry) => [entry.update, entry])).values()];
}
