import { checkSignature, type Ed25519PublicKey } from "../ed25519.ts";
import type { MessageLayout } from "../messageLayout.ts";
import type { KnownMessage } from "./fieldReadings.ts";
import { rebuildMessages } from "./rebuildMessages.ts";
import type { UsableItem } from "./usableItems.ts";

/** An item without its message, and the message that it turned out to have. */
export type RebuiltItem = KnownMessage & { readonly item: number; readonly feedId: bigint };

/** The message that a layout makes of an item's values, if the item's signature verifies over it. */
export function verifyRebuilt(
  { item, known, signature }: UsableItem,
  layout: MessageLayout,
  key: Ed25519PublicKey,
): RebuiltItem | undefined {
  for (const { message, feedId } of rebuildMessages(known, layout)) {
    if (checkSignature(key, message, signature).valid) return { item, known, message, feedId };
  }
  return undefined;
}

/** Why an item is set aside that {@link verifyRebuilt} does not verify. */
export const REBUILT_MISFIT_REASON =
  "its signature does not verify over the message that the layout makes of its values";
