/**
 * Orders straight-line arithmetic for a stack machine.
 *
 * A block says what is computed from what; in which order, and with which DUPs and SWAPs, is found by search. Everything
 * but SWAPs costs the same in every order that this search considers: each operation once, each constant where it is
 * used, and a DUP for each use of a value but its last. So the search is for the fewest SWAPs.
 */
import type { Assembler, Instruction } from "./assembler.ts";

/** An operation on values: the result's name, the instruction, and its operands as the Yellow Paper orders them. */
export type Definition = readonly [result: string, instruction: Instruction, ...operands: Operand[]];

/**
 * A value of the block by its name; or a leaf, which is brought to the stack each time that it is used: a slot below the
 * block's own, or a word of memory, whose address is given by this name when the block is emitted.
 */
export type Operand = string | Leaf;
type Leaf = { readonly below: string } | { readonly wordAt: string };

/** Addresses in memory by the names that leaves have for them. */
export type Addresses = Readonly<Record<string, bigint>>;

/**
 * What a block takes from the top of the stack and leaves there, each in its order, the top last. A result that takes
 * the place of an input is named with a prime, and left in a slot without it.
 */
export interface Block {
  readonly inputs: readonly string[];
  readonly definitions: readonly Definition[];
  readonly outputs: readonly string[];
}

/** One step of a schedule. */
type Step =
  | { readonly dup: number }
  | { readonly swap: number }
  | { readonly leaf: Leaf }
  | { readonly apply: Instruction };

/** States kept in each round of the search. More find better schedules, slower. */
const BEAM_WIDTH = 3000;

/** How many copies of a leaf may wait on the stack. */
const LEAVES_AHEAD = 2;

const COMMUTATIVE: ReadonlySet<Instruction> = new Set(["ADD", "MUL", "AND", "OR", "XOR", "EQ", "ADDMOD", "MULMOD"]);

/** Where the search stands: what is on the block's part of the stack (the top last) and what has been computed. */
interface State {
  readonly stack: readonly number[];
  /** A bit for each definition. */
  readonly done: number;
  readonly swaps: number;
  readonly last?: { readonly step: Step; readonly before: State };
}

/** Emits a block in the order with the fewest SWAPs that was found. */
export function emitBlock(assembler: Assembler, block: Block, addresses: Addresses = {}): void {
  const slots = assembler.stack.slice(-block.inputs.length);
  if (slots.join() !== block.inputs.join()) throw new Error(`the block takes ${block.inputs}, and not ${slots}`);
  for (const step of stepsOf(block)) {
    if ("dup" in step) assembler.dup(step.dup);
    else if ("swap" in step) assembler.swap(step.swap);
    else if ("apply" in step) assembler.op(step.apply);
    else emitLeaf(assembler, step.leaf, addresses);
  }
  const names = block.outputs.map((name) => name.replace("'", ""));
  assembler.stack.splice(-names.length, names.length, ...names);
}

function emitLeaf(assembler: Assembler, leaf: Leaf, addresses: Addresses): void {
  if ("below" in leaf) {
    assembler.dup(leaf.below);
    return;
  }
  const address = addresses[leaf.wordAt];
  if (address === undefined) throw new Error(`no address is given for ${leaf.wordAt}`);
  assembler.push(address).op("MLOAD");
}

/** What has been found for a block, which is emitted many times. */
const found = new Map<string, readonly Step[]>();

function stepsOf(block: Block): readonly Step[] {
  const key = JSON.stringify(block);
  const steps = found.get(key) ?? search(block);
  found.set(key, steps);
  return steps;
}

/**
 * Goes from the inputs step by step, keeping the most promising states that so many steps lead to. The same block always
 * gets the same steps.
 */
function search({ inputs, definitions, outputs }: Block): readonly Step[] {
  // Values are numbered: inputs, then results, then leaves.
  const names = [...inputs, ...definitions.map(([result]) => result)];
  const leaves: Leaf[] = [];
  const numberOf = (leaf: Leaf) => {
    const known = leaves.findIndex((other) => JSON.stringify(other) === JSON.stringify(leaf));
    return known < 0 ? leaves.push(leaf) - 1 : known;
  };
  const operations = definitions.map(([, instruction, ...operands], index) => ({
    instruction,
    result: inputs.length + index,
    operands: operands.map((operand) => {
      if (typeof operand !== "string") return names.length + numberOf(operand);
      const value = names.indexOf(operand);
      if (value < 0) throw new Error(`nothing in the block is named ${operand}`);
      return value;
    }),
  }));
  const goal = outputs.map((name) => names.indexOf(name));

  /** How many copies of a value are still to be used up, outputs included. */
  const needs = (done: number) => {
    const needed = new Array<number>(names.length + leaves.length).fill(0);
    for (const value of goal) needed[value] = (needed[value] ?? 0) + 1;
    operations.forEach(({ operands }, index) => {
      if (!(done & (1 << index))) for (const value of operands) needed[value] = (needed[value] ?? 0) + 1;
    });
    return needed;
  };
  const needsOf = new Map<number, number[]>();
  const neededAt = (done: number) => {
    const needed = needsOf.get(done) ?? needs(done);
    needsOf.set(done, needed);
    return needed;
  };

  /** The operations that the top of the stack fits. */
  const applicable = ({ stack, done }: State) =>
    operations.filter(({ instruction, operands }, index) => {
      if (done & (1 << index) || stack.length < operands.length) return false;
      const top = operands.map((_, depth) => stack.at(-1 - depth));
      if (operands.every((value, depth) => value === top[depth])) return true;
      if (!COMMUTATIVE.has(instruction)) return false;
      const [first, second, third] = operands;
      return top[0] === second && top[1] === first && top[2] === third;
    });

  const apply = (state: State, { operands, result, instruction }: (typeof operations)[number]): State => ({
    stack: [...state.stack.slice(0, -operands.length), result],
    done: state.done | (1 << (result - inputs.length)),
    swaps: state.swaps,
    last: { step: { apply: instruction }, before: state },
  });

  const swapped = (state: State, depth: number): State => {
    const stack = [...state.stack];
    const top = stack.length - 1;
    [stack[top], stack[top + 1 - depth]] = [stack[top + 1 - depth] as number, stack[top] as number];
    return { stack, done: state.done, swaps: state.swaps + 1, last: { step: { swap: depth }, before: state } };
  };

  const swaps = (state: State) =>
    state.stack.slice(0, -1).flatMap((value, index) => {
      const isUseless = value === state.stack.at(-1);
      return isUseless ? [] : [swapped(state, state.stack.length - index)];
    });

  /** Steps that bring the end nearer: an operation, a copy that will be used, a leaf that will be used. */
  const advances = (state: State): State[] => {
    const needed = neededAt(state.done);
    const next = applicable(state).map((operation) => apply(state, operation));
    new Set(state.stack).forEach((value) => {
      const copies = state.stack.filter((other) => other === value).length;
      if (value >= names.length || copies >= (needed[value] ?? 0)) return;
      next.push({
        stack: [...state.stack, value],
        done: state.done,
        swaps: state.swaps,
        last: { step: { dup: state.stack.length - state.stack.lastIndexOf(value) }, before: state },
      });
    });
    leaves.forEach((leaf, index) => {
      const value = names.length + index;
      const copies = state.stack.filter((other) => other === value).length;
      if (copies >= Math.min(needed[value] ?? 0, LEAVES_AHEAD)) return;
      next.push({
        stack: [...state.stack, value],
        done: state.done,
        swaps: state.swaps,
        last: { step: { leaf }, before: state },
      });
    });
    return next;
  };

  /** Whether nothing is missing that can't be computed again, and nothing is there for which there is no use. */
  const isSound = ({ stack, done }: State) => {
    const needed = neededAt(done);
    const isThere = (value: number) => value < inputs.length || (done & (1 << (value - inputs.length))) !== 0;
    return (
      stack.every((value) => (needed[value] ?? 0) > 0) &&
      names.every((_, value) => !isThere(value) || needed[value] === 0 || stack.includes(value))
    );
  };

  const all = (1 << operations.length) - 1;
  let beam: State[] = [{ stack: inputs.map((_, index) => index), done: 0, swaps: 0 }];
  let best: State | undefined;
  while (beam.length > 0) {
    const next = new Map<string, State>();
    const keep = (state: State) => {
      if (!isSound(state)) return;
      const key = `${state.done}:${state.stack.join()}`;
      const known = next.get(key);
      if (known === undefined || state.swaps < known.swaps) next.set(key, state);
    };
    for (const state of beam) {
      if (best !== undefined && state.swaps >= best.swaps) continue;
      if (state.done === all && state.stack.length === goal.length) {
        const end = sorted(state, goal, swapped);
        if (best === undefined || end.swaps < best.swaps) best = end;
        continue;
      }
      advances(state).forEach(keep);
      for (const once of swaps(state)) {
        advances(once).forEach(keep);
        for (const twice of swaps(once)) for (const operation of applicable(twice)) keep(apply(twice, operation));
      }
    }
    beam = [...next.values()].sort((one, other) => promise(one) - promise(other)).slice(0, BEAM_WIDTH);
  }
  if (best === undefined) throw new Error("no schedule was found");
  const steps: Step[] = [];
  for (let state = best; state.last !== undefined; state = state.last.before) steps.unshift(state.last.step);
  return steps;
}

/** The less, the better: a high stack will take SWAPs to be brought down. */
function promise({ swaps, stack }: State): number {
  return 2 * swaps + stack.length;
}

/** Brings the stack into the order of the goal. */
function sorted(state: State, goal: readonly number[], swapped: (state: State, depth: number) => State): State {
  let current = state;
  for (;;) {
    const top = current.stack.at(-1);
    const isInPlace = top === goal.at(-1);
    // The top goes to where it belongs; if it is in place, something that is not comes up.
    const target = isInPlace
      ? current.stack.findIndex((value, index) => value !== goal[index])
      : goal.findIndex((value, index) => value === top && current.stack[index] !== value);
    if (target < 0) return current;
    current = swapped(current, current.stack.length - target);
  }
}
