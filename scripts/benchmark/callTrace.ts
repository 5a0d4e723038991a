import { type Address, encodeFunctionData, type Hex, hexToBytes, numberToHex, parseAbi, size } from "viem";
import { z } from "zod";
import type { BenchmarkChain } from "./benchmarkChain.ts";

/**
 * How gas is measured. The chain runs a call without a transaction (debug_traceCall) and reports, for every call frame,
 * how much gas the callee used (geth's callTracer). That is exact: the gas that the frame was given less what it gave
 * back. It contains everything that the callee does, cold account accesses too, and nothing that its caller does.
 *
 * A frame that stands for a whole transaction counts what the transaction costs by itself, too. Therefore the call that
 * is measured comes from a contract, `ExecutionGasHarness`, which makes it the second frame.
 */

/** EIP-7825: no transaction has more gas than this. */
export const TRANSACTION_GAS_LIMIT = 2n ** 24n;

/** What any transaction costs, and a byte of its data, if it is zero and if not (EIP-2028). */
const TRANSACTION_GAS = 21_000;
const ZERO_BYTE_GAS = 4;
const OTHER_BYTE_GAS = 16;
/** EIP-7623: with little execution, a byte of data costs this. */
const FLOOR_ZERO_BYTE_GAS = 10;
const FLOOR_OTHER_BYTE_GAS = 40;

/** EIP-2929: what a call costs by itself, the first time in a transaction and later. */
export const COLD_CALL_GAS = 2_600;
export const WARM_CALL_GAS = 100;

/** A call, and the calls within. */
export type CallFrame = {
  readonly to: Address;
  readonly gasUsed: number;
  readonly output: Hex;
  readonly calls: readonly CallFrame[];
};

type FrameOfTracer = {
  to: string;
  gasUsed: string;
  output?: string | undefined;
  error?: string | undefined;
  calls?: FrameOfTracer[] | undefined;
};

const frameSchema: z.ZodType<FrameOfTracer> = z.lazy(() =>
  z.object({
    to: z.string(),
    gasUsed: z.string(),
    output: z.string().optional(),
    error: z.string().optional(),
    calls: z.array(frameSchema).optional(),
  }),
);

const HARNESS_ABI = parseAbi(["function gasOf(address target, bytes data)"]);
const TWO_READS_ABI = parseAbi(["function readTwice(address target, bytes data)"]);

export type Call = {
  readonly to: Address;
  readonly data: Hex;
  /** Accounts that count as accessed before (EIP-2930). */
  readonly warm?: readonly Address[];
};

/** The frame of a call from a contract, made as the first thing in a transaction; `undefined` if its gas is too much. */
export async function traceCall(chain: BenchmarkChain, { to, data, warm = [] }: Call): Promise<CallFrame | undefined> {
  const harnessData = encodeFunctionData({ abi: HARNESS_ABI, functionName: "gasOf", args: [to, data] });
  return (await trace(chain, { to: chain.harness, data: harnessData, warm }))?.calls[0];
}

/** What a contract pays for a call that it makes: EIP-2929's price of the callee's account, and what is executed. */
export type ReadGas = {
  /** Where the transaction has accessed nothing yet. */
  readonly cold: number;
  /** Where it has made the same call before. */
  readonly warm: number;
};

/** Two equal calls of a view function from a contract, in one transaction, and the answer of both. */
export async function traceReads(chain: BenchmarkChain, { to, data }: Call): Promise<ReadGas & { output: Hex }> {
  const args = [to, data] as const;
  const harnessData = encodeFunctionData({ abi: TWO_READS_ABI, functionName: "readTwice", args });
  const [first, second] = (await trace(chain, { to: chain.twoReadsHarness, data: harnessData }))?.calls ?? [];
  if (first === undefined || second === undefined) throw new Error(`two reads of ${to} take too much gas`);
  if (first.output !== second.output) throw new Error(`${to} answered ${first.output}, and then ${second.output}`);
  return { cold: COLD_CALL_GAS + first.gasUsed, warm: WARM_CALL_GAS + second.gasUsed, output: first.output };
}

/** What a transaction pays for. */
export type TransactionGas = {
  /** All of it, as a receipt has it. */
  readonly transaction: number;
  /** Of it the calldata, the 21,000 of any transaction apart. */
  readonly calldata: number;
  /** What is executed. */
  readonly execution: number;
};

/** A transaction that is not sent, and the frame of its execution; `undefined` if it needs more gas than one may have. */
export async function traceTransaction(
  chain: BenchmarkChain,
  call: Call,
): Promise<{ gas: TransactionGas; frame: CallFrame } | undefined> {
  const whole = await trace(chain, call);
  const frame = await traceCall(chain, call);
  if (whole === undefined || frame === undefined) return undefined;
  const calldata = gasOfBytes(call.data, ZERO_BYTE_GAS, OTHER_BYTE_GAS);
  const floor = gasOfBytes(call.data, FLOOR_ZERO_BYTE_GAS, FLOOR_OTHER_BYTE_GAS);
  const gas = { transaction: whole.gasUsed, calldata, execution: frame.gasUsed };
  // The two traces are independent of each other, so this also proves that frames are what they are taken for.
  if (gas.transaction !== TRANSACTION_GAS + Math.max(calldata + gas.execution, floor)) {
    throw new Error(`the parts of a transaction do not add up: ${JSON.stringify(gas)}, floor ${floor}`);
  }
  return { gas, frame };
}

/** A deployment's gas. */
export type DeploymentGas = {
  readonly calldataBytes: number;
  /** What is executed, storing the code included. */
  readonly execution: number;
  /** The transaction, if no byte of its data were zero. */
  readonly atMost: number;
};

/**
 * The gas of a mined transaction, whichever bytes of its data are zero. In initialisation code that changes with every
 * comment: the compiler puts a hash of the sources into it, and addresses follow from such code.
 */
export function deploymentGas(data: Hex, gasUsed: bigint): DeploymentGas {
  const execution = Number(gasUsed) - TRANSACTION_GAS - gasOfBytes(data, ZERO_BYTE_GAS, OTHER_BYTE_GAS);
  const calldataBytes = size(data);
  return { calldataBytes, execution, atMost: TRANSACTION_GAS + calldataBytes * OTHER_BYTE_GAS + execution };
}

/** All frames within a frame that are calls to an address. */
export function callsTo({ calls }: CallFrame, address: Address): CallFrame[] {
  return calls.flatMap((frame) => [
    ...(frame.to.toLowerCase() === address.toLowerCase() ? [frame] : []),
    ...callsTo(frame, address),
  ]);
}

async function trace(chain: BenchmarkChain, { to, data, warm = [] }: Call): Promise<CallFrame | undefined> {
  const transaction = {
    from: chain.account.address,
    to,
    data,
    gas: numberToHex(TRANSACTION_GAS_LIMIT),
    accessList: warm.map((address) => ({ address, storageKeys: [] })),
  };
  const answer: unknown = await chain.connection.publicClient.request<{
    Method: "debug_traceCall";
    Parameters: readonly unknown[];
    ReturnType: unknown;
  }>({ method: "debug_traceCall", params: [transaction, "latest", { tracer: "callTracer" }] });
  const frame = frameSchema.parse(answer);
  if (frame.error !== undefined) {
    if (ranOutOfGas(frame)) return undefined;
    throw new Error(`a call to ${to} failed: ${frame.error} ${frame.output ?? ""}`);
  }
  return toCallFrame(frame);
}

/** Whether some frame ended for want of gas: its callers then revert, each in its own way. */
function ranOutOfGas({ error, calls = [] }: FrameOfTracer): boolean {
  return /out of gas/i.test(error ?? "") || calls.some(ranOutOfGas);
}

function toCallFrame({ to, gasUsed, output, calls = [] }: FrameOfTracer): CallFrame {
  return {
    to: to as Address,
    gasUsed: Number(gasUsed),
    output: (output ?? "0x") as Hex,
    calls: calls.map(toCallFrame),
  };
}

function gasOfBytes(data: Hex, zero: number, other: number): number {
  const zeros = hexToBytes(data).filter((byte) => byte === 0).length;
  return zeros * zero + (size(data) - zeros) * other;
}
