/**
 * The item at a position that is known to exist.
 * @throws RangeError when it does not, which is a mistake in this program.
 */
export function itemAt<Item>(items: ArrayLike<Item>, index: number): Item {
  const found = items[index];
  if (found === undefined) throw new RangeError(`no item ${index} of ${items.length}`);
  return found;
}
