import { Point } from "@noble/ed25519";
import fc from "fast-check";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";
import { PROPERTY_RUNS, startVerifiers, type Verdict, verdictNamed } from "./verifiers.ts";

/**
 * The verifiers' multiplications, S·B - h·A, with scalars that no signature would ever bring. The code is the one that the
 * factory makes but for the addresses of the contracts that hash: in their place are some that answer with what the
 * message begins with. So a test chooses h, computes R with other code, and lets the verifier judge.
 */

const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const MESSAGE_LENGTH = 74;
const ADDRESS = {
  verifier: "0x00000000000000000000000000000000000000a1",
  oneDigest: "0x00000000000000000000000000000000000000a2",
  twoDigests: "0x00000000000000000000000000000000000000a3",
} as const;

// CALLDATACOPY(0, 64, 64), and where two are hashed CALLDATACOPY(64, 202, 64) too; then RETURN(0, 64 or 128). What is
// hashed is R ‖ A ‖ message, 138 bytes.
const ONE_DIGEST = "0x604060405f3760405ff3";
const TWO_DIGESTS = "0x604060405f37604060ca60403760805ff3";

/** A comb's rows and columns; each of its two tables serves half of the rows. */
interface Comb {
  readonly rows: number;
  readonly columns: number;
}

/** Of the verifier itself, which judges all batches as long as its key has no tables for large ones. */
const VERIFIER_COMB: Comb = { rows: 12, columns: 21 };
/** Of the batch verifier. */
const BATCH_COMB: Comb = { rows: 16, columns: 16 };

interface Case {
  readonly s: bigint;
  /** h, of 512 bits, not reduced. */
  readonly h: bigint;
}

const { connection, factory, publicClient, viem } = await startVerifiers();
afterAll(() => connection.close());

describe.each(
  (
    [
      ["a key like any other", 0x5eed_1234_5678_9abc_def0_1234_5678_9abc_def0n],
      ["the base point as key", 1n],
      ["the negated base point as key", L - 1n],
    ] as const
  ).flatMap(([name, secret]) => [
    { name: `${name}, by the verifier`, secret, comb: VERIFIER_COMB },
    { name: `${name}, by the batch verifier`, secret, comb: BATCH_COMB },
  ]),
)("S·B - h·A with $name", ({ secret, comb }) => {
  const key = Point.BASE.multiply(secret);
  /** 2^n - 1, n being the comb's bits. */
  const allOnes = 2n ** BigInt(comb.rows * comb.columns) - 1n;
  /** The scalar that is recoded to c, which is below L. */
  const scalarOf = (c: bigint) => positive(2n * c - allOnes);
  /** c with the same digits in the rows of both tables, in each column or in one; below 2^252 in either comb. */
  const inColumns = (digits: bigint, only?: number) => {
    let c = 0n;
    for (let column = 0; column < comb.columns; column++) {
      if (only !== undefined && only !== column) continue;
      for (let row = 0; row < comb.rows; row++) {
        c |= ((digits >> BigInt(row % (comb.rows / 2))) & 1n) << BigInt(comb.columns * row + column);
      }
    }
    return c & (2n ** 252n - 1n);
  };

  beforeAll(async () => {
    const testClient = await viem.getTestClient();
    const setCode = (address: Hex, bytecode: Hex) => testClient.setCode({ address, bytecode });
    await setCode(ADDRESS.oneDigest, ONE_DIGEST);
    await setCode(ADDRESS.twoDigests, TWO_DIGESTS);
    const hex = toHex(key.toBytes());
    const code = await factory.read.verifierCode([hex]);
    const { oneDigest, twoDigests } = ADDRESS;
    if (comb === VERIFIER_COMB) {
      // In its last three words, code of the factory's making names who hashes one message, two, and any.
      await setCode(ADDRESS.verifier, withLastWords(code, [oneDigest, twoDigests, oneDigest]));
    } else {
      await setCode(ADDRESS.verifier, code);
      await factory.write.deployBatchTables([hex]);
      const table = await factory.read.batchTableCode([hex, false]);
      await setCode(await factory.read.batchTableAddress([hex, false]), withLastWords(table, [oneDigest, twoDigests]));
    }
  });
  // Keys are the same in pairs of suites, so the next one must not find these tables.
  afterAll(async () => {
    const testClient = await viem.getTestClient();
    const address = await factory.read.batchTableAddress([toHex(key.toBytes()), false]);
    await testClient.setCode({ address, bytecode: "0x" });
  });

  /** The verdicts on R = S·B - h·A, and on R = S·B - h·A + B; with and without hint. */
  const judge = async (cases: readonly Case[]): Promise<Verdict[][]> => {
    const verifier = await viem.getContractAt("IEd25519Verifier", ADDRESS.verifier, {
      client: { public: publicClient },
    });
    const signed = cases.flatMap(({ s, h }) => {
      const right = times(s, Point.BASE).subtract(times(h % L, key));
      return [right, right.add(Point.BASE)].map((r) => ({ s, h, r }));
    });
    const plain = signed.map(({ s, h, r }) =>
      Buffer.concat([littleEndian(h, 64), new Uint8Array(MESSAGE_LENGTH - 64), r.toBytes(), littleEndian(s, 32)]),
    );
    const hinted = plain.map((record, index) => {
      const xOfR = signed[index]?.r.x ?? 0n;
      return Buffer.concat([record, littleEndian(xOfR, 32).reverse()]);
    });
    const arguments_ = (records: readonly Uint8Array[]) =>
      [BigInt(MESSAGE_LENGTH), toHex(Buffer.concat(records))] as const;
    const answers = [
      await verifier.read.verifyBatchWithHints(arguments_(hinted)),
      await verifier.read.verifyBatch(arguments_(plain)),
    ];
    return answers.map((answer) => [...Buffer.from(answer.slice(2), "hex")].map(verdictNamed));
  };

  const expectRight = async (cases: readonly Case[]) => {
    const verdicts = cases.flatMap((): Verdict[] => ["Valid", "InvalidSignature"]);
    for (let start = 0; start < cases.length; start += 100) {
      const answers = await judge(cases.slice(start, start + 100));
      for (const answer of answers) expect(answer).toEqual(verdicts.slice(2 * start, 2 * start + 200));
    }
  };

  it("is right for every entry of every table, with either sign", async () => {
    const selections = Array.from({ length: 2 ** (comb.rows / 2) }, (_, digits) => inColumns(BigInt(digits)));
    await expectRight(selections.map((c, index) => ({ s: scalarOf(c), h: scalarOf(selections.at(-index) ?? 0n) })));
  });

  it("is right for scalars with a single row, column or bit set, or all but that", async () => {
    const [width, ones] = [BigInt(comb.columns), 2n ** 252n - 1n];
    const rows = Array.from({ length: comb.rows }, (_, row) => ones & (((1n << width) - 1n) << (width * BigInt(row))));
    const columns = Array.from({ length: comb.columns }, (_, column) => inColumns(-1n, column));
    const bits = Array.from({ length: 252 }, (_, bit) => 1n << BigInt(bit));
    const patterns = [...rows, ...columns, ...bits].flatMap((c) => [c, ones ^ c]);
    await expectRight(patterns.map((c, index) => ({ s: scalarOf(c), h: scalarOf(patterns.at(-1 - index) ?? 0n) })));
  });

  it("is right for the scalars that do not fit 252 bits, and their neighbours", async () => {
    const ones = 2n ** 252n - 1n;
    const edges = [0n, 1n, ones - 1n, ones, ones + 1n, ones + 2n, (ones + L) / 2n, L - 2n, L - 1n];
    await expectRight(edges.flatMap((b) => edges.map((a) => ({ s: scalarOf(b), h: scalarOf(a) }))));
  });

  it("is right for the smallest and the largest S and h, also where h is far above L", async () => {
    const small = [0n, 1n, 2n, 3n];
    const reduced = small.flatMap((number) => [number, L - 1n - number]);
    const halves = small.flatMap((number) => [2n ** 252n + number, 2n ** 256n - 1n - number, 2n ** 256n + number]);
    const tops = small.flatMap((number) => [2n ** 512n - 1n - number, (2n ** 256n - 1n - number) << 256n]);
    await expectRight(reduced.flatMap((s) => [...reduced, ...halves, ...tops].map((h) => ({ s, h }))));
  });

  it("is right where multiples of A and B meet: equal, opposite and neutral sums", async () => {
    const s = 0x1234_5678_9abc_def0_1234_5678_9abc_def0n;
    const h = inverse(secret) * s;
    await expectRight([0n, 1n, -1n, 2n, -2n].map((offset) => ({ s, h: positive(h + offset) })));
  });

  it("is right for any S below L and any digest", async () => {
    const anyCase = fc.record({ s: fc.bigInt(0n, L - 1n), h: fc.bigInt(0n, 2n ** 512n - 1n) });
    await fc.assert(fc.asyncProperty(fc.array(anyCase, { minLength: 20, maxLength: 20 }), expectRight), {
      numRuns: PROPERTY_RUNS / 20,
    });
  });
});

/** Code with its last words replaced by addresses. */
function withLastWords(code: Hex, addresses: readonly Hex[]): Hex {
  const words = addresses.map((address) => address.slice(2).padStart(64, "0")).join("");
  return `0x${code.slice(2, -words.length)}${words}`;
}

function times(scalar: bigint, point: Point): Point {
  return scalar === 0n ? Point.ZERO : point.multiply(scalar);
}

function positive(number: bigint): bigint {
  const rest = number % L;
  return rest < 0n ? rest + L : rest;
}

/** 1/number mod L, by Fermat. */
function inverse(number: bigint): bigint {
  let result = 1n;
  for (let square = number, rest = L - 2n; rest > 0n; rest >>= 1n, square = (square * square) % L) {
    if (rest & 1n) result = (result * square) % L;
  }
  return result;
}

function littleEndian(number: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(2 * length, "0"), "hex")).reverse();
}
