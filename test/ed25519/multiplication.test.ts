import { Point } from "@noble/ed25519";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";
import { PROPERTY_RUNS, startVerifiers, type Verdict, verdictNamed } from "./verifiers.ts";

/**
 * The verifier's multiplication, S·B - h·A, with scalars that no signature would ever bring. Its code is the one that
 * the factory makes but for the addresses of the contracts that hash: in their place are some that answer with what the
 * message begins with. So a test chooses h, computes R with other code, and lets the verifier judge.
 */

const L = 2n ** 252n + 27742317777372353535851937790883648493n;
/** Bits of the comb, which has 12 rows and 21 columns. */
const ALL_BITS = 2n ** 252n - 1n;
const ROWS = 12;
const COLUMNS = 21;

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

interface Case {
  readonly s: bigint;
  /** h, of 512 bits, not reduced. */
  readonly h: bigint;
}

const { connection, factory, publicClient, viem } = await startVerifiers();
afterAll(() => connection.close());

describe.each([
  ["a key like any other", 0x5eed_1234_5678_9abc_def0_1234_5678_9abc_def0n],
  ["the base point as key", 1n],
  ["the negated base point as key", L - 1n],
])("S·B - h·A with %s", (_, secret) => {
  const key = Point.BASE.multiply(secret);

  beforeAll(async () => {
    const code = await factory.read.verifierCode([toHex(key.toBytes())]);
    const parameters = [ADDRESS.oneDigest, ADDRESS.twoDigests, ADDRESS.oneDigest].map((address) =>
      address.slice(2).padStart(64, "0"),
    );
    const testClient = await viem.getTestClient();
    const setCode = (address: `0x${string}`, bytecode: `0x${string}`) => testClient.setCode({ address, bytecode });
    await setCode(
      ADDRESS.verifier,
      `${code.slice(0, -parameters.join("").length) as `0x${string}`}${parameters.join("")}`,
    );
    await setCode(ADDRESS.oneDigest, ONE_DIGEST);
    await setCode(ADDRESS.twoDigests, TWO_DIGESTS);
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
    const selections = Array.from({ length: 64 }, (_, digits) => inAllColumns(BigInt(digits)));
    await expectRight(selections.map((c, index) => ({ s: scalarOf(c), h: scalarOf(selections.at(-index) ?? 0n) })));
  });

  it("is right for scalars with a single row, column or bit set, or all but that", async () => {
    const rows = Array.from({ length: ROWS }, (_, row) => ((1n << BigInt(COLUMNS)) - 1n) << BigInt(COLUMNS * row));
    const columns = Array.from({ length: COLUMNS }, (_, column) => inAllColumns(0x3fn, [column]));
    const bits = Array.from({ length: ROWS * COLUMNS }, (_, bit) => 1n << BigInt(bit));
    const patterns = [...rows, ...columns, ...bits].flatMap((c) => [c, ALL_BITS ^ c]);
    await expectRight(patterns.map((c, index) => ({ s: scalarOf(c), h: scalarOf(patterns.at(-1 - index) ?? 0n) })));
  });

  it("is right for the scalars that do not fit the comb, and their neighbours", async () => {
    const edges = [0n, 1n, ALL_BITS - 1n, ALL_BITS, ALL_BITS + 1n, ALL_BITS + 2n, (ALL_BITS + L) / 2n, L - 2n, L - 1n];
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

/** The scalar that is recoded to c: k = 2c - (2^252 - 1). */
function scalarOf(c: bigint): bigint {
  return positive(2n * c - ALL_BITS);
}

/** c with the same six digits in both tables' rows of each column, or of those given. */
function inAllColumns(digits: bigint, columns = Array.from({ length: COLUMNS }, (_, column) => column)): bigint {
  let c = 0n;
  for (const column of columns) {
    for (let row = 0; row < ROWS; row++) c |= ((digits >> BigInt(row % 6)) & 1n) << BigInt(COLUMNS * row + column);
  }
  return c;
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
