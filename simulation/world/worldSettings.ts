import { parseEther, parseGwei } from "viem";
import type { Finality } from "../../relayer/chain/finality.ts";
import type { Feed } from "../../relayer/message/feedId.ts";
import { FEED_KINDS } from "../../relayer/message/feedId.ts";

/** Markets of the simulated world, with both kinds of prices each. */
export const MARKETS = [5_826_765n, 394_913n, 102_001n] as const;

export const FEEDS: readonly Feed[] = MARKETS.flatMap((marketId) => FEED_KINDS.map((kind) => ({ marketId, kind })));

export const API_ORIGIN = "https://service.example";
export const ALERTS_ORIGIN = "https://alerts.example";
export const HEARTBEAT_ORIGIN = "https://heartbeat.example";
export const API_KEY = "sim_key";

export const SCHEDULE = { expression: "30 7 * * *", timeZone: "America/New_York" } as const;
export const EDITION_LATE_AT = "11:00";

/** Days for which a simulated relayer's journal keeps what it has. */
export const ARCHIVE_DAYS = 30;

export type ChainSpecification = {
  readonly name: string;
  readonly chainId: number;
  readonly blockIntervalMs: number;
  readonly finalizedAfterBlocks: number;
  readonly finality: Finality;
  readonly baseFeePerGas: bigint;
  readonly priorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly dailyBudgetWei: bigint;
  readonly rpcUrls: readonly string[];
};

/**
 * One chain with slow blocks and a `finalized` tag, where the fee cap is what bounds the cost; one with fast blocks whose
 * depth decides, where the budget is.
 */
export const CHAINS: readonly ChainSpecification[] = [
  {
    name: "slow",
    chainId: 101,
    blockIntervalMs: 12_000,
    finalizedAfterBlocks: 64,
    finality: "finalized",
    baseFeePerGas: parseGwei("1"),
    priorityFeePerGas: parseGwei("0.1"),
    maxFeePerGas: parseGwei("12"),
    dailyBudgetWei: parseEther("0.03"),
    rpcUrls: ["https://a.slow.example", "https://b.slow.example", "https://c.slow.example"],
  },
  {
    name: "fast",
    chainId: 202,
    blockIntervalMs: 2_000,
    finalizedAfterBlocks: 60,
    finality: 60,
    baseFeePerGas: parseGwei("0.02"),
    priorityFeePerGas: parseGwei("0.001"),
    maxFeePerGas: parseGwei("2"),
    dailyBudgetWei: parseEther("0.0002"),
    rpcUrls: ["https://a.fast.example", "https://b.fast.example", "https://c.fast.example"],
  },
];

/** Gas that a day's prices may take on a chain, reserves included: a day on which that costs more than the budget is poor. */
export const GAS_OF_A_DAY = 1_200_000n;

/** A transaction that has waited for so long is replaced. */
export const STUCK_AFTER_MS = 180_000;
export const REQUEST_TIMEOUT_MS = 10_000;
