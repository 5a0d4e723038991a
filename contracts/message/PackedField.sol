// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @dev One field of a packed layout, moved to the lowest bits; higher bits are other fields' and are ignored:
///      offset (7 bits), width (6 bits), big-endian (1 bit), for times also in-seconds (1 bit), lowest first.
type PackedField is uint256;

using PackedFieldLibrary for PackedField global;

/// @title Reads one packed field
library PackedFieldLibrary {
    function offset(PackedField field) internal pure returns (uint256) {
        return PackedField.unwrap(field) & 0x7f;
    }

    /// @return Bytes of the field, 0 when there is no such field.
    function width(PackedField field) internal pure returns (uint256) {
        return (PackedField.unwrap(field) >> 7) & 0x3f;
    }

    function isBigEndian(PackedField field) internal pure returns (bool) {
        return PackedField.unwrap(field) & (1 << 13) != 0;
    }

    /// @dev Meaningful for time fields only.
    function isInSeconds(PackedField field) internal pure returns (bool) {
        return PackedField.unwrap(field) & (1 << 14) != 0;
    }
}
