/** Names that differ in more than this share of their letters are not taken for each other. */
const LARGEST_SHARE = 0.25;

/** The known name that a misspelt one comes nearest to; `undefined` when none is near. */
export function nearestName(misspelt: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.floor(misspelt.length * LARGEST_SHARE) + 1;
  for (const name of known) {
    const distance = editDistance(misspelt.toUpperCase(), name.toUpperCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** How many letters have to be added, taken away or replaced to make one text of the other. */
function editDistance(from: string, to: string): number {
  // Distances of what was read of `from` so far to every beginning of `to`.
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let length = 1; length <= to.length; length += 1) {
      const replaced = (row[length - 1] ?? 0) + (letter === to[length - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[length] ?? 0) + 1, (next[length - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
