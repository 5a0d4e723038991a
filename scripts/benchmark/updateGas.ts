import { type Address, decodeFunctionResult } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import type { BenchmarkChain } from "./benchmarkChain.ts";
import { callsTo, type TransactionGas, traceTransaction } from "./callTrace.ts";
import {
  DAY_BEFORE_YESTERDAY,
  firstMarketOf,
  store,
  TODAY,
  updatePricesData,
  updatesOf,
  YESTERDAY,
} from "./signedUpdates.ts";
import type { Form, MeasuredVerifier } from "./verifierGas.ts";

export const UPDATE_COUNTS = [1, 10, 100] as const;
const MOST_UPDATES = 100;

/**
 * What the feeds have before the updates come: the price of the day before, whose date shares a slot of the history with
 * the updates'; the one of the day before that, so that the updates begin a slot; none; or the same price.
 */
export const FEEDS = ["existing", "beginning", "new", "skipped"] as const;
export type Feeds = (typeof FEEDS)[number];

export type UpdateGas = TransactionGas & {
  /** What of the execution verifiers use, including the contracts that hash for them. */
  readonly verification: number;
};

/** By number of updates; `null` where a transaction's gas is not enough. */
export type UpdateFigures = Readonly<Record<Feeds, Readonly<Record<Form, Readonly<Record<string, UpdateGas | null>>>>>>;

/** Measures transactions that bring an oracle prices of its signer. */
export async function measureUpdates(
  chain: BenchmarkChain,
  oracle: Address,
  verifier: MeasuredVerifier,
): Promise<UpdateFigures> {
  const { signer } = verifier;
  await store(chain, oracle, updatesOf(signer, YESTERDAY, FIRST_MARKETS.existing, MOST_UPDATES));
  await store(chain, oracle, updatesOf(signer, DAY_BEFORE_YESTERDAY, FIRST_MARKETS.beginning, MOST_UPDATES));
  const measure = async (feeds: Feeds) => ({
    hinted: await measureForm(chain, oracle, verifier, feeds, "hinted"),
    plain: await measureForm(chain, oracle, verifier, feeds, "plain"),
  });
  return {
    existing: await measure("existing"),
    beginning: await measure("beginning"),
    new: await measure("new"),
    skipped: await measure("skipped"),
  };
}

async function measureForm(
  chain: BenchmarkChain,
  oracle: Address,
  { signer, address }: MeasuredVerifier,
  feeds: Feeds,
  form: Form,
) {
  const figures: Record<string, UpdateGas | null> = {};
  const edition = feeds === "skipped" ? YESTERDAY : TODAY;
  const updates = updatesOf(signer, edition, FIRST_MARKETS[feeds], MOST_UPDATES, form);
  for (const count of UPDATE_COUNTS) {
    const data = updatePricesData(updates.slice(0, count));
    const traced = await traceTransaction(chain, { to: oracle, data });
    figures[count] = null;
    if (traced === undefined) continue;
    const { gas, frame } = traced;
    const stored = decodeFunctionResult({ abi: homePriceOracleAbi, functionName: "updatePrices", data: frame.output });
    if (stored.length !== count || stored.some((isStored) => isStored !== (feeds !== "skipped"))) {
      throw new Error(`of ${count} updates of ${feeds} feeds, the oracle stored [${stored}]`);
    }
    const verification = callsTo(frame, address).reduce((sum, { gasUsed }) => sum + gasUsed, 0);
    figures[count] = { ...gas, verification };
  }
  return figures;
}

const FIRST_MARKETS: Readonly<Record<Feeds, bigint>> = {
  existing: firstMarketOf("existing"),
  beginning: firstMarketOf("beginning"),
  new: firstMarketOf("new"),
  skipped: firstMarketOf("existing"),
};
