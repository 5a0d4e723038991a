/**
 * Doubling and mixed addition on edwards25519, as blocks for the scheduler.
 *
 * A point is four words E, F, G, H, its extended coordinates (Hisil, Wong, Carter and Dawson, "Twisted Edwards curves
 * revisited", 2008) before they are multiplied out:
 *
 *     X = E·F,  Y = G·H,  Z = F·G,  T = E·H;   x = X/Z = E/G,  y = Y/Z = H/F.
 *
 * So T, which only additions need, is computed only by them. The signs of E and G, or of F and H, may be changed
 * together: that changes the sign of all of X, Y, Z and T, and the point is the same.
 *
 * **Bounds.** MULMOD and ADDMOD take any 256-bit number and give one below p. E, F, G and H are each a sum of two such,
 * or one plus (p minus another), so below 2p = 2^256 - 38, and no sum overflows a word. That is why no addition here is an
 * ADDMOD, but for the one sum of three terms.
 *
 * The formulas are complete: -1 is a square mod p, d is not, so they hold for equal, opposite and neutral points alike,
 * and Z = F·G is never 0 mod p.
 */
import type { Block, Definition, Operand } from "./schedule.ts";

/** p, in a slot below. */
const p = { below: "p" } as const;

function product(result: string, one: Operand, other: Operand): Definition {
  return [result, "MULMOD", one, other, p];
}

/** x + (p - y), below 2p. The terms' names are one of the result's making. */
function difference(result: string, x: Operand, y: Operand): readonly Definition[] {
  return [
    [`p-${y}`, "SUB", p, y],
    [result, "ADD", x, `p-${y}`],
  ];
}

/**
 * 2·(X : Y : Z), dbl-2008-hwcd with a = -1: E = 2XY, G = Y² - X², F = G - 2Z², H = -(X² + Y²), with all four signs
 * changed. H then is a plain sum and G a part of F, but E is -2XY: the doubling takes the *negated* E of its point,
 * which makes X negative and costs the addition before it nothing.
 */
function doubling(inputs: readonly string[], outputs: readonly string[]): Block {
  return {
    inputs,
    outputs,
    definitions: [
      product("X", "E", "F"),
      product("Y", "G", "H"),
      product("Z", "F", "G"),
      product("X²", "X", "X"),
      product("Y²", "Y", "Y"),
      ["2X", "ADD", "X", "X"],
      product("E'", "2X", "Y"),
      ["2Z", "ADD", "Z", "Z"],
      product("2Z²", "2Z", "Z"),
      ...difference("G'", "X²", "Y²"),
      ["F'", "ADDMOD", "2Z²", "G'", p],
      ["H'", "ADD", "X²", "Y²"],
    ],
  };
}

/**
 * (X : Y : Z : T) plus an affine point, madd-2008-hwcd-3 with everything halved: A = (Y - X)·(y - x)/2,
 * B = (Y + X)·(y + x)/2, C = T·d·x·y, and D = Z; E = B - A, F = D - C, G = D + C, H = B + A. The halves come from the
 * table, and spare the doubling of Z. They are read from memory, at addresses that the block is given.
 */
function addition(inputs: readonly string[], outputs: readonly string[], sign: "E" | "-E"): Block {
  return {
    inputs,
    outputs,
    definitions: [
      product("X", "E", "F"),
      product("Y", "G", "H"),
      product("Z", "F", "G"),
      product("T", "E", "H"),
      ...difference("Y-X", "Y", "X"),
      ["Y+X", "ADD", "X", "Y"],
      product("A", "Y-X", { wordAt: "(y-x)/2" }),
      product("C", "T", { wordAt: "dxy" }),
      product("B", "Y+X", { wordAt: "(y+x)/2" }),
      ...(sign === "E" ? difference("E'", "B", "A") : difference("E'", "A", "B")),
      ...difference("F'", "Z", "C"),
      ["G'", "ADD", "Z", "C"],
      ["H'", "ADD", "A", "B"],
    ],
  };
}

// The order on the stack in which a point goes from step to step; of all orders, these came out cheapest together.
const BEFORE_DOUBLING = ["E", "G", "H", "F"];
const AFTER_DOUBLING = ["E", "G", "F", "H"];
const BETWEEN_ADDITIONS = ["E", "F", "H", "G"];

const primed = (names: readonly string[]) => names.map((name) => `${name}'`);

/** A point's words on the stack, the top last, where it is begun with. */
export const POINT_ON_STACK: readonly string[] = BETWEEN_ADDITIONS;

/** From a point with E negated to its double. */
export const DOUBLING = doubling(BEFORE_DOUBLING, primed(AFTER_DOUBLING));

/** The first addition after a doubling. */
export const FIRST_ADDITION = addition(AFTER_DOUBLING, primed(BETWEEN_ADDITIONS), "E");
/** An addition after another. */
export const ADDITION = addition(BETWEEN_ADDITIONS, primed(BETWEEN_ADDITIONS), "E");
/** The addition before a doubling or the end: gives E negated. */
export const LAST_ADDITION = addition(BETWEEN_ADDITIONS, primed(BEFORE_DOUBLING), "-E");
