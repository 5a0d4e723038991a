import { isDeepStrictEqual } from "node:util";
import type { Agreement } from "./chainAccess.ts";

/** What one endpoint answered. */
export type Answer<T> = { readonly host: string; readonly value: T };

/**
 * What most endpoints answered, compared by value; where no answer has more votes than another, the one that was given
 * by the endpoint asked first.
 * @param answers In the order of asking; at least one.
 */
export function agreementOf<T>(answers: readonly Answer<T>[]): Agreement<T> {
  const groups: Answer<T>[][] = [];
  for (const answer of answers) {
    const same = groups.find(([first]) => first && isDeepStrictEqual(first.value, answer.value));
    if (same) same.push(answer);
    else groups.push([answer]);
  }
  // The first of the largest: groups are in the order of their first answers.
  const largest = groups.reduce<Answer<T>[]>((best, group) => (group.length > best.length ? group : best), []);
  const [first] = largest;
  if (!first) throw new RangeError("no answer to agree on");
  return {
    value: first.value,
    hosts: largest.map(({ host }) => host),
    otherHosts: answers.filter((answer) => !largest.includes(answer)).map(({ host }) => host),
  };
}
