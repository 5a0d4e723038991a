/**
 * The mutants that no test can tell from the genuine contracts, because they answer the same to everything, each with the
 * reason why. A mutant is recognized by what is changed and by the instructions around, wherever in the code that is: so
 * the list outlives changes elsewhere. What the tests do tell apart is never looked up here.
 */
import type { Mutant } from "./mutants.ts";
import type { Contract } from "./sections.ts";

interface Equivalence {
  /** Where it holds; everywhere, if nothing is said. */
  readonly contracts?: readonly Contract[];
  readonly sections?: readonly string[];
  /** What is changed, and what it stands among: see {@link Mutant}. */
  readonly change: RegExp;
  readonly context: RegExp;
  readonly reason: string;
}

/** A constant has become larger: one of the bits that are 0 in it was set, or 1 was added. */
function larger(constant: number): RegExp {
  const bits = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((constant >> bit) & 1) === 0);
  const added = constant % 2 === 0 ? "PUSH\\d \\+ 1|" : "";
  return new RegExp(`^(${added}bit (${bits.join("|")}) of 1 bytes)$`);
}

const DISJOINT = /^ADD → (XOR|OR)$/;

const VERDICT_AND_CALLDATA: readonly Equivalence[] = [
  {
    change: /^OR → XOR$/,
    context: /SHL (DUP2 )?\[OR\]/,
    reason: "Parts of a word are joined that have no bit in common: bytes, lanes, or y and the sign of x.",
  },
  {
    change: /^OR → XOR$/,
    context: /DUP2 PUSH1 24 DUP\d SUB \[OR\] PUSH1 40 SHR/,
    reason:
      "An offset of 2^64 or more points behind the calldata, where the length is read as 0. Then nothing of the offset " +
      "is cancelled. Where the offset is smaller, it adds nothing to the upper bits of the length.",
  },
  {
    change: /^(PUSH1 - 1|bit 2 of 1 bytes)$/,
    context: /DUP2 \[PUSH1 24\] DUP\d SUB OR PUSH1 40/,
    reason:
      "Offsets up to 4 below 2^256 wrap around and pass for small. But the length is then read from a place where it " +
      "begins with bytes of the selector, none of which is 0, and that is too much.",
  },
  {
    change: /^(PUSH1 [+-] 1|bit [0-57] of 1 bytes)$/,
    context: /OR \[PUSH1 40\] SHR OR PUSH2 JUMPI/,
    reason:
      "Any bound will do of which the double is below 2^256, and that no calldata reaches: what is above the end of the " +
      "calldata is refused by the comparison with its size.",
  },
  {
    change: /^SUB → XOR$/,
    context: /DUP2 DUP2 MUL DUP4 \[SUB\] PUSH2 JUMPI/,
    reason: "Both are 0 for equal numbers only, and nothing but that is asked.",
  },
  {
    change: /^PUSH0 → CODESIZE$/,
    context: /PUSH0 \[PUSH0\] REVERT/,
    reason: "Of 0 bytes it does not matter where they are.",
  },
  {
    sections: ["public key"],
    change: /^POP → nothing$/,
    context: /CODECOPY \[POP\] PUSH1 20 PUSH0 RETURN/,
    reason: "What is left on the stack at the end is gone.",
  },
  {
    sections: ["single"],
    change: /^(PUSH2 [+-] 1|bit \d+ of 2 bytes)$/,
    context: /JUMPI \[PUSH2\] PUSH2 JUMP JUMPDEST PUSH0 MSTORE/,
    reason: "What is hashed may stand anywhere behind the word to which the address of the hash contract is read.",
  },
  {
    contracts: ["batchVerifier"],
    sections: ["loading of tables"],
    change: /^(PUSH3 [+-] 1|bit \d+ of 3 bytes)$/,
    context: /DUP3 ADD \[PUSH3 \w+\] PUSH0 PUSH3/,
    reason:
      "What is hashed may stand anywhere but where verdicts and tables are; the digests come when it has been read.",
  },
];

const LENGTHS: readonly Equivalence[] = [
  {
    change: larger(0x20),
    context: /\[PUSH1 20\] (PUSH2 DUP3 CODECOPY|PUSH1 40 PUSH1 4a DUP5 EQ)/,
    reason:
      "What is copied behind the public key or the address is not returned, not hashed, or overwritten by what comes next.",
  },
  {
    change: /^(PUSH1 \+ 1|bit [0-46] of 1 bytes)$/,
    context: /\[PUSH1 20\] DUP\d+ (PUSH1 4a ADD )?DUP\d CALLDATACOPY/,
    reason:
      "What is copied behind R is overwritten by the public key and the message, or stands behind what is hashed.",
  },
  {
    contracts: ["verifier"],
    change: /^bit 7 of 1 bytes$/,
    context: /\[PUSH1 20\] DUP\d+ (PUSH1 4a ADD )?DUP\d CALLDATACOPY/,
    reason: "The same for so many bytes that they reach into what is hashed next, which is copied afterwards.",
  },
  {
    contracts: ["batchVerifier"],
    change: /^bit 7 of 1 bytes$/,
    context: /(JUMPDEST DUP2 DUP4|JUMPI PUSH3 \w+) \[PUSH1 20\] DUP\d+ (PUSH1 4a ADD )?DUP\d CALLDATACOPY/,
    reason: "The same, if it is not the second message of two: behind that one there are the verdicts.",
  },
  {
    change: larger(0x4a),
    context: /\[PUSH1 4a\] DUP\d PUSH1 40 DUP4 ADD CALLDATACOPY/,
    reason: "What is copied behind a message is not hashed with it, and overwritten by what is hashed next.",
  },
  {
    change: /^(PUSH1 \+ 1|bit [0-7] of 1 bytes)$/,
    context: /\[PUSH1 [48]0\] PUSH[23] .*GAS/,
    reason: "There may be room for more than the digests: no more come, as the size of what was returned says.",
  },
  {
    sections: ["large batch"],
    change: larger(0x40),
    context: /\[PUSH1 40\] PUSH2 DUP3 CODECOPY/,
    reason: "What is copied behind the two addresses is overwritten by the records.",
  },
  {
    sections: ["large batch"],
    change: /^DUP5 → DUP4$/,
    context: /MSTORE \[DUP5\] PUSH2 PUSH1 40 DUP\d+ ADD/,
    reason:
      "There may be room for more than the verdicts, here as much as the number of the address behind them: no more come, " +
      "as the size of what was returned says.",
  },
  {
    sections: ["first column", "loop", "columns", "correction"],
    change: /^(PUSH1 \+ 1|bit [0-47] of 1 bytes)$/,
    context: /\[PUSH1 60\] (?!MLOAD|CODECOPY|MCOPY|MUL|MSTORE)/,
    reason:
      "What is copied behind an entry is overwritten by the next one; behind the last there is the digest, which has " +
      "become a scalar by then. (So much that the next digest is overwritten as well does not survive.)",
  },
  {
    contracts: ["batchVerifier"],
    sections: ["loading of tables"],
    change: /^(PUSH1 \+ 1|bit [0-5] of 1 bytes)$/,
    context: /\[PUSH1 c0\] PUSH2 PUSH3 \w+ DUP4 EXTCODECOPY/,
    reason: "What is copied behind the parameters is overwritten by the entries of the first column.",
  },
  {
    contracts: ["batchVerifier"],
    sections: ["loading of tables"],
    change: /^(PUSH2 \+ 1|bit \d+ of 2 bytes)$/,
    context: /EXTCODECOPY \[PUSH2\] PUSH1 1 PUSH/,
    reason: "What is copied behind this table is overwritten by the one that is loaded next.",
  },
  {
    sections: ["comparison of encodings"],
    change: larger(0x20),
    context: /\[PUSH1 20\] PUSH(0|3 \w+) PUSH1 c0/,
    reason: "There may be room for more than the inverse: no more comes, as the size of what was returned says.",
  },
  {
    sections: ["comparison of encodings"],
    change: larger(0xc0),
    context: /\[PUSH1 c0\] PUSH(0|3 \w+) PUSH1 5 GAS STATICCALL/,
    reason: "MODEXP reads what the three lengths say, and nothing behind that (EIP-198).",
  },
];

const SUMS: readonly Equivalence[] = [
  {
    change: DISJOINT,
    context: /MSTORE8 PUSH1 1 DUP2 \[ADD\] SWAP1 POP/,
    reason: "The first verdict of two goes to an even address.",
  },
  {
    contracts: ["batchVerifier"],
    change: DISJOINT,
    context: /PUSH1 20 DUP2 \[ADD\] PUSH3 \w+ MLOAD SWAP1 MSTORE/,
    reason: "No address at which something to be hashed begins has the bit of 32.",
  },
  {
    contracts: ["batchVerifier"],
    sections: ["loading of tables"],
    change: DISJOINT,
    context: /PUSH1 4a PUSH1 8a DUP3 \[ADD\]/,
    reason: "138 does not have the bit of 32, and the length of a hint has no other.",
  },
  {
    change: DISJOINT,
    context: /PUSH1 20 DUP11 \[ADD\]/,
    reason: "No digest's address has the bit of 32.",
  },
  {
    sections: ["correction"],
    change: DISJOINT,
    context: /PUSH1 fc SHR \[ADD\] SUB PUSH1 60/,
    reason: "The overflow of B's scalar is 0 or 1, twice that of -A's is 0 or 2.",
  },
  {
    change: DISJOINT,
    context: /SHR PUSH0 \[ADD\]/,
    reason: "The table is at 0.",
  },
  {
    sections: ["comparison of encodings"],
    change: /^SUB → XOR$/,
    context: /MULMOD DUP8 MULMOD DUP8 \[SUB\] MOD/,
    reason:
      "For v below p, p - v and p XOR v are odd or even together, as p is odd. Modulo p that stays so unless p XOR v is " +
      "above p, for which v has to be below 32. No point of prime order has such an x or p - x: the least is 42.",
  },
];

const SCALARS: readonly Equivalence[] = [
  {
    contracts: ["batchVerifier"],
    change: /^(DUP7 → DUP8|DUP9 → DUP10)$/,
    context: /(\[DUP7\] SWAP1 PUSH32 \w+|ADD \[DUP9\] SWAP2) ADDMOD/,
    reason:
      "Reduced modulo p instead of L, c is below 3·L. A comb of 256 bits takes that, and points of order L do not tell it " +
      "from c modulo L.",
  },
  {
    contracts: ["verifier"],
    change: /^(PUSH32 \+ 1|bit (\d|\d\d|10[0-4]|25[345]) of 32 bytes)$/,
    context: /DUP1 \[PUSH32 \w+\] AND PUSH1 69 SHR/,
    reason: "The bits are shifted out, or are those of 2^253 and above, which c, below L, does not have.",
  },
  {
    contracts: ["batchVerifier"],
    change: /^(PUSH32 \+ 1|bit (\d|\d\d|10\d|11[01]|25[345]) of 32 bytes)$/,
    context: /DUP1 \[PUSH32 \w+\] AND PUSH1 70 SHR/,
    reason: "The bits are shifted out, or are those of 2^253 and above, which c, below L, does not have.",
  },
  {
    sections: ["first column"],
    change: /^(PUSH30 \+ 1|bit [0-3] of 30 bytes)$/,
    context: /\[PUSH30 \w+\] PUSH1 14/,
    reason:
      "The highest row's bit 231 comes to bit 234 of the product at most; the offsets begin at 235, and nothing below " +
      "them carries.",
  },
  {
    sections: ["columns"],
    change: /^(PUSH32 \+ 1|bit (\d|\d\d|1[01]\d|12[0-8]) of 32 bytes)$/,
    context: /^PUSH15 \w+ \[PUSH32 \w+\]|POP POP PUSH15 \w+ \[PUSH32 \w+\]/,
    reason:
      "The highest row's bit 112 comes to bit 240 of the product at most; the offset is read from 241 on, and the sums " +
      "below, 16 bits apart and of 11 bits, do not carry into each other.",
  },
  {
    sections: ["columns"],
    change: /^(PUSH31 \+ 1|bit (\d|\d\d|1[01]\d|120) of 31 bytes)$/,
    context: /\[PUSH31 \w+\] PUSH16/,
    reason:
      "A bit of the scalar up to 120 makes the product larger by less than 2^240·1.25. With what stands below the offset, " +
      "less than 2^240·0.75, that does not reach bit 241.",
  },
  {
    sections: ["columns"],
    change: /^(PUSH16 \+ 1|bit 0 of 16 bytes)$/,
    context: /\[PUSH16 \w+\] PUSH32/,
    reason: "The highest row's bit is bit 240 of the product then; the offset is read from 241 on.",
  },
  {
    sections: ["first column", "columns"],
    change: /^DUP6 → DUP[57]$/,
    context: /MLOAD MULMOD SWAP3 \[DUP6\] SWAP2 MULMOD/,
    reason:
      "In the first addition F and G are 1, and their product is 1 modulo anything above 1, as the other slots are.",
  },
  {
    sections: ["first column", "loop"],
    change: /^bit 1[345] of 2 bytes$/,
    context: /PUSH1 e6 SHR \[PUSH2\] AND/,
    reason: "Between the offsets of the two tables the product has five zeros.",
  },
];

const ADDRESSES: readonly Equivalence[] = [
  {
    sections: ["hashing"],
    change: /^(DUP3 → DUP4|DUP2 → DUP3|DUP4 → DUP5)$/,
    context: /(DUP6 \[DUP3\] CALLDATACOPY|PUSH1 20 \[DUP2\] ADD PUSH1 20|PUSH1 40 \[DUP4\] ADD CALLDATACOPY)/,
    reason: "The address at which the input begins is there twice.",
  },
  {
    sections: ["addresses"],
    change: /^bit (1[6-9]\d|2\d\d) of 32 bytes$/,
    context: /^word/,
    reason: "An address has 160 bits; calls and copies drop what is above.",
  },
];

const SHA_512: readonly Equivalence[] = [
  {
    contracts: ["sha512Of138Bytes"],
    change: /^(PUSH1 \+ 1|bit [012] of 1 bytes)$/,
    context: /\[PUSH1 8\] PUSH(0|1 \w+) PUSH1 \w+ CALLDATACOPY/,
    reason:
      "Behind an even W_t up to W_12, the first bytes of the lane of W_t+1 get garbage, 32 bits or less at the top. Of σ, " +
      "only σ0 reads these words directly, which moves it down by at most 8 of the 32 bits below; in the lower lane it is " +
      "masked, in the upper one it is out of the way. (Behind an odd W_t, and behind W_14, it does not survive.)",
  },
  {
    contracts: ["sha512Of138Bytes"],
    change: larger(8),
    context: /\[PUSH1 8\] PUSH1 78 PUSH2 CALLDATACOPY/,
    reason: "What is copied behind W_15 is overwritten by W_16 and the words behind it.",
  },
  {
    contracts: ["sha512Of138Bytes"],
    change: /^bit (6[4-9]|[7-9]\d|1[01]\d|12[0-7]) of \d+ bytes$/,
    context: /\[PUSH\d+ \w+\] ADD/,
    reason: "Bits 64 to 127 are garbage, and no sum of the lower lane carries out of them.",
  },
  {
    contracts: ["sha512Of138Bytes"],
    sections: ["second block"],
    change: /^bit 3 of 2 bytes$/,
    context: /MUL DUP1 \[PUSH2\] MSTORE/,
    reason: "The word stands twice: read 8 bytes before where it was written, it is its other copy.",
  },
  {
    contracts: ["sha512OfTwo138Bytes"],
    change: /^bit (6[4-9]|[7-9]\d|1[0-2]\d|130|19[5-9]) of \d+ bytes$/,
    context: /\[PUSH\d+ (?!7f{15}8)\w+\] (ADD|PUSH)/,
    reason:
      "Bits 64 to 130, and those from 195 on, are garbage. Sums of the lower lane, below 4·2^128 + 4·2^64 otherwise, do " +
      "not reach 2^131 with one bit more up to 2^129; with 2^130 only if all of four words and what stands above them " +
      "were ones, once in 2^256.",
  },
  {
    change: /^OR → XOR$/,
    context: /PUSH23 4\w+ \[OR\]/,
    reason: "The bit behind the message is joined with bytes of the message.",
  },
  {
    contracts: ["sha512Of138Bytes", "sha512OfTwo138Bytes"],
    change: /^SWAP2 → nothing$/,
    context: /DUP\d+ DUP\d+ XOR \[SWAP2\] DUP3 AND/,
    reason:
      "The swap keeps a ^ b for the next round, and leaves b ^ c for this one to use. In the last round of a block there is " +
      "no next one, and it does not matter which of the two is above.",
  },
  {
    contracts: ["sha512Of138Bytes", "sha512OfTwo138Bytes"],
    sections: ["second block"],
    change: /^(DUP1 → DUP2|bit 6 of 1 bytes|DUP\d+ MUL → nothing)$/,
    context: /(MUL|\[MUL\]) (DUP1|\[DUP1\]) PUSH1 7 SHR XOR (PUSH1|\[PUSH1) 1\]? SHR/,
    reason: "σ0 of W_1 and W_2 of the second block, of which the low bits are 0: none comes back in at the top.",
  },
  {
    contracts: ["sha512Of138Bytes", "sha512OfTwo138Bytes"],
    sections: ["second block"],
    change: /^DUP\d+ AND → nothing$/,
    context: /XOR PUSH1 (1|13) SHR SWAP1 PUSH1 [67] SHR XOR DUP\d+ \[AND\]/,
    reason:
      "Not equivalent, but out of reach: the mask of a σ is missed where it leaves 64 particular bits or more, and the 80 " +
      "bits that a message has in its second block decide its whole schedule. For most places the only way to such a " +
      "message is to try. The same code in the first block, of which all words can be chosen, does not survive.",
  },
];

/** Those of which it is not proved that no test can tell them, only that nobody knows one that does. */
const NO_TEST_KNOWN: readonly Equivalence[] = [
  {
    contracts: ["sha512Of138Bytes", "sha512OfTwo138Bytes"],
    sections: ["second block"],
    change: /^DUP\d+ AND → nothing$/,
    context: /XOR DUP\d+ \[AND\]/,
    reason:
      "Not proved: a mask of σ. Without it some sixty bits of garbage, all ones, would carry into the other lane. In the " +
      "first block, messages are made for which they are; in the second, words follow from ten bytes of the message and " +
      "constants, and no message is known. The mask stays, because the bound needs it.",
  },
];

const EQUIVALENCES = [
  ...VERDICT_AND_CALLDATA,
  ...LENGTHS,
  ...SUMS,
  ...SCALARS,
  ...ADDRESSES,
  ...SHA_512,
  ...NO_TEST_KNOWN,
] satisfies readonly Equivalence[];

/** Why the mutant is equivalent, if that is known. */
export function equivalenceOf({ contract, section, change, context }: Mutant): string | undefined {
  return EQUIVALENCES.find(
    (known) =>
      (known.contracts ?? [contract]).includes(contract) &&
      (known.sections ?? [section]).includes(section) &&
      known.change.test(change) &&
      known.context.test(context),
  )?.reason;
}
