import fc from "fast-check";
import { network } from "hardhat";
import { type Hex, hexToBigInt, size, sliceHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { signerNamed } from "./signers.ts";
import { PROPERTY_RUNS } from "./verifiers.ts";

const connection = await network.create();
afterAll(() => connection.close());

// The curve and its group (RFC 8032, section 5.1), in affine coordinates and by definition.

const P = 2n ** 255n - 19n;
const D = mod(-121665n * inverse(121666n));

type Point = { readonly x: bigint; readonly y: bigint };

const NEUTRAL: Point = { x: 0n, y: 1n };
const BASE: Point = {
  x: 15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  y: mod(4n * inverse(5n)),
};

function mod(number: bigint): bigint {
  return ((number % P) + P) % P;
}

/** By the extended Euclidean algorithm, in which a·number is `low` mod p all the time. */
function inverse(number: bigint): bigint {
  let [high, low] = [P, mod(number)];
  let [b, a] = [0n, 1n];
  while (low !== 0n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [b, a] = [a, b - quotient * a];
  }
  return mod(b);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = mod(square * square)) {
    if (rest & 1n) result = mod(result * square);
  }
  return result;
}

function isOnCurve({ x, y }: Point): boolean {
  return mod(y * y - x * x) === mod(1n + D * x * x * y * y);
}

function add(left: Point, right: Point): Point {
  const product = D * left.x * right.x * left.y * right.y;
  return {
    x: mod((left.x * right.y + left.y * right.x) * inverse(1n + product)),
    y: mod((left.y * right.y + left.x * right.x) * inverse(1n - product)),
  };
}

function negate({ x, y }: Point): Point {
  return { x: mod(-x), y };
}

function multiply(scalar: bigint, point: Point): Point {
  if (scalar < 0n) return multiply(-scalar, negate(point));
  let result = NEUTRAL;
  for (let double = point, rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, double);
    double = add(double, double);
  }
  return result;
}

// What CombTable.sol describes.

type Shape = { readonly columns: number; readonly teeth: number; readonly tables: number };

const SHAPES: readonly Shape[] = [
  { columns: 21, teeth: 6, tables: 2 },
  { columns: 18, teeth: 7, tables: 2 },
  // 256 bits: there is room for every scalar.
  { columns: 16, teeth: 8, tables: 2 },
];

const WORD = 32;
const ENTRY = 5 * WORD;

/** How many entries a table has. */
function entriesOf(teeth: number): number {
  return 2 ** (teeth - 1);
}

/** The words of all entries, from the formula of an entry. */
function expectedTables({ columns, teeth, tables }: Shape, point: Point): bigint[] {
  const words: bigint[] = [];
  for (let table = 0; table < tables; table++) {
    const row = (t: number) => multiply(2n ** BigInt(columns * (teeth * table + t)), point);
    const highest = row(teeth - 1);
    const others = Array.from({ length: teeth - 1 }, (_, t) => row(t));
    for (let i = 0; i < entriesOf(teeth); i++) {
      words.push(...entryOf(others.reduce((sum, tooth, t) => add(sum, (i >> t) & 1 ? negate(tooth) : tooth), highest)));
    }
  }
  return words;
}

function expectedCorrections(point: Point): bigint[] {
  return [point, add(BASE, point)].flatMap((one) => entryOf(multiply(2n ** 253n, one)).slice(0, 3));
}

function entryOf({ x, y }: Point): bigint[] {
  const product = D * x * y;
  const half = inverse(2n);
  return [(y + x) * half, -product, (y - x) * half, product, (y + x) * half].map(mod);
}

/** The point that three words at a byte offset stand for, in which an addition reads them. */
function operandAt(tables: Hex, offset: number): Point {
  const [halfOfDifference, product, halfOfSum] = wordsOf(sliceHex(tables, offset, offset + 3 * WORD)) as [
    bigint,
    bigint,
    bigint,
  ];
  const point = { x: mod(halfOfSum - halfOfDifference), y: mod(halfOfSum + halfOfDifference) };
  expect(product).toBe(mod(D * point.x * point.y));
  return point;
}

/** What the comb makes of the lower 252 bits of c. */
function throughColumns({ columns, teeth, tables }: Shape, bytes: Hex, c: bigint): Point {
  let sum = NEUTRAL;
  for (let column = columns - 1; column >= 0; column--) {
    sum = add(sum, sum);
    for (let table = 0; table < tables; table++) {
      const bits = Array.from({ length: teeth }, (_, t) => (c >> BigInt(columns * (teeth * table + t) + column)) & 1n);
      const isPositive = bits.at(-1) === 1n;
      const index = bits.slice(0, -1).reduce((i, bit, t) => i + ((bit === 0n) === isPositive ? 2 ** t : 0), 0);
      const entry = (table * entriesOf(teeth) + index) * ENTRY;
      sum = add(sum, operandAt(bytes, entry + (isPositive ? 2 * WORD : 0)));
    }
  }
  return sum;
}

function wordsOf(bytes: Hex): bigint[] {
  const count = size(bytes) / WORD;
  return Array.from({ length: count }, (_, i) => hexToBigInt(sliceHex(bytes, i * WORD, (i + 1) * WORD)));
}

/** -A of a key. */
function negatedKey(name: string): Point {
  const { x, y } = decodePublicKey(signerNamed(name).publicKey).point.toAffine();
  return negate({ x, y });
}

const POINTS: Record<string, Point> = {
  "the negated base point": negate(BASE),
  ...Object.fromEntries([1, 2, 3, 4].map((number) => [`the negated key ${number}`, negatedKey(`comb ${number}`)])),
  // Not keys, but complete formulas know no exceptions.
  "the neutral point": NEUTRAL,
  "the point of order 2": { x: 0n, y: P - 1n },
  "a point of order 4": { x: power(2n, (P - 1n) / 4n), y: 0n },
};

describe.each(SHAPES)("CombTable, $columns columns, $teeth teeth, $tables tables", (shape) => {
  const bits = BigInt(shape.columns * shape.teeth * shape.tables);
  let harness: Awaited<ReturnType<typeof deployHarness>>;
  beforeAll(async () => {
    harness = await deployHarness();
  });
  const derive = async ({ x, y }: Point) => {
    const argument = {
      columns: BigInt(shape.columns),
      teeth: BigInt(shape.teeth),
      tables: BigInt(shape.tables),
    };
    const [tables, corrections, gas] = await harness.read.derive([argument, x, y]);
    return { tables, corrections, gas };
  };

  it.each(Object.keys(POINTS))("derives what the definition says from %s", async (name) => {
    const point = POINTS[name] as Point;
    const { tables, corrections, gas } = await derive(point);
    if (name.endsWith("base point")) process.stdout.write(`gas: deriving ${size(tables)} bytes of tables ${gas}\n`);
    expect(wordsOf(tables)).toEqual(expectedTables(shape, point));
    expect(wordsOf(corrections)).toEqual(bits === 252n ? expectedCorrections(point) : []);
  });

  it("has only canonical words, and points of the curve with their negatives", async () => {
    const { tables, corrections } = await derive(negatedKey("comb 1"));
    expect(size(tables)).toBe(shape.tables * entriesOf(shape.teeth) * ENTRY);
    for (const word of [...wordsOf(tables), ...wordsOf(corrections)]) expect(word).toBeLessThan(P);
    for (let offset = 0; offset < size(tables); offset += ENTRY) {
      const positive = operandAt(tables, offset + 2 * WORD);
      expect(isOnCurve(positive)).toBe(true);
      expect(operandAt(tables, offset)).toEqual(negate(positive));
    }
  });

  it("multiplies by every number, also by one that needs the correction", async () => {
    const point = negatedKey("comb 2");
    const { tables, corrections } = await derive(point);
    const correction = bits === 252n ? negate(operandAt(corrections, 0)) : NEUTRAL;
    const anyNumber = fc.oneof(
      fc.bigInt(0n, 2n ** 253n - 1n),
      fc.constantFrom(0n, 1n, 2n ** 252n - 1n, 2n ** 252n, 2n ** 253n - 1n),
    );
    const property = fc.property(anyNumber, (c) => {
      const sum = throughColumns(shape, tables, c);
      const result = c < 2n ** bits ? sum : add(sum, correction);
      expect(result).toEqual(multiply(2n * c - (2n ** bits - 1n), point));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  }, 1_800_000);
});

function deployHarness() {
  return connection.viem.deployContract("CombTableHarness");
}
