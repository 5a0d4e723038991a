// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title The field of edwards25519
/// @notice Powers modulo p = 2^255 - 19 (RFC 8032, section 5.1, table 1).
/// @dev Elements are numbers below p. Since 2p < 2^256, a sum of two elements, or x + (p - y) for x - y, fits a word and
/// may be handed to MULMOD as it is; code that adds elements counts on this.
library PrimeField {
    /// @notice p = 2^255 - 19
    /// = 57896044618658097711785492504343953926634992332820282019728792003956564819949.
    uint256 internal constant P = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed;

    /// @dev p - 2, the exponent that inverts: x^(p-2) · x = x^(p-1) = 1 for every x but 0.
    uint256 private constant P_MINUS_2 = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeb;

    /// @dev The MODEXP precompile (EIP-198).
    uint256 private constant MODEXP = 5;

    /// @notice The MODEXP precompile did not answer: out of gas, or a chain that has none.
    /// @dev Reverting here is what keeps a starved call from ever saying that a signature is wrong.
    error ModularExponentiationFailed();

    /// @notice base^exponent mod p.
    /// @param base Any number.
    /// @param exponent Any number.
    /// @return result The power, below p.
    function power(uint256 base, uint256 exponent) internal view returns (uint256 result) {
        bool answered;
        assembly ("memory-safe") {
            // stack: base, exponent, result, answered. Input of EIP-198: three lengths, then base, exponent and modulus, all 32 bytes; past the free memory
            // pointer, which is left where it is. The result goes to the scratch space.
            let input := mload(0x40)
            mstore(input, 0x20)
            mstore(add(input, 0x20), 0x20)
            mstore(add(input, 0x40), 0x20)
            mstore(add(input, 0x60), base)
            mstore(add(input, 0x80), exponent)
            mstore(add(input, 0xa0), P)
            answered := staticcall(gas(), MODEXP, input, 0xc0, 0x00, 0x20)
            // An address without code "succeeds" and returns nothing.
            answered := and(answered, eq(returndatasize(), 0x20))
            result := mload(0x00)
        }
        require(answered, ModularExponentiationFailed());
    }

    /// @notice 1/x mod p, and 0 for x = 0.
    /// @param x Any number.
    /// @return The inverse, below p.
    function inverse(uint256 x) internal view returns (uint256) {
        return power(x, P_MINUS_2);
    }
}
