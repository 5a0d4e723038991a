import { checkSignature } from "../ed25519.ts";
import { DEFAULT_RENTAL_OFFSET } from "../feedId.ts";
import { MESSAGE_LENGTH } from "../messageLayout.ts";
import { type DiscoveryItem, type KnownValues, readKnownValues } from "./knownValues.ts";
import type { DiscoverLayoutOptions, ItemSetAside } from "./layoutDiscovery.ts";

/** As many items settle whatever items can settle; further ones are not looked at. */
export const MAX_ITEMS = 25;

/** An item that can take part. */
export type UsableItem = {
  readonly item: number;
  readonly marketId: bigint;
  readonly known: KnownValues;
  readonly signature: Uint8Array;
  readonly message: Uint8Array | undefined;
};

/**
 * Sets aside the items from which no layout can be found: a value is missing, or the signature does not verify over the
 * message that came with it.
 */
export function sortOutItems(
  items: readonly DiscoveryItem[],
  { key, rentalOffset = DEFAULT_RENTAL_OFFSET }: DiscoverLayoutOptions,
): { usable: UsableItem[]; setAside: ItemSetAside[] } {
  const usable: UsableItem[] = [];
  const setAside: ItemSetAside[] = [];
  for (const [index, item] of items.slice(0, MAX_ITEMS).entries()) {
    const { marketId, signature, message, publicKey } = item;
    const refuse = (reason: string) => setAside.push({ item: index, marketId, reason });
    const values = readKnownValues(item, rentalOffset);
    if ("problem" in values) {
      refuse(values.problem);
    } else if (publicKey && !publicKey.every((byte, place) => byte === key.bytes[place])) {
      refuse(`it names the public key 0x${Buffer.from(publicKey).toString("hex")}, not ${key.hex}`);
    } else if (message && message.length !== MESSAGE_LENGTH) {
      refuse(`its message has ${message.length} bytes, not ${MESSAGE_LENGTH}`);
    } else {
      const check = message && checkSignature(key, message, signature);
      if (check?.valid === false) {
        refuse(`its signature does not verify over its message under ${key.hex}, whatever the layout: ${check.reason}`);
      } else {
        usable.push({ item: index, marketId, known: values.known, signature, message });
      }
    }
  }
  return { usable, setAside };
}

/** An item in a sentence about several. */
export function describeItem({ item, marketId, reason }: ItemSetAside): string {
  return `item ${item + 1} (market ${marketId}): ${reason}`;
}

/** In the order in which the items were given. */
export function inOrder(setAside: readonly ItemSetAside[]): ItemSetAside[] {
  return [...setAside].sort((a, b) => a.item - b.item);
}
