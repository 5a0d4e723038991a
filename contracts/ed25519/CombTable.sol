// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EdwardsCurve} from "./EdwardsCurve.sol";
import {ExtendedPoint, ExtendedPointArithmetic} from "./ExtendedPoint.sol";
import {PrimeField} from "./PrimeField.sol";

/// @notice The shape of a comb: how the bits of a scalar are laid out. {CombTable} says what the numbers mean.
struct CombShape {
    /// @dev D, the length of a row in bits.
    uint256 columns;
    /// @dev T, the rows that one table serves.
    uint256 teeth;
    /// @dev Q, the tables. D·T·Q, the bits of the comb, is 252 or more.
    uint256 tables;
}

/// @title Tables of a fixed-base signed comb
/// @notice Derives from a point P of order L all that makes multiplying it cheap. (P is the point in this text; the prime
/// is p.)
///
/// The comb. Let the n = D·T·Q bits c_j of a number c stand for digits that are never 0: a bit of 1 for 1, and a bit of 0
/// for -1. Their value is
///
///     Σ_j (2·c_j - 1)·2^j = 2·c - (2^n - 1).
///
/// Modulo the odd L, every scalar is the value of one c. Cut the bits into T·Q rows of D, the lowest first, and write
/// the rows one under another. The T digits that a column has in rows T·q … T·q + T - 1 add up to 2^column times
///
///     ±2^(D·(T-1))·P_q ± … ± 2^D·P_q ± P_q    with    P_q = 2^(D·T·q)·P.
///
/// Table q has these sums ready. Half of them are the negatives of the others, so those are enough in which the highest
/// digit is 1: 2^(T-1) entries. Multiplying then goes through the columns, the highest first; for each it doubles once
/// and adds, from each of the Q tables, an entry or its negative. (Lim and Lee, "More flexible exponentiation with
/// precomputation", 1994; with digits that are never 0: Hamburg, "Fast and compact elliptic-curve cryptography", 2012.)
///
/// An entry. Entry i of table q, i having the bits i_0 … i_(T-2), is the point
///
///     (x, y) = 2^(D·(T-1))·P_q + Σ_(t < T-1) (1 - 2·i_t)·2^(D·t)·P_q,
///
/// so that a bit of 1 in i is a digit of -1. It is kept as five words mod p, each below p:
///
///     (y + x)/2,  -d·x·y,  (y - x)/2,  d·x·y,  (y + x)/2.
///
/// To add (x, y) takes the last three. To add its negative (-x, y) takes the same three of -x, and those are the first
/// three. So a sign is an offset of 64 bytes. All three are half of what the formula add-2008-hwcd-3 has in their
/// place (y - x, 2·d·x·y, y + x), and with Z for 2·Z it comes to half of its E, F, G and H. That makes a quarter of each
/// coordinate: the same point, without doubling Z.
///
/// Corrections. c is found modulo L, which is a little more than 2^252: one scalar in 2^127 has a c with bit 252. A comb of
/// 252 bits has no place for that bit, which is worth 2·2^252: then 2^253·P has to be added in the end. A larger comb has
/// the place, and needs no corrections.
/// @dev All of this is about public points: nothing here takes care to run in constant time.
library CombTable {
    /// @dev The inverse of 2 mod p: (p + 1)/2.
    uint256 private constant HALF = (PrimeField.P + 1) / 2;

    /// @dev Five words.
    uint256 private constant ENTRY_LENGTH = 160;

    /// @notice Derives the tables and the corrections of a point.
    /// @dev The caller guarantees that the point is on the curve. Reverts with
    /// {PrimeField.ModularExponentiationFailed} if the gas does not suffice for the inversion.
    /// @param shape The comb's shape.
    /// @param x x of P, below p.
    /// @param y y of P, below p.
    /// @return tables The entries of table 0, then those of table 1, and so on: Q·2^(T-1) of 160 bytes each.
    /// @return corrections What subtracting 2^253·P takes, and what subtracting 2^253·(B + P) takes, with the base point B:
    /// the first three words of their entries. The first is for a c of P with bit 252. The second is for the c of B, where B
    /// is multiplied along with P, having it too. None if the comb has a place for that bit.
    function derive(
        CombShape memory shape,
        uint256 x,
        uint256 y
    ) internal view returns (bytes memory tables, bytes memory corrections) {
        unchecked {
            (ExtendedPoint[] memory teeth, ExtendedPoint[] memory doubledTeeth) = _teeth(shape, x, y);

            uint256 tableLength = 1 << (shape.teeth - 1);
            uint256 length = shape.tables * tableLength;
            bool needsCorrections = shape.columns * shape.teeth * shape.tables == 252;
            ExtendedPoint[] memory points = new ExtendedPoint[](needsCorrections ? length + 2 : length);
            for (uint256 table = 0; table < shape.tables; ++table) {
                uint256 row = table * shape.teeth;
                uint256 first = table * tableLength;
                // Entry 0 has digits of 1 only.
                points[first] = teeth[row];
                for (uint256 t = 1; t < shape.teeth; ++t) points[first] = points[first].plus(teeth[row + t]);
                // An entry whose highest bit is t is the one without that bit, less twice the tooth: 1 becomes -1.
                for (uint256 t = 0; t < shape.teeth - 1; ++t) {
                    ExtendedPoint memory change = doubledTeeth[row + t].negated();
                    uint256 count = 1 << t;
                    for (uint256 i = 0; i < count; ++i) points[first + count + i] = points[first + i].plus(change);
                }
            }

            if (needsCorrections) {
                // The last row begins with bit 252 - D, so that its tooth doubled D + 1 times is 2^253·P.
                points[length] = doubledTeeth[doubledTeeth.length - 1].doubled(shape.columns);
                points[length + 1] = points[length].plus(_base().doubled(253));
            }

            ExtendedPointArithmetic.normalize(points);
            tables = _encodeEntries(points, length);
            if (needsCorrections) corrections = _encodeCorrections(points[length], points[length + 1]);
        }
    }

    /// @dev The tooth 2^(D·row)·P of each row, and its double.
    function _teeth(
        CombShape memory shape,
        uint256 x,
        uint256 y
    ) private pure returns (ExtendedPoint[] memory teeth, ExtendedPoint[] memory doubledTeeth) {
        unchecked {
            uint256 rows = shape.teeth * shape.tables;
            teeth = new ExtendedPoint[](rows);
            doubledTeeth = new ExtendedPoint[](rows);
            ExtendedPoint memory tooth = ExtendedPointArithmetic.fromAffine(x, y);
            for (uint256 row = 0; row < rows; ++row) {
                teeth[row] = tooth;
                doubledTeeth[row] = tooth.doubled(1);
                tooth = doubledTeeth[row].doubled(shape.columns - 1);
            }
        }
    }

    /// @dev The entries of the first points, all of which have Z = 1.
    function _encodeEntries(ExtendedPoint[] memory points, uint256 length) private pure returns (bytes memory entries) {
        unchecked {
            entries = new bytes(length * ENTRY_LENGTH);
            for (uint256 i = 0; i < length; ++i) {
                (uint256 halfOfSum, uint256 negatedProduct, uint256 halfOfDifference, uint256 product) = _words(
                    points[i]
                );
                assembly ("memory-safe") {
                    // stack: entries, length, i, and the words of entry i. Memory-safe: the bytes allocated above have a
                    // place of ENTRY_LENGTH bytes for every i below the length.
                    let entry := add(add(entries, 0x20), mul(i, ENTRY_LENGTH))
                    mstore(entry, halfOfSum)
                    mstore(add(entry, 0x20), negatedProduct)
                    mstore(add(entry, 0x40), halfOfDifference)
                    mstore(add(entry, 0x60), product)
                    mstore(add(entry, 0x80), halfOfSum)
                }
            }
        }
    }

    /// @dev The first three words of the entries of both points, which have Z = 1.
    function _encodeCorrections(
        ExtendedPoint memory one,
        ExtendedPoint memory other
    ) private pure returns (bytes memory corrections) {
        (uint256 halfOfSum, uint256 negatedProduct, uint256 halfOfDifference, ) = _words(one);
        corrections = abi.encode(halfOfSum, negatedProduct, halfOfDifference);
        (halfOfSum, negatedProduct, halfOfDifference, ) = _words(other);
        return bytes.concat(corrections, abi.encode(halfOfSum, negatedProduct, halfOfDifference));
    }

    /// @dev The first four words of an entry; the fifth is the first. The point has Z = 1.
    function _words(
        ExtendedPoint memory point
    ) private pure returns (uint256 halfOfSum, uint256 negatedProduct, uint256 halfOfDifference, uint256 product) {
        unchecked {
            halfOfSum = mulmod(point.y + point.x, HALF, PrimeField.P);
            halfOfDifference = mulmod(point.y + (PrimeField.P - point.x), HALF, PrimeField.P);
            product = mulmod(EdwardsCurve.D, point.t, PrimeField.P);
            negatedProduct = product == 0 ? 0 : PrimeField.P - product;
        }
    }

    /// @dev B.
    function _base() private pure returns (ExtendedPoint memory) {
        return ExtendedPointArithmetic.fromAffine(EdwardsCurve.BASE_X, EdwardsCurve.BASE_Y);
    }
}
