import { createHash } from "node:crypto";

export interface RandomNumbers {
  /** A number from 0 to below the bound, which is at most 2^32. */
  below(bound: number): number;
}

/** Numbers that look random and follow from the seed alone. */
export function randomNumbers(seed: string): RandomNumbers {
  let drawn = 0;
  return {
    below: (bound) => {
      const digest = createHash("sha256").update(`${seed}/${drawn}`).digest();
      drawn += 1;
      // 48 bits modulo at most 32 bits: the bias is far below what anybody could notice.
      return digest.readUIntBE(0, 6) % bound;
    },
  };
}
