import type { Address } from "viem";
import type { Finality } from "../chain/finality.ts";
import type { SendLimits } from "../chain/sendLimits.ts";

/** What the configuration says of one chain to deliver to. */
export type ChainSettings = {
  /** As in the configuration; the chain id where chains have no names. */
  readonly name: string;
  readonly rpcUrls: readonly string[];
  readonly expectedChainId: number | undefined;
  /** The oracle on record for the chain otherwise. */
  readonly oracleAddress: Address | undefined;
  readonly limits: SendLimits;
  /** Most wei a unit of gas; no bound otherwise. */
  readonly maxFeePerGas: bigint | undefined;
  /** Most wei in a day (UTC); no bound otherwise. */
  readonly dailyBudgetWei: bigint | undefined;
  readonly finality: Finality;
  /** A transaction that is not mined by then is replaced by one with higher fees. */
  readonly stuckAfterMs: number;
  /** A balance that lasts for fewer days is told of. */
  readonly balanceWarningDays: number;
  readonly requestTimeoutMs: number;
};
