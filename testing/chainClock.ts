import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { editionAt, editionOfDay } from "../simulator/edition.ts";
import type { TestChain } from "./testChain.ts";

/** A development chain's time. All times are Unix seconds of blocks. */
export type ChainClock = {
  /** The time of the block that is mined next. */
  readonly now: () => Promise<bigint>;
  /**
   * Mines a block at a time after the latest block's; the chain's time goes on from there.
   * @throws TimeNotAheadError
   */
  readonly setTime: (seconds: bigint) => Promise<bigint>;
  /**
   * Mines a block so many seconds from now.
   * @throws TimeNotAheadError
   */
  readonly advance: (seconds: bigint) => Promise<bigint>;
  /** Mines a block at the next 7:30 AM Eastern, when the service publishes the prices of the next date. */
  readonly nextEdition: () => Promise<bigint>;
};

/** A chain's time cannot go back. */
export class TimeNotAheadError extends HomePriceError {
  constructor(seconds: bigint, latest: bigint) {
    super("TIME_NOT_AHEAD", `a block cannot be mined at ${seconds}: the latest one is of ${latest}`, {
      kind: "configuration",
      hint: "Take a later time, or revert the chain to a snapshot.",
    });
  }
}

/** The clock of a chain. Each function that moves it returns the new time. */
export function createChainClock({ connection: { publicClient }, control }: TestChain): ChainClock {
  const now = async () => (await publicClient.getBlock({ blockTag: "pending" })).timestamp;
  const setTime = async (seconds: bigint) => {
    const { timestamp } = await publicClient.getBlock();
    if (seconds <= timestamp) throw new TimeNotAheadError(seconds, timestamp);
    await control("evm_setNextBlockTimestamp", Number(seconds));
    await control("evm_mine");
    return seconds;
  };
  return {
    now,
    setTime,
    advance: async (seconds) => setTime((await now()) + seconds),
    nextEdition: async () => {
      const { day } = editionAt((await now()) * 1_000n);
      return await setTime(editionOfDay(day + 1).publishTimeMs / 1_000n);
    },
  };
}
