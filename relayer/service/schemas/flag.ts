import * as z from "zod";

const YES = [1, true, "1", "true"] as const;
const NO = [0, false, "0", "false"] as const;

/**
 * A flag of an answer. 1: yes. 0: no, or nothing is known that speaks for it; the field's own description says which.
 * `null`: not known, or the question does not apply. Where the service leaves a flag out, it is `undefined`.
 */
export type Flag = 0 | 1 | null;

/** Reads a flag in whichever of its spellings the service uses: 0 and 1, booleans, or the text of either. */
export const flag = z
  .union([z.literal(YES), z.literal(NO)])
  .transform((value): 0 | 1 => ((YES as readonly unknown[]).includes(value) ? 1 : 0))
  .nullish();

/** Whether a flag says yes. An unknown one does not. */
export function isYes(value: Flag | undefined): boolean {
  return value === 1;
}

/** Whether a flag says no. An unknown one does not. */
export function isNo(value: Flag | undefined): boolean {
  return value === 0;
}

/** Whether a flag says nothing: the service does not know, or the question does not apply. */
export function isUnknown(value: Flag | undefined): boolean {
  return value === null || value === undefined;
}

const givenFlag = z.union([z.boolean(), z.literal([0, 1])]);

/** A flag of a request that travels as a boolean; 0 and 1 are taken, too. */
export const requestedSwitch = givenFlag.transform(Boolean);

/** A flag of a request that travels as 1 or 0; booleans are taken, too. */
export const requestedBit = givenFlag.transform((value): 0 | 1 => (value ? 1 : 0));
