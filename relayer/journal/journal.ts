import type { Address, Hex } from "viem";
import type { FeedKind } from "../message/feedId.ts";
import type { SignedPrice } from "../message/signedPrice.ts";
import type { CreditLedger } from "../service/creditBudget.ts";

/** An oracle on a chain: where prices are delivered to. */
export type Target = { readonly chainId: number; readonly oracle: Address };

/** A signed price as it was received, with everything that is needed to check it again or to bring it to a chain. */
export type ArchivedPrice = {
  /** Number in this journal. */
  readonly id: bigint;
  readonly feedId: bigint;
  /** Date of the message, in days since 1970-01-01. */
  readonly day: number;
  /** 8 decimals. */
  readonly price: bigint;
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
  readonly publicKey: Hex;
  /** The 74 signed bytes. */
  readonly messageBytes: Uint8Array;
  readonly signature: Uint8Array;
  /** x of the signature's R. */
  readonly xOfR: bigint;
  readonly receivedAtMs: bigint;
};

/** The first that was seen of an edition: all prices of one date and one kind. */
export type EditionRecord = {
  readonly kind: FeedKind;
  readonly day: number;
  readonly firstSeenMs: bigint;
  /** Earliest publish time of its prices. */
  readonly publishTimeMs: bigint;
};

/** An item of the service's answer that was refused before it was compared with any chain. */
export type RefusedItem = {
  readonly kind: FeedKind;
  readonly marketId: bigint | undefined;
  readonly feedId: bigint | undefined;
  readonly code: string;
  readonly reason: string;
  readonly messageBytes?: Uint8Array | undefined;
  readonly signature?: Uint8Array | undefined;
};

/** The same item again and again is one record. */
export type RefusalRecord = RefusedItem & {
  readonly firstReceivedMs: bigint;
  readonly lastReceivedMs: bigint;
  readonly times: number;
};

/**
 * Where one feed's edition stands on one target.
 *
 * - `planned`: to be sent; also after a reorganisation took back the transaction that brought it.
 * - `sent`: in a transaction that has been handed over, or was about to be.
 * - `mined`: in a block that may still be reorganised.
 * - `final`: in a block that is final.
 * - `current`: needs no transaction of ours; the chain holds it, or something as good, from somebody else or before.
 * - `waiting`: on the chain, but in quarantine.
 * - `refused`: the contract or its simulation does not take it; the reason says why.
 * - `missed`: could not be brought while its windows were open.
 */
export type DeliveryState = "planned" | "sent" | "mined" | "final" | "current" | "waiting" | "refused" | "missed";

export type Delivery = {
  readonly target: Target;
  readonly feedId: bigint;
  readonly day: number;
  /** The archived price that is meant; a revision takes the place of the one before. */
  readonly priceId: bigint;
  readonly state: DeliveryState;
  readonly reason: string | undefined;
  readonly attemptId: bigint | undefined;
  readonly plannedAtMs: bigint | undefined;
  readonly sentAtMs: bigint | undefined;
  readonly minedAtMs: bigint | undefined;
  readonly finalAtMs: bigint | undefined;
  readonly updatedAtMs: bigint;
};

/** What a look at the chain makes of a feed's edition, before anything is sent. */
export type PlannedDelivery = {
  readonly feedId: bigint;
  readonly day: number;
  readonly priceId: bigint;
  readonly state: "planned" | "current" | "waiting" | "refused" | "missed";
  readonly reason: string;
};

/** One signed transaction of an attempt: the first, or one that replaces it with the same nonce. */
export type AttemptTransaction = {
  readonly hash: Hex;
  /** The signed bytes, to be handed over again whenever a node has lost them. */
  readonly rawTransaction: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Scheme and host of the endpoint that it was first handed to. */
  readonly host: string;
  readonly signedAtMs: bigint;
};

/** What the contract did with an update of a mined transaction. */
export type UpdateOutcome =
  | { readonly outcome: "stored" | "skipped" | "quarantined" }
  | { readonly outcome: "refused"; readonly reason: string };

export type AttemptUpdate = {
  readonly feedId: bigint;
  readonly day: number;
  readonly priceId: bigint;
  /** Once mined. */
  readonly outcome?: UpdateOutcome | undefined;
};

/**
 * One nonce of one sender on one chain, and everything that has been signed with it.
 *
 * - `sent`: any of its transactions may still be mined.
 * - `mined`: one of them is in a block.
 * - `final`: that block is final.
 * - `displaced`: its nonce has been used, for good, by a transaction that is not ours.
 */
export type AttemptState = "sent" | "mined" | "final" | "displaced";

export type Attempt = {
  readonly id: bigint;
  readonly target: Target;
  readonly sender: Address;
  readonly nonce: number;
  readonly state: AttemptState;
  readonly gasLimit: bigint;
  readonly openedAtMs: bigint;
  /** In the order of the call; empty once all that is left of it is to use up the nonce. */
  readonly updates: readonly AttemptUpdate[];
  /** Oldest first. */
  readonly transactions: readonly AttemptTransaction[];
  readonly mined?: MinedAttempt | undefined;
};

export type MinedAttempt = {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly minedAtMs: bigint;
};

export type NewAttempt = {
  readonly target: Target;
  readonly sender: Address;
  readonly nonce: number;
  readonly gasLimit: bigint;
  readonly updates: readonly Omit<AttemptUpdate, "outcome">[];
  readonly transaction: AttemptTransaction;
};

/** Wei that a sender has spent on a chain, and wei that what is not mined yet may cost at most. */
export type Spending = { readonly spentWei: bigint; readonly reservedWei: bigint };

/** A condition that people have been told about. */
export type AlertRecord = {
  /** Scope, kind and subject of the condition. */
  readonly key: string;
  readonly kind: string;
  readonly severity: "warning" | "critical";
  readonly message: string;
  readonly sinceMs: bigint;
  /** When it was told last. */
  readonly toldAtMs: bigint | undefined;
};

export type HistoryQuery = {
  readonly chainId?: number | undefined;
  readonly feedId?: bigint | undefined;
  /** First and last day, both included. */
  readonly fromDay?: number | undefined;
  readonly toDay?: number | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  /** Most deliveries, newest date first. */
  readonly limit: number;
};

/** A delivery with the price and the attempt that belong to it. */
export type HistoryEntry = {
  readonly delivery: Delivery;
  readonly price: ArchivedPrice;
  readonly attempt: Attempt | undefined;
};

/**
 * What the relayer must not forget: every signed price that it received, what became of it on every chain, and every
 * transaction that it has signed, written before it leaves.
 *
 * Each method is one transaction of the database: after a crash it has happened as a whole, or not at all. Several
 * processes may work with one journal; what they must not both do, the database refuses to the second
 * ({@link AttemptConflictError}).
 *
 * Times are Unix milliseconds of the caller's clock.
 */
export type Journal = {
  /** Scheme and place without anything secret: `sqlite` and the file, or `postgres` and the host. */
  readonly description: string;

  // ---------------------------------------------------------------------------------------------------------- received

  /** Archives prices that have passed their checks; one that is there already stays. Also opens their editions. */
  recordReceived(prices: readonly SignedPrice[], receivedAtMs: bigint): Promise<void>;
  recordRefusals(items: readonly RefusedItem[], receivedAtMs: bigint): Promise<void>;
  /** Every archived price that expires after an instant, by feed, then oldest publish time first. */
  unexpiredPrices(nowMs: bigint): Promise<ArchivedPrice[]>;
  pricesById(ids: readonly bigint[]): Promise<ArchivedPrice[]>;
  /** Everything archived for a date, oldest publish time first. */
  pricesOn(day: number): Promise<ArchivedPrice[]>;
  refusalsOn(fromMs: bigint, toMs: bigint): Promise<RefusalRecord[]>;
  newestEdition(kind: FeedKind): Promise<EditionRecord | undefined>;

  // -------------------------------------------------------------------------------------------------------- deliveries

  /**
   * Records what a look at the chain said. A delivery whose price is in an attempt that is not displaced is left as it
   * is: what has been sent is settled by its transaction alone.
   */
  recordPlan(target: Target, planned: readonly PlannedDelivery[], atMs: bigint): Promise<void>;
  /** Deliveries of a target that are in one of these states. */
  deliveriesIn(target: Target, states: readonly DeliveryState[]): Promise<Delivery[]>;
  /** The newest date's delivery of each feed of a target. */
  newestDeliveries(target: Target): Promise<Delivery[]>;
  history(query: HistoryQuery): Promise<HistoryEntry[]>;

  // ---------------------------------------------------------------------------------------------------------- attempts

  /**
   * Writes down a signed transaction before it leaves; its deliveries become `sent`.
   * @throws AttemptConflictError when the nonce belongs to another attempt that is not displaced, or one of the updates
   *   is in another attempt of the target that is not displaced.
   */
  openAttempt(attempt: NewAttempt): Promise<Attempt>;
  /**
   * Writes down a signed transaction that replaces an attempt's earlier ones, before it leaves.
   */
  addReplacement(attemptId: bigint, transaction: AttemptTransaction): Promise<void>;
  /** One of an attempt's transactions is in a block; its deliveries become `mined`, or what the outcomes say. */
  recordMined(attemptId: bigint, mined: MinedAttempt, outcomes: readonly UpdateOutcome[]): Promise<void>;
  /** The block of a mined attempt is final; its deliveries become `final`. */
  recordFinal(attemptId: bigint, atMs: bigint): Promise<void>;
  /** The block of a mined attempt is gone: the attempt is `sent` again and its deliveries are `planned`. */
  recordReorganised(attemptId: bigint, atMs: bigint): Promise<void>;
  /** An attempt's nonce was used by a transaction that is not ours; its deliveries are `planned` again. */
  recordDisplaced(attemptId: bigint, atMs: bigint): Promise<void>;
  /** Attempts of a sender that are `sent` or `mined`, lowest nonce first. */
  openAttempts(chainId: number, sender: Address): Promise<Attempt[]>;
  /** The highest nonce of a sender's attempts that are not displaced. */
  highestNonce(chainId: number, sender: Address): Promise<number | undefined>;
  /** What a sender has spent on a chain since an instant, by the time of mining, and what is not mined yet. */
  spending(chainId: number, sender: Address, sinceMs: bigint): Promise<Spending>;

  // ------------------------------------------------------------------------------------------------------------ alerts

  alerts(): Promise<AlertRecord[]>;
  putAlert(alert: AlertRecord): Promise<void>;
  removeAlert(key: string): Promise<void>;

  // ------------------------------------------------------------------------------------------------------- maintenance

  readonly credits: CreditLedger;
  /** Removes what is older than a date: prices, refusals and final or missed deliveries with their attempts. */
  prune(beforeDay: number): Promise<{ readonly prices: number }>;
  /** Bytes on disk, and how many prices are archived since which day. */
  size(): Promise<{ readonly bytes: bigint; readonly prices: number; readonly oldestDay: number | undefined }>;
  close(): Promise<void>;
};
