// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EdwardsCurve, PointEncoding} from "./EdwardsCurve.sol";
import {JointMultiplication} from "./JointMultiplication.sol";
import {LittleEndian} from "./LittleEndian.sol";
import {PrimeField} from "./PrimeField.sol";
import {Sha512} from "./Sha512.sol";

/// @notice The outcome of a verification. The default value is the safe one.
enum Ed25519Verdict {
    /// @dev The signature does not belong to this message and key, or is no signature at all.
    InvalidSignature,
    /// @dev The signature belongs to this message and key.
    Valid,
    /// @dev The x that came as a hint is not the x of R; of the signature this says nothing. If R encodes no point, every
    /// hint is wrong.
    WrongHint
}

/// @notice A public key that {Ed25519.decodePublicKey} has checked.
struct Ed25519PublicKey {
    /// @dev A as the 32 bytes of RFC 8032.
    bytes32 encoding;
    /// @dev x of -A, the point that verification adds h times.
    uint256 negatedX;
    /// @dev y of A and of -A.
    uint256 y;
}

/// @title Ed25519
/// @notice Verifies Ed25519 signatures (RFC 8032, section 5.1.7; the plain variant, no context, no prehash).
///
/// Accepted is exactly this: A and R in their canonical encodings, A of prime order, S < L, and the encoding of
/// S·B - h·A equal to R byte for byte, with h = SHA-512(R, A, message) mod L. That is the equation without the cofactor.
/// Comparing bytes makes R's canonicity a consequence: whatever is not an encoding equals none.
/// @dev All of S, R, A and the message are public, so nothing here takes care to run in constant time.
library Ed25519 {
    uint256 private constant P = PrimeField.P;
    uint256 private constant L = EdwardsCurve.ORDER;

    /// @dev 2^256 mod L.
    uint256 private constant TWO_256_MOD_L = 0x0ffffffffffffffffffffffffffffffec6ef5bf4737dcf70d6ec31748d98951d;

    /// @notice The 32 bytes are not the one encoding of a point: y is not below p, or x is 0 and its sign bit 1.
    error NonCanonicalPublicKey(bytes32 publicKey);
    /// @notice The curve has no point with this y.
    error PublicKeyNotOnCurve(bytes32 publicKey);
    /// @notice The point is not of order L: it is one of the eight of small order, or has one of them as a component.
    error PublicKeyNotPrimeOrder(bytes32 publicKey);

    /// @notice Decodes a public key and checks all that verification relies on. Reverts if it finds fault.
    /// @dev Costs a full multiplication; meant to be done once for a key.
    /// @param publicKey Any 32 bytes.
    /// @return key The key in the form that verification takes.
    function decodePublicKey(bytes32 publicKey) internal view returns (Ed25519PublicKey memory key) {
        (PointEncoding outcome, uint256 x, uint256 y) = EdwardsCurve.decode(publicKey);
        require(outcome != PointEncoding.NonCanonical, NonCanonicalPublicKey(publicKey));
        require(outcome == PointEncoding.Point, PublicKeyNotOnCurve(publicKey));
        require(_isOfPrimeOrder(x, y), PublicKeyNotPrimeOrder(publicKey));
        // x is not 0: only points of order 1 and 2 have that.
        return Ed25519PublicKey({encoding: publicKey, negatedX: P - x, y: y});
    }

    /// @notice Verifies a signature.
    /// @dev Reverts with {PrimeField.ModularExponentiationFailed} if the gas does not suffice for the inversion.
    /// @param key A checked public key.
    /// @param message The signed bytes.
    /// @param r The first 32 bytes of the signature.
    /// @param s The last 32 bytes of the signature.
    /// @return `Valid` or `InvalidSignature`.
    function verify(
        Ed25519PublicKey memory key,
        bytes memory message,
        bytes32 r,
        bytes32 s
    ) internal view returns (Ed25519Verdict) {
        uint256 scalar = LittleEndian.decode(s);
        if (scalar >= L) return Ed25519Verdict.InvalidSignature;
        (uint256 x, uint256 y, uint256 z) = _recoverR(key, message, r, scalar);
        return EdwardsCurve.encode(x, y, z) == r ? Ed25519Verdict.Valid : Ed25519Verdict.InvalidSignature;
    }

    /// @notice Verifies a signature whose R is already decoded by the caller, who need not be trusted: with x known,
    /// points are compared without an inversion.
    /// @dev The hint is checked first and apart from everything else, so `WrongHint` depends on r and `xOfR` only.
    /// A right hint means that r is the canonical encoding of the point (xOfR, y) of the curve; then the encoding of
    /// (X/Z, Y/Z) equals r if and only if X = xOfR·Z and Y = y·Z, and this answers as {verify} does.
    /// @param key A checked public key.
    /// @param message The signed bytes.
    /// @param r The first 32 bytes of the signature.
    /// @param s The last 32 bytes of the signature.
    /// @param xOfR x of the point R.
    /// @return `Valid`, `InvalidSignature` or `WrongHint`.
    function verifyWithHint(
        Ed25519PublicKey memory key,
        bytes memory message,
        bytes32 r,
        bytes32 s,
        uint256 xOfR
    ) internal pure returns (Ed25519Verdict) {
        (uint256 yOfR, uint256 sign) = EdwardsCurve.split(r);
        // x = 0 with sign bit 1 fails on the sign; p, which would stand for 0 with a lowest bit of 1, on the bound.
        bool isRight = xOfR < P && yOfR < P && xOfR & 1 == sign && EdwardsCurve.isOnCurve(xOfR, yOfR);
        if (!isRight) return Ed25519Verdict.WrongHint;

        uint256 scalar = LittleEndian.decode(s);
        if (scalar >= L) return Ed25519Verdict.InvalidSignature;
        (uint256 x, uint256 y, uint256 z) = _recoverR(key, message, r, scalar);
        bool isEqual = x == mulmod(xOfR, z, P) && y == mulmod(yOfR, z, P);
        return isEqual ? Ed25519Verdict.Valid : Ed25519Verdict.InvalidSignature;
    }

    /// @dev S·B - h·A, in projective coordinates below p: the only point that R may be.
    function _recoverR(
        Ed25519PublicKey memory key,
        bytes memory message,
        bytes32 r,
        uint256 scalar
    ) private pure returns (uint256 x, uint256 y, uint256 z) {
        (bytes32 high, bytes32 low) = Sha512.hash(abi.encodePacked(r, key.encoding, message));
        // The digest is a number of 512 bits, lowest byte first, so its second half counts 2^256 times. A is of order L,
        // which is why h may be reduced.
        uint256 h = addmod(mulmod(LittleEndian.decode(low), TWO_256_MOD_L, L), LittleEndian.decode(high), L);
        return JointMultiplication.multiply(scalar, h, key.negatedX, key.y);
    }

    /// @dev Whether L times the point is the neutral point (0, 1), and the point itself is not. With L prime, its order is
    /// L then.
    function _isOfPrimeOrder(uint256 x, uint256 y) private pure returns (bool) {
        if (x == 0 && y == 1) return false;
        (uint256 projectiveX, uint256 projectiveY, uint256 projectiveZ) = JointMultiplication.multiply(0, L, x, y);
        return projectiveX == 0 && projectiveY == projectiveZ;
    }
}
