// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Little-endian numbers
/// @notice RFC 8032 writes every number with its lowest byte first, the EVM reads the highest first.
library LittleEndian {
    uint256 private constant BYTES = 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff;
    uint256 private constant PAIRS = 0x0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff;
    uint256 private constant QUADS = 0x00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff;
    uint256 private constant HALVES = 0x0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff;

    /// @notice The number that 32 bytes, lowest first, stand for.
    /// @param encoding The bytes.
    /// @return The number.
    function decode(bytes32 encoding) internal pure returns (uint256) {
        return _reverse(uint256(encoding));
    }

    /// @notice A number as 32 bytes, lowest first.
    /// @param number The number.
    /// @return The bytes.
    function encode(uint256 number) internal pure returns (bytes32) {
        return bytes32(_reverse(number));
    }

    /// @dev Reverses the order of the 32 bytes: swaps neighbours, then neighbouring pairs, and so on up to the halves.
    function _reverse(uint256 word) private pure returns (uint256) {
        word = ((word >> 8) & BYTES) | ((word & BYTES) << 8);
        word = ((word >> 16) & PAIRS) | ((word & PAIRS) << 16);
        word = ((word >> 32) & QUADS) | ((word & QUADS) << 32);
        word = ((word >> 64) & HALVES) | ((word & HALVES) << 64);
        return (word >> 128) | (word << 128);
    }
}
