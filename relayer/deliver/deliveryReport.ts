import type { Address, Hex } from "viem";
import type { EndpointHealth } from "../chain/chainAccess.ts";
import type { Feed } from "../message/feedId.ts";
import type { Condition } from "../watch/condition.ts";

/** How a wanted feed stands on one chain after a pass. */
export type DeliveredFeed = Feed & {
  readonly feedId: bigint;
  /**
   * `updated`: brought by us, and read back; `current`: needs nothing; `sent`: in a transaction that is not mined yet;
   * `planned`: to be sent, as soon as what the reason names allows it; `waiting`: on the chain, in quarantine; `failed`:
   * the reason says why; `none`: there is no price to bring.
   */
  readonly status: "updated" | "current" | "sent" | "planned" | "waiting" | "failed" | "none";
  readonly reason: string | undefined;
  /** What the chain holds, as read last; times in Unix seconds. */
  readonly onChain:
    | { readonly price: bigint; readonly day: number; readonly publishTime: bigint; readonly expiry: bigint }
    | undefined;
  readonly transaction: Hex | undefined;
};

export type DeliveredTransaction = {
  readonly hash: Hex;
  readonly nonce: number;
  /** When it was written down first, Unix milliseconds. */
  readonly openedAtMs: bigint;
  /** Of a mined one. */
  readonly gasUsed: bigint | undefined;
  readonly costWei: bigint | undefined;
  readonly isFinal: boolean;
  readonly feedIds: readonly bigint[];
};

/** What one pass over one chain did and found. */
export type DeliveryReport = {
  readonly name: string;
  readonly chainId: number;
  readonly oracle: Address;
  readonly sender: Address | undefined;
  /** One for every wanted feed. */
  readonly feeds: readonly DeliveredFeed[];
  /** Transactions of this pass, and earlier ones that it has settled. */
  readonly transactions: readonly DeliveredTransaction[];
  /** Attempts that are not mined, and those that are not final. */
  readonly unmined: number;
  readonly unfinal: number;
  /** When it is worth while to look again, in Unix milliseconds; `undefined` when nothing is left to do. */
  readonly lookAgainAtMs: bigint | undefined;
  readonly conditions: readonly Condition[];
  readonly endpoints: readonly EndpointHealth[];
  readonly balanceWei: bigint | undefined;
  /** For how many days the balance lasts at what the last days cost; `undefined` when nothing was spent. */
  readonly runwayDays: number | undefined;
  readonly spentTodayWei: bigint;
  readonly durationsMs: { readonly settle: number; readonly plan: number; readonly send: number };
};
