import { type Address, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from "viem";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import type { BenchmarkChain } from "./benchmarkChain.ts";
import { type TransactionGas, traceTransaction } from "./callTrace.ts";
import type { BenchmarkSigner } from "./signedMessages.ts";
import { dayOf, firstMarketOf, priceOf, store, TODAY, updatesOf, YESTERDAY } from "./signedUpdates.ts";

export const PULL_COUNTS = [1, 2, 5] as const;
const MOST_UPDATES = 5;

/** Whether a consumer asks the oracle first and brings updates only if they are needed, or always brings them. */
export const PULL_WAYS = ["pull", "bring"] as const;
export type PullWay = (typeof PULL_WAYS)[number];

/**
 * When a consumer needs today's prices: the oracle has yesterday's, and the transaction brings today's; the same
 * transaction, but the oracle has today's by then; or the oracle has them, and the transaction carries no updates.
 */
export const PULL_CASES = ["needed", "alreadyBrought", "withoutUpdates"] as const;
export type PullCase = (typeof PULL_CASES)[number];

/** By number of prices. */
export type PullFigures = Readonly<
  Record<PullCase, Readonly<Record<PullWay, Readonly<Record<string, TransactionGas>>>>>
>;

const VALUATION_ABI = parseAbi([
  "constructor(address oracle)",
  "function pullOne(bytes[] updates, uint64 feedId, uint32 minDay) returns (uint256 sum)",
  "function pullSeveral(bytes[] updates, uint64[] feedIds, uint32 minDay) returns (uint256 sum)",
  "function bringOne(bytes[] updates, uint64 feedId, uint32 minDay) returns (uint256 sum)",
  "function bringSeveral(bytes[] updates, uint64[] feedIds, uint32 minDay) returns (uint256 sum)",
]);

/** Measures transactions of the contract `HomeValuation`, which acts on the prices. */
export async function measurePulls(
  chain: BenchmarkChain,
  oracle: Address,
  signer: BenchmarkSigner,
): Promise<PullFigures> {
  const { bytecode } = await readArtifact("testing/benchmark/HomeValuation.sol", "HomeValuation");
  const initCode = encodeDeployData({ abi: VALUATION_ABI, bytecode, args: [oracle] });
  const consumer = await chain.deploy("deploy a consumer", initCode);
  const firstMarket = firstMarketOf("pull");
  const updates = updatesOf(signer, TODAY, firstMarket, MOST_UPDATES);
  const measure = async (carried: readonly Hex[]) => ({
    pull: await measureWay(chain, consumer, "pull", carried),
    bring: await measureWay(chain, consumer, "bring", carried),
  });

  await store(chain, oracle, updatesOf(signer, YESTERDAY, firstMarket, MOST_UPDATES));
  const needed = await measure(updates);
  await store(chain, oracle, updates);
  return { needed, alreadyBrought: await measure(updates), withoutUpdates: await measure([]) };
}

/** What each update that somebody else has already brought adds to the execution, rounded up. */
export function gasOfNeedlessUpdate(pulls: PullFigures, way: PullWay, count: number): number | null {
  const added = addedByNeedlessUpdates(pulls, way, count);
  return added === null ? null : Math.ceil(added / count);
}

/** The same of those after the first, of which only a consumer that always brings updates takes notice. */
export function gasOfFurtherNeedlessUpdate(pulls: PullFigures): number | null {
  const [least, most] = [addedByNeedlessUpdates(pulls, "bring", 2), addedByNeedlessUpdates(pulls, "bring", 5)];
  return least === null || most === null ? null : Math.ceil((most - least) / 3);
}

function addedByNeedlessUpdates(pulls: PullFigures, way: PullWay, count: number): number | null {
  const [carried, none] = [pulls.alreadyBrought[way][count], pulls.withoutUpdates[way][count]];
  return carried && none ? carried.execution - none.execution : null;
}

async function measureWay(chain: BenchmarkChain, consumer: Address, way: PullWay, updates: readonly Hex[]) {
  const figures: Record<string, TransactionGas> = {};
  for (const count of PULL_COUNTS) {
    const data = callData(way, updates.slice(0, count), count);
    const traced = await traceTransaction(chain, { to: consumer, data });
    if (traced === undefined) throw new Error(`${count} prices take more gas than a transaction may have`);
    const { gas, frame } = traced;
    const sum = decodeFunctionResult({ abi: VALUATION_ABI, functionName: "pullOne", data: frame.output });
    const expected = prices(count).reduce((total, price) => total + price, 0n);
    if (sum !== expected) throw new Error(`the consumer got prices of ${sum} in all where ${expected} is right`);
    figures[count] = gas;
  }
  return figures;
}

function callData(way: PullWay, updates: readonly Hex[], count: number): Hex {
  const firstFeed = firstMarketOf("pull");
  const minDay = dayOf(TODAY);
  if (count === 1) {
    const functionName = way === "pull" ? "pullOne" : "bringOne";
    return encodeFunctionData({ abi: VALUATION_ABI, functionName, args: [updates, firstFeed, minDay] });
  }
  const feedIds = prices(count).map((_, index) => firstFeed + BigInt(index));
  const functionName = way === "pull" ? "pullSeveral" : "bringSeveral";
  return encodeFunctionData({ abi: VALUATION_ABI, functionName, args: [updates, feedIds, minDay] });
}

/** Today's. */
function prices(count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => priceOf(TODAY, index));
}
