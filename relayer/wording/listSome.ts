const MOST = 5;

/** Several things in one sentence, the first few of them and how many more there are. */
export function listSome(things: readonly string[], separator = "; "): string {
  const shown = things.slice(0, MOST).join(separator);
  return things.length <= MOST ? shown : `${shown}${separator}and ${things.length - MOST} more`;
}
