import { AttemptConflictError } from "../../relayer/journal/attemptConflictError.ts";
import type {
  ArchivedPrice,
  Attempt,
  AttemptTransaction,
  Delivery,
  MinedAttempt,
  NewAttempt,
  PlannedDelivery,
  Target,
  UpdateOutcome,
} from "../../relayer/journal/journal.ts";
import { JournalStepError } from "../../relayer/journal/journalErrors.ts";

type ModelUpdate = { price: ArchivedPrice; isHeld: boolean; outcome: UpdateOutcome | undefined };
type ModelAttempt = Omit<NewAttempt, "updates" | "transaction"> & {
  id: bigint;
  state: Attempt["state"];
  updates: ModelUpdate[];
  transactions: AttemptTransaction[];
  mined: MinedAttempt | undefined;
};
type ModelDelivery = { -readonly [Key in keyof Delivery]: Delivery[Key] };

const STATE_AFTER = { stored: "mined", skipped: "current", quarantined: "waiting", refused: "refused" } as const;

/** What the journal promises, in a few maps: for comparison with the journals in databases. */
export class JournalModel {
  readonly attempts: ModelAttempt[] = [];
  readonly deliveries = new Map<string, ModelDelivery>();

  recordPlan(target: Target, { feedId, day, priceId, state, reason }: PlannedDelivery, atMs: bigint): void {
    const key = keyOf(target, feedId, day);
    const before = this.deliveries.get(key);
    const isSame = before?.priceId === priceId;
    if (this.#isHeld(target, priceId)) {
      if (!before || !isSame || state === "planned" || !["waiting", "refused"].includes(before.state)) return;
      if (before.state === state && before.reason === reason) return;
      Object.assign(before, { state, reason, updatedAtMs: atMs });
      return;
    }
    const isOurs = before?.attemptId !== undefined && ["planned", "sent", "mined", "final"].includes(before.state);
    if (state === "current" && isOurs) return;
    if (isSame && before.state === state && before.reason === reason && before.attemptId === undefined) return;
    const staysPlanned = state !== "planned" || before?.state === "planned";
    this.deliveries.set(key, {
      target,
      feedId,
      day,
      priceId,
      state,
      reason,
      attemptId: undefined,
      plannedAtMs: isSame && staysPlanned ? before.plannedAtMs : state === "planned" ? atMs : undefined,
      sentAtMs: undefined,
      minedAtMs: undefined,
      finalAtMs: undefined,
      updatedAtMs: atMs,
    });
  }

  openAttempt(attempt: NewAttempt, prices: readonly ArchivedPrice[], id: bigint): void {
    const { target, sender, nonce, transaction } = attempt;
    const taken = this.attempts.some(
      (other) =>
        other.state !== "displaced" &&
        other.target.chainId === target.chainId &&
        other.sender === sender &&
        other.nonce === nonce,
    );
    if (taken) throw new AttemptConflictError("nonce");
    if (prices.some((price) => this.#isHeld(target, price.id))) throw new AttemptConflictError("update");
    this.attempts.push({
      ...attempt,
      id,
      state: "sent",
      updates: prices.map((price) => ({ price, isHeld: true, outcome: undefined })),
      transactions: [transaction],
      mined: undefined,
    });
    // Of two prices of one date the later one is what is meant.
    const meant = new Map(prices.map((price) => [keyOf(target, price.feedId, price.day), price]));
    for (const [key, price] of meant) {
      const before = this.deliveries.get(key);
      const isPlanned = before?.priceId === price.id;
      this.deliveries.set(key, {
        target,
        feedId: price.feedId,
        day: price.day,
        priceId: price.id,
        state: "sent",
        reason: isPlanned ? before.reason : undefined,
        attemptId: id,
        plannedAtMs: isPlanned ? before.plannedAtMs : undefined,
        sentAtMs: transaction.signedAtMs,
        minedAtMs: undefined,
        finalAtMs: undefined,
        updatedAtMs: transaction.signedAtMs,
      });
    }
  }

  addReplacement(id: bigint, transaction: AttemptTransaction): void {
    const attempt = this.#attempt(id);
    if (attempt.transactions.some(({ hash }) => hash === transaction.hash)) return;
    if (attempt.state !== "sent") throw new JournalStepError("nothing to replace");
    attempt.transactions.push(transaction);
  }

  recordMined(id: bigint, mined: MinedAttempt, outcomes: readonly UpdateOutcome[]): void {
    const attempt = this.#attempt(id);
    const isRecorded = attempt.mined?.hash === mined.hash && attempt.mined.blockHash === mined.blockHash;
    if (isRecorded) return;
    if (attempt.state !== "mined" && attempt.state !== "sent") throw new JournalStepError("cannot be mined");
    const transaction = attempt.transactions.find(({ hash }) => hash === mined.hash);
    const brings = transaction?.carriesUpdates === true && mined.succeeded;
    if (!transaction || outcomes.length !== (brings ? attempt.updates.length : 0)) {
      throw new JournalStepError("not of this attempt");
    }
    if (attempt.state === "mined") this.recordReorganised(id, mined.minedAtMs);
    Object.assign(attempt, { state: "mined", mined });
    if (!brings) {
      this.#letGo(attempt, mined.minedAtMs);
      return;
    }
    attempt.updates.forEach((update, index) => {
      const outcome = outcomes[index];
      if (!outcome) return;
      update.outcome = outcome;
      const delivery = this.#deliveryOf(attempt, update.price);
      if (delivery?.attemptId !== id || delivery.priceId !== update.price.id) return;
      Object.assign(delivery, {
        state: STATE_AFTER[outcome.outcome],
        minedAtMs: mined.minedAtMs,
        updatedAtMs: mined.minedAtMs,
        ...(outcome.outcome === "refused" && { reason: outcome.reason }),
      });
    });
  }

  recordFinal(id: bigint, atMs: bigint): void {
    const attempt = this.#attempt(id);
    if (attempt.state === "final") return;
    if (attempt.state !== "mined") throw new JournalStepError("cannot be final");
    attempt.state = "final";
    for (const delivery of this.deliveries.values()) {
      if (delivery.attemptId !== id || delivery.state !== "mined") continue;
      Object.assign(delivery, { state: "final", finalAtMs: atMs, updatedAtMs: atMs });
    }
  }

  recordReorganised(id: bigint, atMs: bigint): void {
    const attempt = this.#attempt(id);
    if (attempt.state === "sent") return;
    if (attempt.state !== "mined") throw new JournalStepError("cannot be reorganised away");
    Object.assign(attempt, { state: "sent", mined: undefined });
    for (const update of attempt.updates) {
      update.outcome = undefined;
      if (!this.#isHeld(attempt.target, update.price.id)) update.isHeld = true;
      const delivery = this.#deliveryOf(attempt, update.price);
      if (!update.isHeld || delivery?.priceId !== update.price.id) continue;
      Object.assign(delivery, {
        state: "planned",
        attemptId: id,
        plannedAtMs: atMs,
        minedAtMs: undefined,
        finalAtMs: undefined,
        updatedAtMs: atMs,
      });
    }
  }

  recordDisplaced(id: bigint, atMs: bigint): void {
    const attempt = this.#attempt(id);
    if (attempt.state === "displaced") return;
    if (attempt.state !== "sent") throw new JournalStepError("cannot be displaced");
    attempt.state = "displaced";
    this.#letGo(attempt, atMs);
  }

  #letGo(attempt: ModelAttempt, atMs: bigint): void {
    for (const update of attempt.updates) update.isHeld = false;
    for (const delivery of this.deliveries.values()) {
      if (delivery.attemptId !== attempt.id) continue;
      Object.assign(delivery, {
        state: "planned",
        attemptId: undefined,
        plannedAtMs: atMs,
        sentAtMs: undefined,
        minedAtMs: undefined,
        finalAtMs: undefined,
        updatedAtMs: atMs,
      });
    }
  }

  #attempt(id: bigint): ModelAttempt {
    const attempt = this.attempts.find((each) => each.id === id);
    if (!attempt) throw new JournalStepError("no such attempt");
    return attempt;
  }

  #isHeld(target: Target, priceId: bigint): boolean {
    return this.attempts.some(
      (attempt) =>
        attempt.target === target && attempt.updates.some(({ isHeld, price }) => isHeld && price.id === priceId),
    );
  }

  #deliveryOf({ target }: ModelAttempt, { feedId, day }: ArchivedPrice): ModelDelivery | undefined {
    return this.deliveries.get(keyOf(target, feedId, day));
  }
}

function keyOf({ chainId, oracle }: Target, feedId: bigint, day: number): string {
  return `${chainId} ${oracle} ${feedId} ${day}`;
}
