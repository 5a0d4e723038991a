import type { Address } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import type { BenchmarkChain } from "./benchmarkChain.ts";
import type { BenchmarkSigner } from "./signedMessages.ts";
import {
  DAY_BEFORE_YESTERDAY,
  dayOf,
  type Edition,
  executionOfUpdates,
  firstMarketOf,
  store,
  TODAY,
  TODAY_LATER,
  updatesOf,
  YESTERDAY,
} from "./signedUpdates.ts";

/** What storing a price is made dearer by: its date's place in the history, and the band of its feed. */

export const STORING_COUNTS = [1, 10] as const;
const MOST_UPDATES = 10;

/**
 * Where history keeps a price: in a slot that has the price of the day before; the same, over an earlier price of its
 * own date; or in a slot that begins with it.
 */
export const PLACES = ["begun", "corrected", "beginning"] as const;
export type Place = (typeof PLACES)[number];

/** What is executed for the same updates, by number of updates. */
export type WithAndWithout = Readonly<Record<string, { readonly with: number; readonly without: number }>>;

export type StoringFigures = {
  readonly history: Readonly<Record<Place, WithAndWithout>>;
  readonly band: WithAndWithout;
  /** What is executed for one update of an existing feed. */
  readonly outOfBand: {
    /** It is served at once. */
    readonly served: number;
    /** Its price is out of band, and waits. */
    readonly waits: number;
    /** The same, and takes the place of one that waits already. */
    readonly waitsInPlace: number;
  };
};

/** The oracle, one with its constructor's arguments that keeps no history, and one that differs in having no band. */
export type ComparedOracles = {
  readonly oracle: Address;
  readonly withoutHistory: Address;
  readonly withoutBand: Address;
};

/** What each update takes more, rounded up, where that is the most. */
export function mostAdded(gas: WithAndWithout): number {
  return Math.max(...STORING_COUNTS.map((count) => added(gas, count)));
}

/** What each update takes more, rounded up. */
export function added(gas: WithAndWithout, count: number): number {
  const { with: more = Number.NaN, without: less = Number.NaN } = gas[count] ?? {};
  return Math.ceil((more - less) / count);
}

/** @throws Error if an oracle does not do with an update what it is measured for. */
export async function measureStoring(
  chain: BenchmarkChain,
  { oracle, withoutHistory, withoutBand }: ComparedOracles,
  signer: BenchmarkSigner,
): Promise<StoringFigures> {
  const compare = async (other: Address, firstMarket: bigint, before: readonly Edition[], brought: Edition) => {
    const executions = async (address: Address) => {
      for (const edition of before) {
        await store(chain, address, updatesOf(signer, edition, firstMarket, MOST_UPDATES));
      }
      const updates = updatesOf(signer, brought, firstMarket, MOST_UPDATES);
      return async (count: number) => await executionOfUpdates(chain, address, updates.slice(0, count));
    };
    const [ofOracle, ofOther] = [await executions(oracle), await executions(other)];
    const figures: Record<string, { with: number; without: number }> = {};
    for (const count of STORING_COUNTS) {
      figures[count] = { with: await ofOracle(count), without: await ofOther(count) };
    }
    return figures;
  };
  const history = async (place: Place, before: readonly Edition[], brought: Edition) => {
    const firstMarket = firstMarketOf(`history ${place}`);
    const figures = await compare(withoutHistory, firstMarket, before, brought);
    for (const edition of before) {
      await expectInHistory(chain, oracle, firstMarket, edition, edition.firstPrice);
      await expectInHistory(chain, withoutHistory, firstMarket, edition, 0n);
    }
    return figures;
  };
  return {
    history: {
      begun: await history("begun", [YESTERDAY], TODAY),
      corrected: await history("corrected", [YESTERDAY, TODAY], TODAY_LATER),
      beginning: await history("beginning", [DAY_BEFORE_YESTERDAY], TODAY),
    },
    band: await compare(withoutBand, firstMarketOf("band"), [YESTERDAY], TODAY),
    outOfBand: await measureOutOfBand(chain, oracle, signer),
  };
}

async function measureOutOfBand(chain: BenchmarkChain, oracle: Address, signer: BenchmarkSigner) {
  const market = firstMarketOf("out of band");
  const doubled = (edition: Edition): Edition => ({ ...edition, firstPrice: 2n * edition.firstPrice });
  const [outOfBand, later] = [doubled(TODAY), doubled(TODAY_LATER)];
  const execution = (edition: Edition) => executionOfUpdates(chain, oracle, updatesOf(signer, edition, market, 1));

  await store(chain, oracle, updatesOf(signer, YESTERDAY, market, 1));
  const [served, waits] = [await execution(TODAY), await execution(outOfBand)];
  await store(chain, oracle, updatesOf(signer, outOfBand, market, 1));
  const contract = { address: oracle, abi: homePriceOracleAbi } as const;
  const pending = await chain.connection.publicClient.readContract({
    ...contract,
    functionName: "pendingPrice",
    args: [market],
  });
  if (pending.price.price !== outOfBand.firstPrice) throw new Error(`a price of ${pending.price.price} waits`);
  return { served, waits, waitsInPlace: await execution(later) };
}

/** @throws Error if a date of the market has another price than that. */
async function expectInHistory(
  chain: BenchmarkChain,
  oracle: Address,
  market: bigint,
  edition: Edition,
  expected: bigint,
): Promise<void> {
  const daily = await chain.connection.publicClient.readContract({
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "priceOnUnsafe",
    args: [market, dayOf(edition)],
  });
  if (daily.price !== expected) throw new Error(`history has ${daily.price} where ${expected} is right`);
}
