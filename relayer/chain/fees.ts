import { HomePriceError } from "../errors/HomePriceError.ts";
import type { ChainAccess } from "./chainAccess.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { isNodeOutOfReach } from "./rpcError.ts";

/** What a transaction offers, in wei a unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** What the next block asks for, in wei a unit of gas. */
export type MarketFees = { readonly baseFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** Fees to offer, or that the cap does not cover what is needed. */
export type FeeChoice =
  | { readonly fees: Fees }
  | { readonly aboveCap: { readonly neededWei: bigint; readonly capWei: bigint } };

/** Blocks whose transactions say what priority fee is usual. */
const HISTORY_BLOCKS = 5;

/** The usual priority fee is the median of what transactions paid. Percent. */
const HISTORY_PERCENTILE = 50;

/** What nodes ask for at least unless told otherwise, where a node says nothing of priority fees: 0.001 gwei. */
const DEFAULT_PRIORITY_FEE = 1_000_000n;

/** A transaction stays eligible although the base fee doubles: six full blocks in a row, of an eighth more each. */
const BASE_FEE_FACTOR = 2n;

/** A node asks for a tenth more in both fields; one that rounds differently is content with an eighth. */
const RAISE_NUMERATOR = 9n;
const RAISE_DENOMINATOR = 8n;

/** The chain has no base fee, and so no transactions of the kind that we sign. */
export class NoBaseFeeError extends HomePriceError {
  constructor(host: string) {
    super("NO_BASE_FEE", `${host} has blocks without a base fee: the chain knows no EIP-1559 transactions`, {
      kind: "configuration",
      hint: "Check rpcUrl (HOMEPRICE_RPC_URL); a chain without EIP-1559 is not supported.",
    });
  }
}

/**
 * What one endpoint says of the next block's fees.
 * @throws NoBaseFeeError, or what the node answers.
 */
export async function readFees(connection: ChainConnection): Promise<MarketFees> {
  const history = await unlessRefused(() =>
    connection.publicClient.getFeeHistory({ blockCount: HISTORY_BLOCKS, rewardPercentiles: [HISTORY_PERCENTILE] }),
  );
  const baseFeePerGas = history?.baseFeePerGas.at(-1) ?? (await highestNextBaseFee(connection));
  const usual = history && usualPriorityFee(history);
  return { baseFeePerGas, maxPriorityFeePerGas: usual ?? (await suggestedPriorityFee(connection)) };
}

/**
 * What the usable endpoints together say of the next block's fees: the middle one, so that a single one with absurd fees
 * changes nothing. Where that is above the cap, the lowest: below the cap a lie costs no more than what is allowed.
 * @throws as {@link readFees}, when no endpoint answers.
 */
export async function readAgreedFees(access: ChainAccess, cap?: bigint | undefined): Promise<MarketFees> {
  const answers: MarketFees[] = [];
  await access.agree("fees of the next block", async (connection) => {
    answers.push(await readFees(connection));
    // Honest nodes differ by a block: that is no contradiction.
    return true;
  });
  const byPrice = answers.toSorted((a, b) => compare(needed(a), needed(b)));
  const middle = byPrice[Math.floor((byPrice.length - 1) / 2)];
  const lowest = byPrice[0];
  if (!middle || !lowest) throw new RangeError("no endpoint answered");
  return cap !== undefined && needed(middle) > cap ? lowest : middle;
}

/**
 * What to offer: twice the base fee and the priority fee, cut to the cap as long as that covers what is needed now.
 * @param cap Most wei a unit of gas; no bound otherwise.
 */
export function chooseFees(market: MarketFees & { readonly cap: bigint | undefined }): FeeChoice {
  const { baseFeePerGas, maxPriorityFeePerGas, cap } = market;
  const neededWei = needed(market);
  if (cap !== undefined && neededWei > cap) return { aboveCap: { neededWei, capWei: cap } };
  const maxFeePerGas = atMost(BASE_FEE_FACTOR * baseFeePerGas + maxPriorityFeePerGas, cap);
  return { fees: { maxFeePerGas, maxPriorityFeePerGas } };
}

/**
 * What to offer for a transaction that takes the place of another one with the same nonce: both fields an eighth higher
 * than before, or what the market asks for now if that is more.
 */
export function replacementFees(previous: Fees, market: MarketFees, cap: bigint | undefined): FeeChoice {
  const leastMaxFee = raised(previous.maxFeePerGas);
  const maxPriorityFeePerGas = larger(raised(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const raisedMarket = { ...market, maxPriorityFeePerGas };
  const neededWei = larger(leastMaxFee, needed(raisedMarket));
  if (cap !== undefined && neededWei > cap) {
    // The market's priority fee may be out of reach where the one that a replacement needs is not.
    const least = { ...market, maxPriorityFeePerGas: raised(previous.maxPriorityFeePerGas) };
    const leastWei = larger(leastMaxFee, needed(least));
    if (leastWei > cap) return { aboveCap: { neededWei: leastWei, capWei: cap } };
    return { fees: { maxFeePerGas: cap, maxPriorityFeePerGas: cap - market.baseFeePerGas } };
  }
  const offer = BASE_FEE_FACTOR * market.baseFeePerGas + maxPriorityFeePerGas;
  return { fees: { maxFeePerGas: atMost(larger(leastMaxFee, offer), cap), maxPriorityFeePerGas } };
}

function needed({ baseFeePerGas, maxPriorityFeePerGas }: MarketFees): bigint {
  return baseFeePerGas + maxPriorityFeePerGas;
}

/** An eighth more, rounded up, and more in any case: nodes do not take an equal tip, also when it is 0. */
function raised(wei: bigint): bigint {
  return larger((wei * RAISE_NUMERATOR + RAISE_DENOMINATOR - 1n) / RAISE_DENOMINATOR, wei + 1n);
}

/** The median over the blocks that had transactions; `undefined` when none had, or the node does not say. */
function usualPriorityFee({
  reward,
  gasUsedRatio,
}: {
  reward?: bigint[][] | undefined;
  gasUsedRatio: number[];
}): bigint | undefined {
  const paid = (reward ?? []).flatMap(([median], index) =>
    median !== undefined && (gasUsedRatio[index] ?? 0) > 0 ? [median] : [],
  );
  return paid.toSorted(compare)[Math.floor((paid.length - 1) / 2)];
}

async function suggestedPriorityFee({ publicClient }: ChainConnection): Promise<bigint> {
  const suggested = await unlessRefused(async () =>
    BigInt(await publicClient.request({ method: "eth_maxPriorityFeePerGas" })),
  );
  return suggested ?? DEFAULT_PRIORITY_FEE;
}

/** From one block to the next the base fee rises by an eighth at most. */
async function highestNextBaseFee({ publicClient, host }: ChainConnection): Promise<bigint> {
  const { baseFeePerGas } = await publicClient.getBlock();
  if (baseFeePerGas === null || baseFeePerGas === undefined) throw new NoBaseFeeError(host);
  return (baseFeePerGas * 9n + 7n) / 8n;
}

/** Not every node knows every method; one that does not answer at all is no such case. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isNodeOutOfReach(error)) throw error;
    return undefined;
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function atMost(wei: bigint, cap: bigint | undefined): bigint {
  return cap !== undefined && cap < wei ? cap : wei;
}
