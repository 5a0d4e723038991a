// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PackedField} from "./PackedField.sol";
import {PackedLayout} from "./PackedLayout.sol";
import {DATE_LENGTH, MESSAGE_LENGTH} from "./PriceMessageLayout.sol";

/// @title Reads the fields of a price message where its layout says they stand
/// @notice A message is given as calldata that begins with it, an update as a rule: the caller has checked that there
///         are 74 bytes. Values are returned as they are; whether they make sense is checked elsewhere.
library PriceMessage {
    /// @notice Decimals of every price that the oracle stores and serves.
    uint256 internal constant PRICE_DECIMALS = 8;
    /// @notice Stored prices are below this.
    uint256 internal constant PRICE_LIMIT = 1 << 60;

    /// @dev 10^18 < 2^60 < 10^19: a positive number moved by more decimal places than this is too large in any case.
    int256 private constant MAX_SHIFT = 18;
    /// @dev 10^77 < 2^256 < 10^78: dividing by more leaves nothing of any number.
    int256 private constant MAX_DIVISOR_SHIFT = 77;

    function feedId(bytes calldata message, PackedLayout messageLayout) internal pure returns (uint256) {
        return _readNumber(message, messageLayout.feedId());
    }

    /// @return In Unix milliseconds, or 2^64 − 1 for anything from there on, which every time window refuses.
    function publishTimeMs(bytes calldata message, PackedLayout messageLayout) internal pure returns (uint256) {
        return _readTimeMs(message, messageLayout.publishTime());
    }

    /// @return In Unix milliseconds, or 2^64 − 1 for anything from there on, which every time window refuses.
    function expiryMs(bytes calldata message, PackedLayout messageLayout) internal pure returns (uint256) {
        return _readTimeMs(message, messageLayout.expiry());
    }

    /// @return The price's number as written: the price is mantissa · 10^exponent.
    function mantissa(bytes calldata message, PackedLayout messageLayout) internal pure returns (uint256) {
        return _readNumber(message, messageLayout.price());
    }

    /// @return power What is in the message, or what the layout fixes.
    function exponent(bytes calldata message, PackedLayout messageLayout) internal pure returns (int256 power) {
        PackedField field = messageLayout.priceExponent();
        uint256 width = field.width();
        if (width == 0) return -int256(messageLayout.priceDecimals());
        // Two's complement of `width` bytes: sign-extended from its highest byte.
        uint256 raw = _readNumber(message, field);
        assembly ("memory-safe") {
            // stack: width, raw. SIGNEXTEND counts bytes from 0, so the sign is in byte width - 1. No memory.
            power := signextend(sub(width, 1), raw)
        }
    }

    /// @notice A message's price at 8 decimals, truncated towards zero.
    /// @return The price, 0 when nothing is left of it, PRICE_LIMIT when it is that or more.
    function scale(uint256 number, int256 power) internal pure returns (uint256) {
        if (number == 0) return 0;
        int256 shift = power + int256(PRICE_DECIMALS);
        uint256 scaled;
        if (shift < 0) {
            if (-shift > MAX_DIVISOR_SHIFT) return 0;
            scaled = number / 10 ** uint256(-shift);
        } else {
            if (shift > MAX_SHIFT || number >= PRICE_LIMIT) return PRICE_LIMIT;
            scaled = number * 10 ** uint256(shift); // below 2^60 · 10^18 < 2^120
        }
        return scaled < PRICE_LIMIT ? scaled : PRICE_LIMIT;
    }

    /// @return text The ten date bytes; not yet known to be a date.
    function date(bytes calldata message, PackedLayout messageLayout) internal pure returns (bytes10 text) {
        uint256 offset = messageLayout.dateOffset();
        assembly ("memory-safe") {
            // stack: message.offset, offset. The layout's check has made sure that ten bytes from there on are the
            // message's; those after them are shifted out. No memory.
            text := shl(176, shr(176, calldataload(add(message.offset, offset))))
        }
    }

    /// @notice Which bytes of a format's messages never change: 74 bytes, ones where a constant byte stands, zeros under
    ///         the fields. Made once for a signer, so that comparing a message takes three words and no loop.
    function constantsMask(PackedLayout messageLayout) internal pure returns (bytes memory mask) {
        mask = abi.encodePacked(type(uint256).max, type(uint256).max, type(uint80).max);
        _clear(mask, messageLayout.feedId());
        _clear(mask, messageLayout.price());
        _clear(mask, messageLayout.priceExponent());
        _clear(mask, messageLayout.publishTime());
        _clear(mask, messageLayout.expiry());
        _clear(mask, messageLayout.dateOffset(), DATE_LENGTH);
    }

    /// @notice keccak256 of the 74 bytes with zero under every field: equal for every message of one format.
    /// @param mask What constantsMask has made of the message's layout.
    function constantsHash(bytes calldata message, bytes memory mask) internal pure returns (bytes32 hash) {
        uint256 length = MESSAGE_LENGTH;
        assembly ("memory-safe") {
            // stack: message.offset, mask, length. The 96 bytes after the free memory pointer hold the masked message
            // for the moment of hashing, and are not allocated. What the third word has beyond the 74 bytes, the
            // signature's beginning masked with what follows the mask, is not hashed.
            let masked := mload(0x40)
            mstore(masked, and(calldataload(message.offset), mload(add(mask, 32))))
            mstore(add(masked, 32), and(calldataload(add(message.offset, 32)), mload(add(mask, 64))))
            mstore(add(masked, 64), and(calldataload(add(message.offset, 64)), mload(add(mask, 96))))
            hash := keccak256(masked, length)
        }
    }

    function _clear(bytes memory mask, PackedField field) private pure {
        _clear(mask, field.offset(), field.width());
    }

    /// @dev Zeroes `width` bytes (0 to 32) at `offset`; the layout's check has made sure that they are inside the message.
    function _clear(bytes memory mask, uint256 offset, uint256 width) private pure {
        assembly ("memory-safe") {
            // stack: mask, offset, width. Calldata is zero behind its end. Writes inside the array.
            calldatacopy(add(add(mask, 32), offset), calldatasize(), width)
        }
    }

    /// @dev The value of a number field of 1 to 32 bytes.
    function _readNumber(bytes calldata message, PackedField field) private pure returns (uint256 value) {
        uint256 offset = field.offset();
        uint256 width = field.width();
        assembly ("memory-safe") {
            // stack: message.offset, offset, width. The field's bytes moved down to the lowest ones; a load that reaches
            // beyond the message brings bytes that the shift drops. No memory.
            value := shr(sub(256, shl(3, width)), calldataload(add(message.offset, offset)))
        }
        if (!field.isBigEndian()) value = _reverseBytes(value, width);
    }

    function _readTimeMs(bytes calldata message, PackedField field) private pure returns (uint256 timeMs) {
        timeMs = _readNumber(message, field);
        if (timeMs > type(uint64).max) return type(uint64).max;
        if (field.isInSeconds()) timeMs *= 1000; // below 2^64 · 1000, no overflow
        if (timeMs > type(uint64).max) return type(uint64).max;
    }

    /// @dev Reverses the lowest `width` bytes of a number that has no others: swaps neighbours of 1, 2, 4 … bytes, then
    ///      moves the result down by the bytes that it has too many. Numbers of up to 8 bytes need three swaps, not five.
    function _reverseBytes(uint256 number, uint256 width) private pure returns (uint256) {
        unchecked {
            if (width <= 8) {
                number = ((number >> 8) & 0x00ff00ff00ff00ff) | ((number & 0x00ff00ff00ff00ff) << 8);
                number = ((number >> 16) & 0x0000ffff0000ffff) | ((number & 0x0000ffff0000ffff) << 16);
                number = (number >> 32) | ((number & 0xffffffff) << 32);
                return number >> (64 - 8 * width);
            }
            uint256 mask = 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff;
            number = ((number >> 8) & mask) | ((number & mask) << 8);
            mask = 0x0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff;
            number = ((number >> 16) & mask) | ((number & mask) << 16);
            mask = 0x00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff;
            number = ((number >> 32) & mask) | ((number & mask) << 32);
            mask = 0x0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff;
            number = ((number >> 64) & mask) | ((number & mask) << 64);
            number = (number >> 128) | (number << 128);
            return number >> (256 - 8 * width);
        }
    }
}
