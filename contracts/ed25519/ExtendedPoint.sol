// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PrimeField} from "./PrimeField.sol";

/// @notice A point of edwards25519 in extended coordinates: x = X/Z, y = Y/Z and x·y = T/Z (RFC 8032, section 5.1.4). All
/// four are below p, and Z is not 0.
struct ExtendedPoint {
    uint256 x;
    uint256 y;
    uint256 z;
    uint256 t;
}

using ExtendedPointArithmetic for ExtendedPoint global;

/// @title The group of edwards25519
/// @notice Adds and doubles points, one at a time and written to be read. {JointMultiplication} has the same formulas
/// spelt out in one loop, where speed counts.
/// @dev The formulas are those of Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited" (2008), as in RFC
/// 8032, section 5.1.4. They are complete: no pair of points needs a case of its own, equal, opposite, neutral and of
/// small order as they may be.
///
/// Nor does Z ever become 0. Up to factors that are not 0 themselves (2, and Z of the operands), every F and G below is
/// 1 - k or 1 + k with k = d·x1·x2·y1·y2, and k is never ±1 for points of the curve, because -1 is a square mod p and d
/// is none (Bernstein and Lange, "Faster addition and doubling on elliptic curves", 2007, theorem 3.3). Z3 is F·G.
///
/// As coordinates are below p, a sum of two, or one plus (p minus another), is below 2p < 2^256: it needs no reduction
/// before MULMOD takes it, and `unchecked` loses nothing.
library ExtendedPointArithmetic {
    uint256 private constant P = PrimeField.P;

    /// @dev 2·d mod p, with d of {EdwardsCurve}.
    uint256 private constant TWO_D = 0x2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159;

    /// @notice A point given by its coordinates.
    /// @param x x, below p. The caller guarantees that (x, y) is on the curve.
    /// @param y y, below p.
    function fromAffine(uint256 x, uint256 y) internal pure returns (ExtendedPoint memory) {
        return ExtendedPoint({x: x, y: y, z: 1, t: mulmod(x, y, P)});
    }

    /// @notice The sum of two points: add-2008-hwcd-3.
    function plus(
        ExtendedPoint memory left,
        ExtendedPoint memory right
    ) internal pure returns (ExtendedPoint memory sum) {
        unchecked {
            uint256 a = mulmod(left.y + (P - left.x), right.y + (P - right.x), P);
            uint256 b = mulmod(left.y + left.x, right.y + right.x, P);
            uint256 c = mulmod(mulmod(left.t, TWO_D, P), right.t, P);
            uint256 d = mulmod(left.z + left.z, right.z, P);
            uint256 e = b + (P - a);
            uint256 f = d + (P - c);
            uint256 g = d + c;
            uint256 h = b + a;
            sum.x = mulmod(e, f, P);
            sum.y = mulmod(g, h, P);
            sum.z = mulmod(f, g, P);
            sum.t = mulmod(e, h, P);
        }
    }

    /// @notice 2^count times a point: dbl-2008-hwcd for a = -1, again and again.
    /// @dev There E = 2·X·Y, G = Y² - X², F = G - 2·Z² and H = -(X² + Y²). Here f is -F and h is -H, which turns the
    /// signs of all four coordinates, so that the point is the same.
    function doubled(ExtendedPoint memory point, uint256 count) internal pure returns (ExtendedPoint memory multiple) {
        unchecked {
            (uint256 x, uint256 y, uint256 z, uint256 t) = (point.x, point.y, point.z, point.t);
            for (uint256 i = 0; i < count; ++i) {
                uint256 xx = mulmod(x, x, P);
                uint256 yy = mulmod(y, y, P);
                uint256 e = mulmod(x + x, y, P);
                uint256 g = yy + (P - xx);
                uint256 f = addmod(mulmod(z + z, z, P), xx + (P - yy), P);
                uint256 h = yy + xx;
                x = mulmod(e, f, P);
                y = mulmod(g, h, P);
                z = mulmod(f, g, P);
                t = mulmod(e, h, P);
            }
            return ExtendedPoint({x: x, y: y, z: z, t: t});
        }
    }

    /// @notice The opposite of a point.
    function negated(ExtendedPoint memory point) internal pure returns (ExtendedPoint memory) {
        return ExtendedPoint({x: (P - point.x) % P, y: point.y, z: point.z, t: (P - point.t) % P});
    }

    /// @notice Gives all points Z = 1, in place, so that their X and Y are x and y.
    /// @dev Montgomery's trick: one inversion for all. With p_i = Z_0 · … · Z_i, the inverse of Z_i is p_(i-1) / p_i; and
    /// 1/p_(i-1) is Z_i / p_i.
    function normalize(ExtendedPoint[] memory points) internal view {
        unchecked {
            uint256[] memory products = new uint256[](points.length);
            uint256 product = 1;
            for (uint256 i = 0; i < points.length; ++i) {
                products[i] = product;
                product = mulmod(product, points[i].z, P);
            }
            uint256 inverse = PrimeField.inverse(product);
            for (uint256 i = points.length; i != 0;) {
                ExtendedPoint memory point = points[--i];
                uint256 inverseOfZ = mulmod(inverse, products[i], P);
                inverse = mulmod(inverse, point.z, P);
                point.x = mulmod(point.x, inverseOfZ, P);
                point.y = mulmod(point.y, inverseOfZ, P);
                point.z = 1;
                point.t = mulmod(point.x, point.y, P);
            }
        }
    }
}
