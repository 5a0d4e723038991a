import { type Address, BaseError, ContractFunctionRevertedError, type Hex } from "viem";
import { homePriceOracleAbi } from "./abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { describeOracleError } from "./oracleErrors.ts";
import { describeRpcError, isNodeOutOfReach, revertDataOf } from "./rpcError.ts";

/** Where updates go, and who sends them. */
export type UpdateCall = {
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly sender: Address;
};

/** An update that is not to be sent, and why. */
export type RefusedUpdate<Update> = {
  readonly update: Update;
  readonly reason: string;
  /** Nothing is wrong with the update: it needs more gas than a transaction, a block or a node allows. */
  readonly isOutOfGas?: boolean;
};

export type SimulatedUpdates<Update> = {
  readonly willChange: readonly Update[];
  /** Not newer than what the oracle holds. */
  readonly unchanged: readonly Update[];
  readonly refused: readonly RefusedUpdate<Update>[];
  /** Cut off, because the node does not simulate so many at once. */
  readonly notSimulated: readonly Update[];
};

/** Updates that are tried one by one in one call: their reasons come in the place of a contract's code, 24,576 bytes. */
const PROBES_PER_CALL = 40;

/** The error of an update that is not invalid, but whose verification did not get the gas that it needs. */
const VERIFIER_FAILED = "VerifierFailed";

/**
 * Runs updates against the pending block with the function that reverts on the first invalid one. That one is taken out;
 * when there is another, all of them are tried one by one in few calls, so that a batch in which everything is invalid
 * costs hardly more than a good one. A batch that fails for another reason is cut in half.
 * @throws what the node answers, when that says nothing of the updates.
 */
export async function simulateUpdates<Update extends { readonly bytes: Hex }>(
  call: UpdateCall,
  updates: readonly Update[],
): Promise<SimulatedUpdates<Update>> {
  const refused: RefusedUpdate<Update>[] = [];
  const notSimulated: Update[] = [];
  let batch = updates;
  let isProbed = false;
  while (batch.length > 0) {
    try {
      const stored = await simulate(call, batch);
      return {
        willChange: batch.filter((_, index) => stored[index]),
        unchanged: batch.filter((_, index) => !stored[index]),
        refused,
        notSimulated,
      };
    } catch (error) {
      if (isNodeOutOfReach(error)) throw error;
      const described = describeRevert(error);
      const invalid = described?.index === undefined ? undefined : batch[described.index];
      if (described && invalid) {
        refused.push({ update: invalid, reason: described.message });
        batch = batch.filter((update) => update !== invalid);
        if (refused.length === 1 || isProbed) continue;
        const probed = await probeEach(call, batch);
        refused.push(...probed.refused);
        batch = probed.others;
        isProbed = true;
      } else if (batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        notSimulated.unshift(...batch.slice(middle));
        batch = batch.slice(0, middle);
      } else {
        const [update] = batch;
        if (update) refused.push({ update, ...reasonOf(error) });
        batch = [];
      }
    }
  }
  return { willChange: [], unchanged: [], refused, notSimulated };
}

async function simulate(
  { connection, oracle, sender }: UpdateCall,
  updates: readonly { readonly bytes: Hex }[],
): Promise<readonly boolean[]> {
  const { result } = await connection.publicClient.simulateContract({
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "updatePrices",
    args: [updates.map(({ bytes }) => bytes)],
    account: sender,
    blockTag: "pending",
  });
  if (result.length !== updates.length) throw new TypeError(`${connection.host} answers for ${result.length} updates`);
  return result;
}

/** Tries updates one by one, several in one call; those of which nothing is found out count as good. */
async function probeEach<Update extends { readonly bytes: Hex }>(
  { connection, oracle, sender }: UpdateCall,
  updates: readonly Update[],
): Promise<{ refused: RefusedUpdate<Update>[]; others: Update[] }> {
  const refused: RefusedUpdate<Update>[] = [];
  const others: Update[] = [];
  for (let start = 0; start < updates.length; start += PROBES_PER_CALL) {
    const chunk = updates.slice(start, start + PROBES_PER_CALL);
    const answers = await connection.publicClient.multicall({
      contracts: chunk.map(({ bytes }) => ({
        address: oracle,
        abi: homePriceOracleAbi,
        functionName: "updatePrices" as const,
        args: [[bytes]] as const,
      })),
      account: sender,
      blockTag: "pending",
      allowFailure: true,
      // A local chain has no multicall contract.
      deployless: true,
      batchSize: 0,
    });
    chunk.forEach((update, index) => {
      const answer = answers[index];
      const described = answer?.status === "failure" ? describeRevert(answer.error) : undefined;
      if (described?.index === undefined) others.push(update);
      // Each was alone in its call; what counts is the reason.
      else refused.push({ update, reason: described.message });
    });
  }
  return { refused, others };
}

function describeRevert(error: unknown) {
  const data = revertDataOf(error);
  return data && describeOracleError(data);
}

/** Why a single update fails. */
function reasonOf(error: unknown): Pick<RefusedUpdate<never>, "reason" | "isOutOfGas"> {
  const described = describeRevert(error);
  if (described?.name === VERIFIER_FAILED || isGasShortage(error)) {
    return { reason: `simulation failed: ${described?.message ?? describeRpcError(error)}`, isOutOfGas: true };
  }
  if (described) return { reason: `simulation failed: ${described.message}` };
  const isRevert = error instanceof BaseError && error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (!isRevert) throw error;
  return { reason: `simulation failed: ${describeRpcError(error)}` };
}

/** Nodes say in words of their own that a call needs more gas than it may have. */
export function isGasShortage(error: unknown): boolean {
  return /out of gas|gas required exceeds|exceeds (the )?(block )?gas (limit|cap|allowance)|intrinsic gas|gas limit/i.test(
    describeRpcError(error),
  );
}
