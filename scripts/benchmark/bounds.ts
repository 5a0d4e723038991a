import { HARDFORKS } from "./benchmarkChain.ts";
import type { ReadGas } from "./callTrace.ts";
import type { ForkFigures, GasFigures } from "./gasFigures.ts";
import { gasOfFurtherNeedlessUpdate, gasOfNeedlessUpdate, PULL_COUNTS } from "./pullGas.ts";
import { CHAINLINK_READ, DIRECT_READ, type ReadFigures } from "./readGas.ts";
import { mostAdded } from "./storingGas.ts";
import type { UpdateGas } from "./updateGas.ts";

/** What a figure may be at most, and what it is meant to be. */
type Bound = {
  readonly what: string;
  readonly atMost: number;
  readonly goal?: number;
  readonly gas: (figures: ForkFigures) => number | null;
};

const BOUNDS: readonly Bound[] = [
  {
    what: "one verification with hint",
    atMost: 76_000,
    goal: 66_000,
    gas: ({ verification }) => verification.hinted.cold.most,
  },
  {
    what: "what it takes more without hint",
    atMost: 6_000,
    gas: ({ verification: { plain, hinted } }) => plain.cold.most - hinted.cold.most,
  },
  {
    what: "a verification in a batch of 32 with hints",
    atMost: 52_000,
    goal: 45_000,
    gas: ({ batches }) => each(batches.hinted[32], 32),
  },
  {
    what: "a transaction with one update of an existing feed",
    atMost: 125_000,
    gas: ({ updates }) => each(updates.existing.hinted[1]?.transaction, 1),
  },
  {
    what: "an update in a transaction with 100 of existing feeds",
    atMost: 68_000,
    gas: ({ updates }) => each(updates.existing.hinted[100]?.transaction, 100),
  },
  {
    what: "what an update takes more, of 100, where three dates of the history begin",
    atMost: 17_100,
    gas: ({ updates }) => difference(updates.beginning.hinted[100], updates.existing.hinted[100]),
  },
  {
    what: "what an update takes more, of 100, where the feeds are new",
    atMost: 34_200,
    gas: ({ updates }) => difference(updates.new.hinted[100], updates.existing.hinted[100]),
  },
  {
    what: "execution of an update that is skipped, of 100",
    atMost: 4_000,
    gas: ({ updates }) => each(updates.skipped.hinted[100]?.execution, 100),
  },
  {
    what: "what history adds to an update in a slot that has begun",
    atMost: 6_000,
    gas: ({ storing: { history } }) => Math.max(mostAdded(history.begun), mostAdded(history.corrected)),
  },
  {
    what: "what history adds to an update where a slot begins",
    atMost: 23_000,
    gas: ({ storing: { history } }) => mostAdded(history.beginning),
  },
  {
    what: "what the Chainlink read takes more than the direct one, cold",
    atMost: 4_000,
    gas: ({ reads }) => chainlinkOverhead(reads, "cold"),
  },
  {
    what: "the same, warm",
    atMost: 1_500,
    gas: ({ reads }) => chainlinkOverhead(reads, "warm"),
  },
  {
    what: "execution that an already brought update adds, where the consumer asks first",
    atMost: 4_000,
    gas: ({ pulls }) =>
      Math.max(...PULL_COUNTS.map((count) => gasOfNeedlessUpdate(pulls, "pull", count) ?? Number.NaN)),
  },
  {
    what: "the same of a further one, where the consumer always brings",
    atMost: 4_000,
    gas: ({ pulls }) => gasOfFurtherNeedlessUpdate(pulls),
  },
];

function chainlinkOverhead(reads: ReadFigures, access: keyof ReadGas): number | null {
  const [read, direct] = [CHAINLINK_READ, DIRECT_READ].map(({ contract, read: name }) => reads[contract]?.[name]);
  return read && direct ? read[access] - direct[access] : null;
}

export type CheckedBound = Pick<Bound, "what" | "atMost" | "goal"> & {
  /** By the rules of the hard fork that makes it dearest; `null` where it is not known, as a transaction's gas is not enough. */
  readonly gas: number | null;
  readonly holds: boolean;
};

export function checkBounds(figures: GasFigures): CheckedBound[] {
  return BOUNDS.map(({ gas: gasOf, ...bound }) => {
    const measured = HARDFORKS.map((hardfork) => gasOf(figures[hardfork]));
    const gas = measured.includes(null) ? null : Math.max(...measured.map(Number));
    return { ...bound, gas, holds: gas !== null && gas <= bound.atMost };
  });
}

/** Gas for each, rounded up. */
export function each(gas: number | null | undefined, count: number): number | null {
  return gas === null || gas === undefined ? null : Math.ceil(gas / count);
}

/** What an update of 100 takes more in one transaction than in another. */
function difference(more: UpdateGas | null | undefined, less: UpdateGas | null | undefined): number | null {
  return more && less ? each(more.transaction - less.transaction, 100) : null;
}
