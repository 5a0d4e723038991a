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

/** The same item again and again on one day (UTC) is one record; the newest reason stays. */
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
  /** The attempt that brings or brought it. A `planned` one that has it is under way: its transaction was in a block that is gone. */
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
  /** The signed bytes, to be handed over again whenever a node has lost them; `0x` once the attempt is final. */
  readonly rawTransaction: Hex;
  /** Whether it brings the attempt's updates. One that does not only uses up the nonce. */
  readonly carriesUpdates: boolean;
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
  /** In the order of the call; empty while what is mined of it is a transaction that only uses up the nonce. */
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
export type Spending = {
  readonly spentWei: bigint;
  readonly reservedWei: bigint;
  /** When the first of what was spent was mined. */
  readonly firstSpentAtMs: bigint | undefined;
};

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
  /** Lowest and highest feed id, both included: those of one kind. */
  readonly fromFeedId?: bigint | undefined;
  readonly toFeedId?: bigint | undefined;
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
 * ({@link AttemptConflictError}). What cannot follow from what is written down is refused, too
 * ({@link JournalStepError}): it says that two of our processes, or we and the chain, do not mean the same.
 *
 * Who dies before a method returns does not know whether it has happened, and calls it again. So all of them may be
 * called again with the same arguments; {@link Journal.openAttempt} alone answers the second call with a conflict, and
 * what it wrote the first time is among {@link Journal.openAttempts}; and {@link Journal.credits} counts twice what was
 * added twice.
 *
 * A price is *held* by an attempt that may bring it, or has: no other attempt of the target can take it up. It is let
 * go when the attempt is displaced, when its transaction failed as a whole, and when what was mined of it is a
 * transaction that only uses up the nonce. A price that the contract skipped or refused stays held: sending it again
 * would be paying twice for one answer.
 *
 * Addresses are returned with the checksum of EIP-55, however they were given. Times are Unix milliseconds of the
 * caller's clock.
 */
export type Journal = {
  /** Scheme and place without anything secret: `sqlite` and the file, or `postgres` and the host. */
  readonly description: string;

  // ---------------------------------------------------------------------------------------------------------- received

  /**
   * Archives prices that have passed their checks. What identifies one is (feed id, publish time, price); of one that is
   * there already the first bytes stay. Also opens their editions.
   */
  recordReceived(prices: readonly SignedPrice[], receivedAtMs: bigint): Promise<void>;
  recordRefusals(items: readonly RefusedItem[], receivedAtMs: bigint): Promise<void>;
  /** Every archived price that expires after an instant, by feed, then oldest publish time first. */
  unexpiredPrices(nowMs: bigint): Promise<ArchivedPrice[]>;
  /** In the order of the ids; one that is not archived is left out. */
  pricesById(ids: readonly bigint[]): Promise<ArchivedPrice[]>;
  /** Everything archived for a date, oldest publish time first. */
  pricesOn(day: number): Promise<ArchivedPrice[]>;
  /** What was refused from one instant until before another, oldest first. */
  refusalsOn(fromMs: bigint, toMs: bigint): Promise<RefusalRecord[]>;
  /** Dates from one on of which a price of a kind was received, oldest first. */
  editionDaysSince(kind: FeedKind, fromDay: number): Promise<number[]>;
  newestEdition(kind: FeedKind): Promise<EditionRecord | undefined>;

  // -------------------------------------------------------------------------------------------------------- deliveries

  /**
   * Records what a look at the chain said. A delivery whose price is held by an attempt is left as it is: what has been
   * sent is settled by its transaction alone; only what waits in quarantine, or was refused, may become `current`, `missed`
   * or the like. Left as it is, too, is one that we have brought or are bringing, when the chain's own will do for another
   * price of the same date (`current`); any other price takes its place. What says nothing new changes nothing, not even
   * `updatedAtMs`.
   */
  recordPlan(target: Target, planned: readonly PlannedDelivery[], atMs: bigint): Promise<void>;
  /** Deliveries of a target that are in one of these states. */
  deliveriesIn(target: Target, states: readonly DeliveryState[]): Promise<Delivery[]>;
  /** Deliveries of a target for a date and all later ones. */
  deliveriesSince(target: Target, fromDay: number): Promise<Delivery[]>;
  /** The newest date's delivery of each feed of a target. */
  newestDeliveries(target: Target): Promise<Delivery[]>;
  /** Newest date first, then by feed and chain. */
  history(query: HistoryQuery): Promise<HistoryEntry[]>;

  // ---------------------------------------------------------------------------------------------------------- attempts

  /**
   * Writes down a signed transaction before it leaves; its deliveries become `sent`.
   * @throws AttemptConflictError when the nonce belongs to another attempt that is not displaced, or one of the updates
   *   is in another attempt of the target that is not displaced.
   */
  openAttempt(attempt: NewAttempt): Promise<Attempt>;
  /**
   * Writes down a signed transaction that replaces an attempt's earlier ones, before it leaves. It may be one that only
   * uses up the nonce; the updates stay held, because an earlier one may still be mined.
   * @throws JournalStepError when the attempt is no longer `sent`.
   */
  addReplacement(attemptId: bigint, transaction: AttemptTransaction): Promise<void>;
  /**
   * One of an attempt's transactions is in a block; its deliveries become `mined`, or what the outcomes say: `current`
   * for what was skipped, `waiting` for what is quarantined, `refused`. When the transaction failed as a whole, or only
   * uses up the nonce, they are `planned` again and may be taken up by another attempt.
   *
   * A block recorded after another one takes its place: that one is gone.
   * @param outcomes One for each update; none when the transaction failed or carries none.
   * @throws JournalStepError when the transaction is none of the attempt's, or the attempt is final or displaced.
   */
  recordMined(attemptId: bigint, mined: MinedAttempt, outcomes: readonly UpdateOutcome[]): Promise<void>;
  /**
   * The block of a mined attempt is final; those of its deliveries that are `mined` become `final`.
   * @throws JournalStepError when the attempt is not mined.
   */
  recordFinal(attemptId: bigint, atMs: bigint): Promise<void>;
  /**
   * The block of a mined attempt is gone: the attempt is `sent` again, what {@link recordMined} wrote is cleared, and its
   * deliveries are `planned` but held by it. Updates that it had let go and another attempt has taken up stay with that.
   * @throws JournalStepError when the attempt is final or displaced.
   */
  recordReorganised(attemptId: bigint, atMs: bigint): Promise<void>;
  /**
   * The nonce of a `sent` attempt was used by a transaction that is not ours; its deliveries are `planned` again.
   * @throws JournalStepError when the attempt is mined ({@link recordReorganised} comes first) or final.
   */
  recordDisplaced(attemptId: bigint, atMs: bigint): Promise<void>;
  /** Attempts of a sender that are `sent` or `mined`, lowest nonce first. */
  openAttempts(chainId: number, sender: Address): Promise<Attempt[]>;
  /** Every attempt that took up one of these prices, oldest first, whatever became of it. */
  attemptsOf(priceIds: readonly bigint[]): Promise<Attempt[]>;
  /** The highest nonce of a sender's attempts that are not displaced. */
  highestNonce(chainId: number, sender: Address): Promise<number | undefined>;
  /**
   * What a sender has spent on a chain since an instant, by the time of mining, and what is not mined yet: of each
   * attempt that is `sent`, its gas limit at the highest fee that was signed for it.
   */
  spending(chainId: number, sender: Address, sinceMs: bigint): Promise<Spending>;

  // ------------------------------------------------------------------------------------------------------------ alerts

  alerts(): Promise<AlertRecord[]>;
  putAlert(alert: AlertRecord): Promise<void>;
  removeAlert(key: string): Promise<void>;

  // ------------------------------------------------------------------------------------------------------- maintenance

  readonly credits: CreditLedger;
  /**
   * Removes what is older than a date: deliveries, attempts that are final or displaced, refusals, and the prices that
   * nothing refers to any more. Never an attempt that is sent or mined, nor what it refers to; nor a delivery that is
   * `planned` or `waiting` while its price could still be brought.
   */
  prune(beforeDay: number): Promise<{ readonly prices: number }>;
  /** Removes every delivery and every attempt of a chain; for one that was begun anew, as development chains are. */
  forgetChain(chainId: number): Promise<void>;
  /** Bytes on disk, and how many prices are archived since which day. */
  size(): Promise<{ readonly bytes: bigint; readonly prices: number; readonly oldestDay: number | undefined }>;
  close(): Promise<void>;
};
