import type { DeliveryRow } from "./deliveryRows.ts";
import type { PlannedDelivery } from "./journal.ts";

/**
 * What a plan makes of a delivery, by the rules of the journal; `undefined` when it stays as it is.
 * @param before What was recorded of this feed's edition.
 * @param isHeld Whether the planned price is held by an attempt.
 */
export function plannedRow(
  targetId: bigint,
  planned: PlannedDelivery,
  before: DeliveryRow | undefined,
  isHeld: boolean,
  atMs: bigint,
): DeliveryRow | undefined {
  const { feedId, day, priceId, state, reason } = planned;
  const isSamePrice = before?.price_id === priceId;
  if (isHeld) {
    if (!before || !isSamePrice || state === "planned" || !isSettledElsewhere(before)) return undefined;
    // Whether it is served, or ever will be, was left to others once it had been brought.
    return unlessEqual(before, { ...before, state, reason, updated_at_ms: atMs });
  }
  if (before && state === "current" && isOurs(before)) return undefined;
  const plannedBefore = isSamePrice ? before.planned_at_ms : null;
  const isPlannedStill = isSamePrice && before.state === "planned";
  return unlessEqual(before, {
    target_id: targetId,
    feed_id: feedId,
    day: BigInt(day),
    price_id: priceId,
    state,
    reason,
    attempt_id: null,
    planned_at_ms: state === "planned" && !isPlannedStill ? atMs : plannedBefore,
    sent_at_ms: null,
    mined_at_ms: null,
    final_at_ms: null,
    updated_at_ms: atMs,
  });
}

function isSettledElsewhere({ state }: DeliveryRow): boolean {
  return state === "waiting" || state === "refused";
}

/** In a transaction of ours, or brought by one. */
function isOurs({ attempt_id, state }: DeliveryRow): boolean {
  return attempt_id !== null && ["planned", "sent", "mined", "final"].includes(state);
}

function unlessEqual(before: DeliveryRow | undefined, after: DeliveryRow): DeliveryRow | undefined {
  const isSame =
    before?.price_id === after.price_id &&
    before.state === after.state &&
    before.reason === after.reason &&
    before.attempt_id === after.attempt_id;
  return isSame ? undefined : after;
}
