import { NO_COVERAGE } from "./coverage.ts";
import { discoverFromMessages } from "./discoverFromMessages.ts";
import { discoverFromSignatures } from "./discoverFromSignatures.ts";
import type { DiscoveryItem } from "./knownValues.ts";
import type { DiscoverLayoutOptions, LayoutDiscovery } from "./layoutDiscovery.ts";
import { describeItem, sortOutItems } from "./usableItems.ts";

/**
 * Finds the layout of signed price messages from items of latest answers.
 *
 * Where items carry the 74 signed bytes, the known values are looked for in them. Otherwise layouts are tried one after
 * the other, in order of plausibility and on all cores, until the signature of an item verifies. Either way a layout is
 * found only if signatures verify over the very bytes that it describes, and further items have to fit too. An item
 * that does not is set aside and named.
 *
 * @throws The signal's reason.
 */
export async function discoverLayout(
  items: readonly DiscoveryItem[],
  options: DiscoverLayoutOptions,
): Promise<LayoutDiscovery> {
  const { usable, setAside } = sortOutItems(items, options);
  const withMessage = usable.filter(({ message }) => message !== undefined);
  if (withMessage.length > 0) return discoverFromMessages(usable, setAside, options);
  if (usable.length > 0) return discoverFromSignatures(usable, setAside, options);
  return {
    found: false,
    reason:
      setAside.length === 0 ? "there is no item" : `no item can be used: ${setAside.map(describeItem).join("; ")}`,
    tried: 0,
    candidates: 0,
    coverage: NO_COVERAGE,
    usedRawMessage: items.some(({ message }) => message !== undefined),
    setAside,
  };
}
