// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LittleEndian} from "./LittleEndian.sol";
import {PrimeField} from "./PrimeField.sol";

/// @notice What 32 bytes stand for, read as a point (RFC 8032, section 5.1.3).
enum PointEncoding {
    /// @dev The number is not below p, or x is 0 and its sign bit is 1: a point has one encoding, and this is none.
    NonCanonical,
    /// @dev The curve has no point with this y.
    NotOnCurve,
    /// @dev A point of the curve, of whatever order.
    Point
}

/// @title edwards25519
/// @notice The curve -x² + y² = 1 + d·x²·y² over the field of p elements, and the encoding of its points as 32 bytes
/// (RFC 8032, sections 5.1, 5.1.2 and 5.1.3). Points have affine coordinates x and y here, both below p.
library EdwardsCurve {
    uint256 private constant P = PrimeField.P;

    /// @notice d = -121665/121666 mod p
    /// = 37095705934669439343138083508754565189542113879843219016388785533085940283555 (RFC 8032, table 1).
    uint256 internal constant D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3;

    /// @notice L, the prime order of the base point: 2^252 + 27742317777372353535851937790883648493 (RFC 8032, table 1).
    /// @dev The curve has 8·L points.
    uint256 internal constant ORDER = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed;

    /// @notice x of the base point B (RFC 8032, table 1).
    uint256 internal constant BASE_X = 0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a;

    /// @notice y of the base point B, 4/5 mod p (RFC 8032, table 1).
    uint256 internal constant BASE_Y = 0x6666666666666666666666666666666666666666666666666666666666666658;

    /// @dev 2^((p-1)/4) mod p, a square root of -1 (RFC 8032, section 5.1.3).
    uint256 private constant SQRT_MINUS_1 = 0x2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0;

    /// @dev (p - 5) / 8 = 2^252 - 3.
    uint256 private constant P_MINUS_5_OVER_8 = 0x0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd;

    /// @dev An encoding is y in bits 0–254 and the lowest bit of x, its sign, in bit 255.
    uint256 private constant Y_MASK = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;

    /// @notice Whether a pair of coordinates satisfies the curve equation.
    /// @param x The first, below p.
    /// @param y The second, below p.
    /// @return Whether (x, y) is a point of the curve.
    function isOnCurve(uint256 x, uint256 y) internal pure returns (bool) {
        unchecked {
            uint256 xx = mulmod(x, x, P);
            uint256 yy = mulmod(y, y, P);
            return addmod(yy, P - xx, P) == addmod(1, mulmod(mulmod(D, xx, P), yy, P), P);
        }
    }

    /// @notice Decodes a point (RFC 8032, section 5.1.3), in its strict reading: what is not the one encoding of a point
    /// is told apart from the encodings of points.
    /// @param encoding Any 32 bytes.
    /// @return outcome What the bytes are; x and y mean something only if this is `Point`.
    /// @return x The point's first coordinate, below p.
    /// @return y The point's second coordinate, below p.
    function decode(bytes32 encoding) internal view returns (PointEncoding outcome, uint256 x, uint256 y) {
        uint256 sign;
        (y, sign) = split(encoding);
        if (y >= P) return (PointEncoding.NonCanonical, 0, 0);
        unchecked {
            // x² = u/v with u = y² - 1 and v = d·y² + 1. v is never 0, because -1/d is no square.
            uint256 u = mulmod(y, y, P);
            uint256 v = addmod(mulmod(D, u, P), 1, P);
            u = addmod(u, P - 1, P);

            // Step 2: the candidate root x = u·v³·(u·v⁷)^((p-5)/8), for which v·x² is u, -u, or ±√-1·u.
            uint256 v3 = mulmod(mulmod(v, v, P), v, P);
            uint256 v7 = mulmod(mulmod(v3, v3, P), v, P);
            x = mulmod(mulmod(u, v3, P), PrimeField.power(mulmod(u, v7, P), P_MINUS_5_OVER_8), P);

            // Step 3: u is a multiple of v·x² by 1 or by -1, or else u/v has no root.
            uint256 vxx = mulmod(v, mulmod(x, x, P), P);
            if (vxx != u) {
                if (addmod(vxx, u, P) != 0) return (PointEncoding.NotOnCurve, 0, 0);
                x = mulmod(x, SQRT_MINUS_1, P);
            }

            // Step 4: of the roots x and -x, the one whose lowest bit is the sign. 0 has no other.
            if (x == 0 && sign == 1) return (PointEncoding.NonCanonical, 0, 0);
            if (x & 1 != sign) x = P - x;
            return (PointEncoding.Point, x, y);
        }
    }

    /// @notice The encoding (RFC 8032, section 5.1.2) of the point (X/Z, Y/Z).
    /// @param projectiveX X, below p.
    /// @param projectiveY Y, below p.
    /// @param projectiveZ Z, below p and not 0.
    /// @return The 32 bytes.
    function encode(uint256 projectiveX, uint256 projectiveY, uint256 projectiveZ) internal view returns (bytes32) {
        uint256 inverseOfZ = PrimeField.inverse(projectiveZ);
        uint256 x = mulmod(projectiveX, inverseOfZ, P);
        uint256 y = mulmod(projectiveY, inverseOfZ, P);
        return LittleEndian.encode(y | (x << 255));
    }

    /// @notice The parts of an encoding.
    /// @param encoding Any 32 bytes.
    /// @return y The lower 255 bits, which may be p or more.
    /// @return sign The highest bit: the lowest bit of x, if this encodes a point.
    function split(bytes32 encoding) internal pure returns (uint256 y, uint256 sign) {
        uint256 number = LittleEndian.decode(encoding);
        return (number & Y_MASK, number >> 255);
    }
}
