import type { Page } from "../simulatedEndpoint.ts";

/** The entries of a page, of a list that is made only as far as that takes. */
export function takePage<Item>(items: Iterable<Item>, { limit, offset }: Page): Item[] {
  const taken: Item[] = [];
  let index = 0;
  for (const item of items) {
    if (index >= offset) taken.push(item);
    if (taken.length === limit) break;
    index += 1;
  }
  return taken;
}
