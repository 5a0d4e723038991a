/** A number of things in words: `1 row`, `2 properties`. */
export function plural(count: number, word: string): string {
  return `${count} ${count === 1 ? word : pluralOf(word)}`;
}

export function pluralOf(word: string): string {
  return word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`;
}
