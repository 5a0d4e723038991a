// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title s·B + h·Q on edwards25519
/// @notice Multiplies the base point and another point at once: Straus' method (also called Shamir's trick) with windows
/// of two bits. Two doublings and one addition serve two bits of both scalars.
/// @dev Points are kept in extended twisted Edwards coordinates (X, Y, Z, T), x = X/Z, y = Y/Z, x·y = T/Z (RFC 8032,
/// section 5.1.4; Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited", 2008). The formulas are complete:
/// they hold for all points of the curve, equal, opposite, neutral and of small order alike, and Z is never 0, because
/// -1 is a square mod p and d is not.
///
/// All coordinates stay below p, so that a sum of two, or one plus (p minus another), fits 256 bits unreduced.
library JointMultiplication {
    uint256 private constant P = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed;

    /// @dev 2·d mod p.
    uint256 private constant TWO_D = 0x2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159;

    // The base point B of RFC 8032, table 1, and 2·B and 3·B, each as y - x, y + x and 2·d·x·y. B has
    // x = 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a and y = 4/5
    //   = 0x6666666666666666666666666666666666666666666666666666666666666658.
    uint256 private constant B1_Y_MINUS_X = 0x44fd2f9298f81267a5c18434688f8a09fd399f05d140beb39d103905d740913e;
    uint256 private constant B1_Y_PLUS_X = 0x07cf9d3a33d4ba65270b4898643d42c2cf932dc6fb8c0e192fbc93c6f58c3b85;
    uint256 private constant B1_TWO_D_X_Y = 0x6f117b689f0c65a85a1b7dcbdd43598c26d9e823ccaac49eabc91205877aaa68;
    uint256 private constant B2_Y_MINUS_X = 0x6bb595a669c92555e09e236bb16e37aa8f2b810c4e60acf68a99a56042b4d5a8;
    uint256 private constant B2_Y_PLUS_X = 0x590c063fa87d2e2e5aa69a65e1d607029f469d967a0ff5b59224e7fc933c71d7;
    uint256 private constant B2_TWO_D_X_Y = 0x701af5b13ea50b73500fa0840b3d6a3136c16bdd5d9acf7843faa8b3a59b7a5f;
    uint256 private constant B3_Y_MINUS_X = 0x2ab91587555bda628131f31a214bd6bd3bd353fde5c1ba7d56611fe8a4fcd265;
    uint256 private constant B3_Y_PLUS_X = 0x7a164e1b9a80f8f4c11b50029f016732025a8430e8864b8aaf25b0a84cee9730;
    uint256 private constant B3_TWO_D_X_Y = 0x5a2826af12b9b4c6d170e5458cf2db4c589423221c35da6214ae933f0dd0d889;

    /// @notice s·B + h·Q, in projective coordinates below p.
    /// @dev The scalars are taken as integers, not modulo L, so the result is right for a Q of any order.
    /// @param s The base point's scalar, below 2^254.
    /// @param h The scalar of Q, below 2^254.
    /// @param qx x of Q, below p. The caller guarantees that Q is on the curve.
    /// @param qy y of Q, below p.
    /// @return projectiveX X of the result: its x is X/Z.
    /// @return projectiveY Y of the result: its y is Y/Z.
    /// @return projectiveZ Z of the result, never 0.
    function multiply(
        uint256 s,
        uint256 h,
        uint256 qx,
        uint256 qy
    ) internal pure returns (uint256 projectiveX, uint256 projectiveY, uint256 projectiveZ) {
        assembly ("memory-safe") {
            // stack: s, h, qx, qy and the three results. Memory-safe: writes only the table, past the free memory pointer.
            //
            // Writes (X, Y, Z, T) to the table, in the form that additions use: Y - X, Y + X, 2·d·T, 2·Z.
            function store(entry, x, y, z, t) {
                mstore(entry, add(y, sub(P, x)))
                mstore(add(entry, 0x20), add(y, x))
                mstore(add(entry, 0x40), mulmod(t, TWO_D, P))
                mstore(add(entry, 0x60), add(z, z))
            }
            // (X, Y, Z, T) plus a table entry: add-2008-hwcd-3, as in RFC 8032, section 5.1.4.
            function sum(x1, y1, z1, t1, entry) -> x3, y3, z3, t3 {
                let a := mulmod(add(y1, sub(P, x1)), mload(entry), P)
                let b := mulmod(add(y1, x1), mload(add(entry, 0x20)), P)
                let c := mulmod(t1, mload(add(entry, 0x40)), P)
                let d := mulmod(z1, mload(add(entry, 0x60)), P)
                let e := add(b, sub(P, a))
                let f := add(d, sub(P, c))
                let g := add(d, c)
                b := add(b, a)
                x3 := mulmod(e, f, P)
                y3 := mulmod(g, b, P)
                z3 := mulmod(f, g, P)
                t3 := mulmod(e, b, P)
            }

            // The table, past the free memory pointer, which is left where it is: i·B + j·Q for i, j in 0 … 3 at
            // 0x200·j + 0x80·i.
            let table := mload(0x40)

            // j = 0: the neutral point (0, 1, 1, 0), B, 2·B and 3·B.
            mstore(table, 1)
            mstore(add(table, 0x20), 1)
            mstore(add(table, 0x40), 0)
            mstore(add(table, 0x60), 2)
            mstore(add(table, 0x80), B1_Y_MINUS_X)
            mstore(add(table, 0xa0), B1_Y_PLUS_X)
            mstore(add(table, 0xc0), B1_TWO_D_X_Y)
            mstore(add(table, 0xe0), 2)
            mstore(add(table, 0x100), B2_Y_MINUS_X)
            mstore(add(table, 0x120), B2_Y_PLUS_X)
            mstore(add(table, 0x140), B2_TWO_D_X_Y)
            mstore(add(table, 0x160), 2)
            mstore(add(table, 0x180), B3_Y_MINUS_X)
            mstore(add(table, 0x1a0), B3_Y_PLUS_X)
            mstore(add(table, 0x1c0), B3_TWO_D_X_Y)
            mstore(add(table, 0x1e0), 2)

            // j = 1, 2, 3: (x, y, z, t) is j·Q, and B, 2·B and 3·B are added to it in turn.
            {
                let x := qx
                let y := qy
                let z := 1
                let t := mulmod(qx, qy, P)
                let firstRow := table
                for {
                    let row := add(firstRow, 0x200)
                } 1 {} {
                    store(row, x, y, z, t)
                    for {
                        let offset := 0x80
                    } lt(offset, 0x200) {
                        offset := add(offset, 0x80)
                    } {
                        let x3, y3, z3, t3 := sum(x, y, z, t, add(firstRow, offset))
                        store(add(row, offset), x3, y3, z3, t3)
                    }
                    row := add(row, 0x200)
                    if eq(row, add(firstRow, 0x800)) {
                        break
                    }
                    x, y, z, t := sum(x, y, z, t, add(firstRow, 0x200))
                }
            }

            // From the highest two bits of both scalars to the lowest: R = 4·R + (i·B + j·Q), from R neutral. T is
            // computed only where the next step, an addition, reads it.
            let x := 0
            let y := 1
            let z := 1
            for {
                let shift := 254
            } shift {} {
                shift := sub(shift, 2)

                // R = 2·R: dbl-2008-hwcd with a = -1, in which E = 2·X·Y, G = Y² - X², F = G - 2·Z² and
                // H = -(X² + Y²). Here f is -F and b ends as -H, which turns the signs of all of X, Y, Z and T, so that
                // the point is the same. Only F needs a reduction before it is multiplied.
                let a := mulmod(x, x, P)
                let b := mulmod(y, y, P)
                let e := mulmod(add(x, x), y, P)
                let g := add(b, sub(P, a))
                let f := addmod(add(mulmod(add(z, z), z, P), a), sub(P, b), P)
                b := add(b, a)
                x := mulmod(e, f, P)
                y := mulmod(g, b, P)
                z := mulmod(f, g, P)

                // R = 2·R, with T = E·H.
                a := mulmod(x, x, P)
                b := mulmod(y, y, P)
                e := mulmod(add(x, x), y, P)
                g := add(b, sub(P, a))
                f := addmod(add(mulmod(add(z, z), z, P), a), sub(P, b), P)
                b := add(b, a)
                x := mulmod(e, f, P)
                y := mulmod(g, b, P)
                z := mulmod(f, g, P)
                let t := mulmod(e, b, P)

                // R = R + (i·B + j·Q): as in `sum`.
                let entry := add(table, add(shl(7, and(shr(shift, s), 3)), shl(9, and(shr(shift, h), 3))))
                a := mulmod(add(y, sub(P, x)), mload(entry), P)
                b := mulmod(add(y, x), mload(add(entry, 0x20)), P)
                t := mulmod(t, mload(add(entry, 0x40)), P)
                z := mulmod(z, mload(add(entry, 0x60)), P)
                e := add(b, sub(P, a))
                f := add(z, sub(P, t))
                g := add(z, t)
                b := add(b, a)
                x := mulmod(e, f, P)
                y := mulmod(g, b, P)
                z := mulmod(f, g, P)
            }
            projectiveX := x
            projectiveY := y
            projectiveZ := z
        }
    }
}
