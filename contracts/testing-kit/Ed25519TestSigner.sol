// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EdwardsCurve} from "../ed25519/EdwardsCurve.sol";
import {JointMultiplication} from "../ed25519/JointMultiplication.sol";
import {LittleEndian} from "../ed25519/LittleEndian.sol";
import {PrimeField} from "../ed25519/PrimeField.sol";
import {Sha512} from "../ed25519/Sha512.sol";
import {Ed25519TestSignature, IEd25519TestSigner} from "./IEd25519TestSigner.sol";

/// @title Signs with Ed25519 (RFC 8032, sections 5.1.5 and 5.1.6), for tests only
/// @dev Never with a key that matters: whatever the EVM computes, everybody sees.
///
///      A contract, and not a library, so that the tests of others need neither compile this nor the compiler settings
///      that it takes.
contract Ed25519TestSigner is IEd25519TestSigner {
    uint256 private constant P = PrimeField.P;
    uint256 private constant L = EdwardsCurve.ORDER;

    /// @dev 2^256 mod L.
    uint256 private constant TWO_256_MOD_L = 0x0ffffffffffffffffffffffffffffffec6ef5bf4737dcf70d6ec31748d98951d;
    /// @dev Bits 3 to 253 of a hashed seed count, and bit 254 is set.
    uint256 private constant SCALAR_MASK = (1 << 254) - 8;
    uint256 private constant SCALAR_TOP = 1 << 254;

    /// @inheritdoc IEd25519TestSigner
    bytes32 public immutable override SEED;
    /// @inheritdoc IEd25519TestSigner
    bytes32 public immutable override PUBLIC_KEY;

    /// @dev The secret scalar, modulo L.
    uint256 private immutable SCALAR;
    /// @dev What nonces are derived from.
    bytes32 private immutable PREFIX;

    constructor(bytes32 seed) {
        (bytes32 high, bytes32 low) = Sha512.hash(abi.encodePacked(seed));
        // B is of order L, so that the scalar may be reduced.
        uint256 scalar = ((LittleEndian.decode(high) & SCALAR_MASK) | SCALAR_TOP) % L;
        (bytes32 publicKey, ) = _multipleOfBase(scalar);
        (SEED, PUBLIC_KEY, SCALAR, PREFIX) = (seed, publicKey, scalar, low);
    }

    /// @inheritdoc IEd25519TestSigner
    function sign(bytes calldata message) external view override returns (Ed25519TestSignature memory signature) {
        uint256 nonce = _hashModuloOrder(abi.encodePacked(PREFIX, message));
        (signature.r, signature.xOfR) = _multipleOfBase(nonce);
        uint256 h = _hashModuloOrder(abi.encodePacked(signature.r, PUBLIC_KEY, message));
        signature.s = LittleEndian.encode(addmod(nonce, mulmod(h, SCALAR, L), L));
    }

    /// @dev The encoding of scalar · B, and its x.
    function _multipleOfBase(uint256 scalar) private view returns (bytes32 encoding, uint256 x) {
        (uint256 projectiveX, uint256 projectiveY, uint256 projectiveZ) = JointMultiplication.multiply(
            scalar,
            0,
            EdwardsCurve.BASE_X,
            EdwardsCurve.BASE_Y
        );
        uint256 inverseOfZ = PrimeField.inverse(projectiveZ);
        x = mulmod(projectiveX, inverseOfZ, P);
        encoding = LittleEndian.encode(mulmod(projectiveY, inverseOfZ, P) | (x << 255));
    }

    /// @dev A digest is a number of 512 bits, lowest byte first, so its second half counts 2^256 times.
    function _hashModuloOrder(bytes memory message) private pure returns (uint256) {
        (bytes32 high, bytes32 low) = Sha512.hash(message);
        return addmod(mulmod(LittleEndian.decode(low), TWO_256_MOD_L, L), LittleEndian.decode(high), L);
    }
}
