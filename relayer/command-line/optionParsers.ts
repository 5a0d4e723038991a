import { InvalidArgumentError } from "commander";

/** Collects an option that may be given several times, or with several values, also separated by commas. */
export function collecting<Value>(
  parse: (text: string) => Value,
): (text: string, previous: readonly Value[] | undefined) => Value[] {
  return (text, previous) => [
    ...(previous ?? []),
    ...text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(parse),
  ];
}

/** Reads one of some words; case does not matter, nor whether a word is joined by hyphens or underscores. */
export function choiceOf<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  const plain = (text: string) => text.toUpperCase().replaceAll("-", "_");
  return (text) => {
    const choice = choices.find((each) => plain(each) === plain(text));
    if (choice !== undefined) return choice;
    throw new InvalidArgumentError(`"${text}" is none of ${choices.join(", ")}.`);
  };
}

/** Reads an id of the service. */
export function parseId(text: string): bigint {
  if (/^[1-9]\d{0,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError(`"${text}" is no id: ids are digits, such as 5826765.`);
}

/** Reads a whole number within bounds. */
export function countOf(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && count <= most) return count;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} or above` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`"${text}" is no whole number ${bounds}.`);
  };
}

/** Reads a plain decimal number. */
export function parseNumber(text: string): number {
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is no number.`);
}

/** Reads yes or no. */
export function parseYesOrNo(text: string): boolean {
  if (/^(yes|true|1)$/i.test(text)) return true;
  if (/^(no|false|0)$/i.test(text)) return false;
  throw new InvalidArgumentError(`"${text}" is neither yes nor no.`);
}
