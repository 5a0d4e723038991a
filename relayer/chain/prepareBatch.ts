import type { Address, Hex } from "viem";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { describeRpcError, isNodeOutOfReach } from "./rpcError.ts";
import type { SendLimits } from "./sendLimits.ts";
import { type RefusedUpdate, simulateUpdates, type UpdateCall } from "./simulateUpdates.ts";
import { isInsufficientFunds } from "./unfundedSender.ts";

/** An update to be sent, and the price of the journal that it brings. */
export type UpdateToSend = {
  readonly feedId: bigint;
  readonly day: number;
  readonly priceId: bigint;
  /** As the oracle takes it. */
  readonly bytes: Hex;
};

export type PreparedBatch = {
  /** What goes into the next transaction; nothing, when none of what was looked at is to be sent. */
  readonly send: readonly UpdateToSend[];
  /** For that transaction; 0 without one. */
  readonly gasLimit: bigint;
  /** Not newer than what the oracle holds. */
  readonly unchanged: readonly UpdateToSend[];
  readonly refused: readonly RefusedUpdate<UpdateToSend>[];
  /** Not looked at yet: for the batches after this one. */
  readonly rest: readonly UpdateToSend[];
};

/** Headroom over the measurement, in percent: the state may have changed until the transaction is mined. */
const GAS_HEADROOM_PERCENT = 20n;

/** What a feed's first price costs, and a transaction around it, rounded up: no measurement below that is relied on. */
const GAS_OF_A_FIRST_PRICE = 105_000n;
const GAS_OF_A_TRANSACTION = 60_000n;

/** Of a block, as much as a transaction may take without waiting for an empty one. Percent. */
const BLOCK_SHARE_PERCENT = 75n;

/**
 * Makes up the next transaction: as many of the first updates as its limits allow, without those that are invalid or
 * would change nothing, and with the gas that the very call was measured to need. Three questions to the node, if all
 * goes well; invalid updates and a size that does not fit cost some more.
 * @throws what the node answers, when that says nothing of the updates.
 */
export async function prepareBatch({
  connection,
  oracle,
  sender,
  updates,
  limits,
}: {
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly sender: Address;
  readonly updates: readonly UpdateToSend[];
  readonly limits: SendLimits;
}): Promise<PreparedBatch> {
  const call: UpdateCall = { connection, oracle, sender };
  const maxGas = await maxGasOf(connection, limits);
  const size = firstSize(maxGas, limits);
  const simulated = await simulateUpdates(call, updates.slice(0, size));
  const refused = [...simulated.refused];
  let rest = [...simulated.notSimulated, ...updates.slice(size)];
  let send = simulated.willChange;
  const { unchanged } = simulated;

  while (send.length > 0) {
    const measured = await measureGas(call, send);
    const gasLimit = "gas" in measured ? limitFor(measured.gas, send.length) : undefined;
    if (gasLimit !== undefined && gasLimit <= maxGas) return { send, gasLimit, unchanged, refused, rest };
    const [first] = send;
    if (send.length === 1 && first) {
      // Without all of the headroom rather than not at all.
      if ("gas" in measured && measured.gas <= maxGas) return { send, gasLimit: maxGas, unchanged, refused, rest };
      const why = "gas" in measured ? `needs ${measured.gas} gas` : measured.reason;
      refused.push({ update: first, reason: `${why}; a transaction may use ${maxGas}`, isOutOfGas: true });
      break;
    }
    const fitting = fittingSize(send.length, gasLimit, maxGas);
    rest = [...send.slice(fitting), ...rest];
    send = send.slice(0, fitting);
  }
  return { send: [], gasLimit: 0n, unchanged, refused, rest };
}

/** The configured limit, or what a block has room for. */
async function maxGasOf({ publicClient }: ChainConnection, { maxGasPerTransaction }: SendLimits): Promise<bigint> {
  const block = await publicClient.getBlock({ includeTransactions: false });
  const share = (block.gasLimit * BLOCK_SHARE_PERCENT) / 100n;
  return share < maxGasPerTransaction ? share : maxGasPerTransaction;
}

/** So many that they fit although every one is a feed's first price. */
function firstSize(maxGas: bigint, { maxUpdatesPerTransaction }: SendLimits): number {
  const perUpdate = withHeadroom(GAS_OF_A_FIRST_PRICE);
  const fitting = Number((maxGas - withHeadroom(GAS_OF_A_TRANSACTION)) / perUpdate);
  return Math.max(1, Math.min(maxUpdatesPerTransaction, fitting));
}

function limitFor(measured: bigint, count: number): bigint {
  const leastLikely = GAS_OF_A_TRANSACTION + BigInt(count) * GAS_OF_A_FIRST_PRICE;
  const enough = withHeadroom(measured);
  return enough > leastLikely ? enough : leastLikely;
}

function withHeadroom(gas: bigint): bigint {
  return (gas * (100n + GAS_HEADROOM_PERCENT)) / 100n;
}

/** How many of the updates to try next: in proportion, where the gas of all is known; half of them otherwise. */
function fittingSize(count: number, gasLimit: bigint | undefined, maxGas: bigint): number {
  const fitting = gasLimit === undefined ? Math.floor(count / 2) : Number((BigInt(count) * maxGas) / gasLimit);
  return Math.max(1, Math.min(count - 1, fitting));
}

/** Gas of the call that is going to be sent; a reason, where the node says that it is too much. */
async function measureGas(
  { connection, oracle, sender }: UpdateCall,
  updates: readonly UpdateToSend[],
): Promise<{ readonly gas: bigint } | { readonly reason: string }> {
  try {
    const gas = await connection.publicClient.estimateContractGas({
      address: oracle,
      abi: homePriceOracleAbi,
      functionName: "tryUpdatePrices",
      args: [updates.map(({ bytes }) => bytes)],
      account: sender,
      blockTag: "pending",
    });
    return { gas };
  } catch (error) {
    if (isNodeOutOfReach(error) || isInsufficientFunds(error)) throw error;
    return { reason: describeRpcError(error) };
  }
}
