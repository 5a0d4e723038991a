// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title SHA-512
/// @notice The hash function of FIPS 180-4, section 6.4, for messages of any length.
/// @dev Two representations make it cheap in 256-bit arithmetic.
///
/// Working variables a … h are kept *twice*: a 64-bit x is held as x·(2^64 + 1), that is x in bits 0–63 and again in
/// bits 64–127. Then a rotation to the right by n < 64 is one SHR: bits 0–63 of `shr(n, twice)` are ROTR^n(x). What
/// stands above bit 63 after a shift is garbage, and stays harmless, because XOR, AND and addition never carry
/// anything downwards. One mask and one multiplication a word (`twice`) make it clean again.
///
/// Words of the message schedule are kept in *lanes* of 128 bits, zero-extended, 16 bytes apart in memory. One MLOAD
/// then yields the pair (W_t, W_t+1), also where t is odd, and the schedule is computed two words at a time. Here a
/// carry out of the low lane would reach the high one, so every shifted value is masked before it is added. (Without
/// the mask, chosen messages would make such carries.)
///
/// The stack holds a … h and two addresses in the rounds, and no more fits: all else lives in memory.
library Sha512 {
    /// @dev A 64-bit word: bits 0–63.
    uint256 private constant WORD_MASK = 0xffffffffffffffff;

    /// @dev Multiplying a 64-bit word, or a pair of lanes, by 2^64 + 1 writes every word twice.
    uint256 private constant TWICE = 0x10000000000000001;

    /// @dev The words of a pair of lanes: bits 0–63 and 128–191.
    uint256 private constant LANES_MASK = 0x0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff;

    /// @dev The word of the high lane only: bits 128–191.
    uint256 private constant HIGH_LANE_MASK = 0x0000000000000000ffffffffffffffff00000000000000000000000000000000;

    /// @notice Hashes a message.
    /// @param message Any bytes.
    /// @return high The first 32 bytes of the digest.
    /// @return low The last 32 bytes of the digest.
    function hash(bytes memory message) internal pure returns (bytes32 high, bytes32 low) {
        // Memory used lies past the free memory pointer, which is left where it is. From `base` on:
        //   0x000  hash value H_0 … H_7, a word each, written twice
        //   0x100  address of the current block of the message, 0x120 address of the end of the last one
        //   0x140  message schedule W_0 … W_79, a lane (16 bytes) each
        //   0x640  K_0 … K_79, a lane each, so that K_t stands 0x500 bytes after W_t
        //   0xb40  the padded message
        // Nothing is read there before it was written, but for bytes that end above bit 63 of a sum.
        assembly ("memory-safe") {
            // stack: message, high, low. Memory-safe: writes only past the free memory pointer, as laid out above.
            function twice(x) -> result {
                result := mul(and(x, WORD_MASK), TWICE)
            }
            // FIPS 180-4, section 4.1.3: (4.8) Ch and (4.9) Maj. They act on each bit apart, so also on words written
            // twice. (4.10) Σ0 = ROTR^28 ^ ROTR^34 ^ ROTR^39 and (4.11) Σ1 = ROTR^14 ^ ROTR^18 ^ ROTR^41 stand spelt
            // out in the rounds, where a call would cost a fifth of the round.
            function choose(x, y, z) -> result {
                result := xor(z, and(x, xor(y, z)))
            }
            function majority(x, y, z) -> result {
                result := xor(y, and(xor(x, y), xor(y, z)))
            }
            // (4.12) σ0 and (4.13) σ1 of both words of a pair of lanes: rotations take the pair written twice, in
            // which each lane is full, and the plain shift takes the pair itself.
            function smallSigma0(pair, full) -> result {
                result := and(xor(xor(shr(1, full), shr(8, full)), shr(7, pair)), LANES_MASK)
            }
            function smallSigma1(pair, full) -> result {
                result := and(xor(xor(shr(19, full), shr(61, full)), shr(6, pair)), LANES_MASK)
            }
            // W_t = σ1(W_t-2) + W_t-7 + σ0(W_t-15) + W_t-16 (section 6.4.2, step 1) for t and t + 1 at once, as the
            // later one needs W_t-1 at most. `lane` is the address of W_t.
            function extendSchedule(lane) {
                let pair := mload(sub(lane, 0x20))
                let sum := add(smallSigma1(pair, mul(pair, TWICE)), mload(sub(lane, 0x70)))
                pair := mload(sub(lane, 0xf0))
                sum := add(sum, add(smallSigma0(pair, mul(pair, TWICE)), mload(sub(lane, 0x100))))
                mstore(lane, and(sum, LANES_MASK))
            }

            let base := mload(0x40)

            // Initial hash value (section 5.3.5): the first 64 bits of the fractional parts of the square roots of
            // the first eight primes.
            mstore(base, 0x6a09e667f3bcc9086a09e667f3bcc908)
            mstore(add(base, 0x20), 0xbb67ae8584caa73bbb67ae8584caa73b)
            mstore(add(base, 0x40), 0x3c6ef372fe94f82b3c6ef372fe94f82b)
            mstore(add(base, 0x60), 0xa54ff53a5f1d36f1a54ff53a5f1d36f1)
            mstore(add(base, 0x80), 0x510e527fade682d1510e527fade682d1)
            mstore(add(base, 0xa0), 0x9b05688c2b3e6c1f9b05688c2b3e6c1f)
            mstore(add(base, 0xc0), 0x1f83d9abfb41bd6b1f83d9abfb41bd6b)
            mstore(add(base, 0xe0), 0x5be0cd19137e21795be0cd19137e2179)

            // Constants K (section 4.2.3): the same of the cube roots of the first eighty primes, a pair of lanes a line.
            mstore(add(base, 0x640), 0x428a2f98d728ae2200000000000000007137449123ef65cd)
            mstore(add(base, 0x660), 0xb5c0fbcfec4d3b2f0000000000000000e9b5dba58189dbbc)
            mstore(add(base, 0x680), 0x3956c25bf348b538000000000000000059f111f1b605d019)
            mstore(add(base, 0x6a0), 0x923f82a4af194f9b0000000000000000ab1c5ed5da6d8118)
            mstore(add(base, 0x6c0), 0xd807aa98a3030242000000000000000012835b0145706fbe)
            mstore(add(base, 0x6e0), 0x243185be4ee4b28c0000000000000000550c7dc3d5ffb4e2)
            mstore(add(base, 0x700), 0x72be5d74f27b896f000000000000000080deb1fe3b1696b1)
            mstore(add(base, 0x720), 0x9bdc06a725c712350000000000000000c19bf174cf692694)
            mstore(add(base, 0x740), 0xe49b69c19ef14ad20000000000000000efbe4786384f25e3)
            mstore(add(base, 0x760), 0x0fc19dc68b8cd5b50000000000000000240ca1cc77ac9c65)
            mstore(add(base, 0x780), 0x2de92c6f592b027500000000000000004a7484aa6ea6e483)
            mstore(add(base, 0x7a0), 0x5cb0a9dcbd41fbd4000000000000000076f988da831153b5)
            mstore(add(base, 0x7c0), 0x983e5152ee66dfab0000000000000000a831c66d2db43210)
            mstore(add(base, 0x7e0), 0xb00327c898fb213f0000000000000000bf597fc7beef0ee4)
            mstore(add(base, 0x800), 0xc6e00bf33da88fc20000000000000000d5a79147930aa725)
            mstore(add(base, 0x820), 0x06ca6351e003826f0000000000000000142929670a0e6e70)
            mstore(add(base, 0x840), 0x27b70a8546d22ffc00000000000000002e1b21385c26c926)
            mstore(add(base, 0x860), 0x4d2c6dfc5ac42aed000000000000000053380d139d95b3df)
            mstore(add(base, 0x880), 0x650a73548baf63de0000000000000000766a0abb3c77b2a8)
            mstore(add(base, 0x8a0), 0x81c2c92e47edaee6000000000000000092722c851482353b)
            mstore(add(base, 0x8c0), 0xa2bfe8a14cf103640000000000000000a81a664bbc423001)
            mstore(add(base, 0x8e0), 0xc24b8b70d0f897910000000000000000c76c51a30654be30)
            mstore(add(base, 0x900), 0xd192e819d6ef52180000000000000000d69906245565a910)
            mstore(add(base, 0x920), 0xf40e35855771202a0000000000000000106aa07032bbd1b8)
            mstore(add(base, 0x940), 0x19a4c116b8d2d0c800000000000000001e376c085141ab53)
            mstore(add(base, 0x960), 0x2748774cdf8eeb99000000000000000034b0bcb5e19b48a8)
            mstore(add(base, 0x980), 0x391c0cb3c5c95a6300000000000000004ed8aa4ae3418acb)
            mstore(add(base, 0x9a0), 0x5b9cca4f7763e3730000000000000000682e6ff3d6b2b8a3)
            mstore(add(base, 0x9c0), 0x748f82ee5defb2fc000000000000000078a5636f43172f60)
            mstore(add(base, 0x9e0), 0x84c87814a1f0ab7200000000000000008cc702081a6439ec)
            mstore(add(base, 0xa00), 0x90befffa23631e280000000000000000a4506cebde82bde9)
            mstore(add(base, 0xa20), 0xbef9a3f7b2c679150000000000000000c67178f2e372532b)
            mstore(add(base, 0xa40), 0xca273eceea26619c0000000000000000d186b8c721c0c207)
            mstore(add(base, 0xa60), 0xeada7dd6cde0eb1e0000000000000000f57d4f7fee6ed178)
            mstore(add(base, 0xa80), 0x06f067aa72176fba00000000000000000a637dc5a2c898a6)
            mstore(add(base, 0xaa0), 0x113f9804bef90dae00000000000000001b710b35131c471b)
            mstore(add(base, 0xac0), 0x28db77f523047d84000000000000000032caab7b40c72493)
            mstore(add(base, 0xae0), 0x3c9ebe0a15c9bebc0000000000000000431d67c49c100d4c)
            mstore(add(base, 0xb00), 0x4cc5d4becb3e42b60000000000000000597f299cfc657e2a)
            mstore(add(base, 0xb20), 0x5fcb6fab3ad6faec00000000000000006c44198c4a475817)

            // Padding (section 5.1.2): the message, the bit 1, zeros, and the length in bits as a 128-bit number, up
            // to a multiple of 128 bytes. The copy from past the end of the calldata writes the zeros. The length
            // is below 2^61 bytes, so its bits fit the last 8 of the 16 bytes.
            {
                let start := add(base, 0xb40)
                let length := mload(message)
                let end := add(start, and(add(length, 0x90), not(0x7f)))
                let tail := add(start, length)
                mcopy(start, add(message, 0x20), length)
                calldatacopy(tail, calldatasize(), sub(end, tail))
                mstore8(tail, 0x80)
                mstore(sub(end, 0x20), or(mload(sub(end, 0x20)), shl(3, length)))
                mstore(add(base, 0x100), start)
                mstore(add(base, 0x120), end)
            }

            for {} lt(mload(add(base, 0x100)), mload(add(base, 0x120))) {
                mstore(add(base, 0x100), add(mload(add(base, 0x100)), 0x80))
            } {
                // W_0 … W_15: the block's words, four of which come with one MLOAD.
                for {
                    let source := mload(add(base, 0x100))
                    let lane := add(base, 0x140)
                    let last := add(base, 0x240)
                } lt(lane, last) {
                    lane := add(lane, 0x40)
                    source := add(source, 0x20)
                } {
                    let four := mload(source)
                    let firstTwo := shr(128, four)
                    mstore(lane, and(or(shl(64, firstTwo), firstTwo), LANES_MASK))
                    mstore(add(lane, 0x20), or(and(shl(64, four), HIGH_LANE_MASK), and(four, WORD_MASK)))
                }

                let a := mload(base)
                let b := mload(add(base, 0x20))
                let c := mload(add(base, 0x40))
                let d := mload(add(base, 0x60))
                let e := mload(add(base, 0x80))
                let f := mload(add(base, 0xa0))
                let g := mload(add(base, 0xc0))
                let h := mload(add(base, 0xe0))

                // Section 6.4.2, step 3, eight rounds a turn. Instead of moving eight variables on by one place a
                // round, the names move: what is h before a round is a after it, and d is e. A round reads
                //   T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t,   e' = d + T1,   a' = T1 + Σ0(a) + Maj(a, b, c).
                // `word` points 16 bytes before W_t, so that W_t and K_t are the last bytes of what MLOAD reads; the
                // lane before them is garbage above bit 63.
                for {
                    let word := add(base, 0x130)
                } lt(word, add(base, 0x630)) {
                    word := add(word, 0x80)
                } {
                    h := add(add(h, choose(e, f, g)), add(mload(add(word, 0x500)), mload(word)))
                    h := add(h, xor(xor(shr(14, e), shr(18, e)), shr(41, e)))
                    d := twice(add(d, h))
                    h := add(add(h, majority(a, b, c)), xor(xor(shr(28, a), shr(34, a)), shr(39, a)))
                    h := twice(h)

                    g := add(add(g, choose(d, e, f)), add(mload(add(word, 0x510)), mload(add(word, 0x10))))
                    g := add(g, xor(xor(shr(14, d), shr(18, d)), shr(41, d)))
                    c := twice(add(c, g))
                    g := add(add(g, majority(h, a, b)), xor(xor(shr(28, h), shr(34, h)), shr(39, h)))
                    g := twice(g)

                    f := add(add(f, choose(c, d, e)), add(mload(add(word, 0x520)), mload(add(word, 0x20))))
                    f := add(f, xor(xor(shr(14, c), shr(18, c)), shr(41, c)))
                    b := twice(add(b, f))
                    f := add(add(f, majority(g, h, a)), xor(xor(shr(28, g), shr(34, g)), shr(39, g)))
                    f := twice(f)

                    e := add(add(e, choose(b, c, d)), add(mload(add(word, 0x530)), mload(add(word, 0x30))))
                    e := add(e, xor(xor(shr(14, b), shr(18, b)), shr(41, b)))
                    a := twice(add(a, e))
                    e := add(add(e, majority(f, g, h)), xor(xor(shr(28, f), shr(34, f)), shr(39, f)))
                    e := twice(e)

                    d := add(add(d, choose(a, b, c)), add(mload(add(word, 0x540)), mload(add(word, 0x40))))
                    d := add(d, xor(xor(shr(14, a), shr(18, a)), shr(41, a)))
                    h := twice(add(h, d))
                    d := add(add(d, majority(e, f, g)), xor(xor(shr(28, e), shr(34, e)), shr(39, e)))
                    d := twice(d)

                    c := add(add(c, choose(h, a, b)), add(mload(add(word, 0x550)), mload(add(word, 0x50))))
                    c := add(c, xor(xor(shr(14, h), shr(18, h)), shr(41, h)))
                    g := twice(add(g, c))
                    c := add(add(c, majority(d, e, f)), xor(xor(shr(28, d), shr(34, d)), shr(39, d)))
                    c := twice(c)

                    b := add(add(b, choose(g, h, a)), add(mload(add(word, 0x560)), mload(add(word, 0x60))))
                    b := add(b, xor(xor(shr(14, g), shr(18, g)), shr(41, g)))
                    f := twice(add(f, b))
                    b := add(add(b, majority(c, d, e)), xor(xor(shr(28, c), shr(34, c)), shr(39, c)))
                    b := twice(b)

                    a := add(add(a, choose(f, g, h)), add(mload(add(word, 0x570)), mload(add(word, 0x70))))
                    a := add(a, xor(xor(shr(14, f), shr(18, f)), shr(41, f)))
                    e := twice(add(e, a))
                    a := add(add(a, majority(b, c, d)), xor(xor(shr(28, b), shr(34, b)), shr(39, b)))
                    a := twice(a)

                    // With W_t … W_t+7 used, W_t+16 … W_t+23 take their turn, up to W_79.
                    if lt(word, add(base, 0x530)) {
                        extendSchedule(add(word, 0x110))
                        extendSchedule(add(word, 0x130))
                        extendSchedule(add(word, 0x150))
                        extendSchedule(add(word, 0x170))
                    }
                }

                // Section 6.4.2, step 4: the intermediate hash value.
                mstore(base, twice(add(mload(base), a)))
                mstore(add(base, 0x20), twice(add(mload(add(base, 0x20)), b)))
                mstore(add(base, 0x40), twice(add(mload(add(base, 0x40)), c)))
                mstore(add(base, 0x60), twice(add(mload(add(base, 0x60)), d)))
                mstore(add(base, 0x80), twice(add(mload(add(base, 0x80)), e)))
                mstore(add(base, 0xa0), twice(add(mload(add(base, 0xa0)), f)))
                mstore(add(base, 0xc0), twice(add(mload(add(base, 0xc0)), g)))
                mstore(add(base, 0xe0), twice(add(mload(add(base, 0xe0)), h)))
            }

            function packed(pointer) -> result {
                result := or(shl(192, mload(pointer)), shl(128, and(mload(add(pointer, 0x20)), WORD_MASK)))
                result := or(result, shl(64, and(mload(add(pointer, 0x40)), WORD_MASK)))
                result := or(result, and(mload(add(pointer, 0x60)), WORD_MASK))
            }
            high := packed(base)
            low := packed(add(base, 0x80))
        }
    }
}
