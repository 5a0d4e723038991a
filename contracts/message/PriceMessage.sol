// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PackedField} from "./PackedField.sol";
import {PackedLayout} from "./PackedLayout.sol";
import {DATE_LENGTH} from "./PriceMessageLayout.sol";

/// @title Reads the fields of a price message where its layout says they stand
/// @notice Every function takes the start of the message as a calldata slice of at least 74 bytes: the caller checks
///         the length once. Values are returned as they are; whether they make sense is checked elsewhere.
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

    /// @return mantissa The number as written.
    /// @return exponent The price is mantissa · 10^exponent.
    function price(
        bytes calldata message,
        PackedLayout messageLayout
    ) internal pure returns (uint256 mantissa, int256 exponent) {
        mantissa = _readNumber(message, messageLayout.price());
        PackedField field = messageLayout.priceExponent();
        uint256 width = field.width();
        if (width == 0) return (mantissa, -int256(messageLayout.priceDecimals()));
        // Two's complement of `width` bytes: sign-extended from its highest byte.
        uint256 raw = _readNumber(message, field);
        assembly ("memory-safe") {
            // stack: width, raw. SIGNEXTEND counts bytes from 0, so the sign is in byte width - 1. No memory.
            exponent := signextend(sub(width, 1), raw)
        }
    }

    /// @notice A message's price at 8 decimals, truncated towards zero.
    /// @return The price, 0 when nothing is left of it, PRICE_LIMIT when it is that or more.
    function scale(uint256 mantissa, int256 exponent) internal pure returns (uint256) {
        if (mantissa == 0) return 0;
        int256 shift = exponent + int256(PRICE_DECIMALS);
        uint256 scaled;
        if (shift < 0) {
            if (-shift > MAX_DIVISOR_SHIFT) return 0;
            scaled = mantissa / 10 ** uint256(-shift);
        } else {
            if (shift > MAX_SHIFT || mantissa >= PRICE_LIMIT) return PRICE_LIMIT;
            scaled = mantissa * 10 ** uint256(shift); // below 2^60 · 10^18 < 2^120
        }
        return scaled < PRICE_LIMIT ? scaled : PRICE_LIMIT;
    }

    /// @return The ten date bytes; not yet known to be a date.
    function date(bytes calldata message, PackedLayout messageLayout) internal pure returns (bytes10) {
        uint256 offset = messageLayout.dateOffset();
        return bytes10(message[offset:offset + DATE_LENGTH]);
    }

    /// @notice keccak256 of the 74 bytes with zero under every field: equal for every message of one format.
    function constantsHash(bytes calldata message, PackedLayout messageLayout) internal pure returns (bytes32) {
        bytes memory copy = message;
        _clear(copy, messageLayout.feedId());
        _clear(copy, messageLayout.price());
        _clear(copy, messageLayout.priceExponent());
        _clear(copy, messageLayout.publishTime());
        _clear(copy, messageLayout.expiry());
        _clear(copy, messageLayout.dateOffset(), DATE_LENGTH);
        return keccak256(copy);
    }

    function _clear(bytes memory copy, PackedField field) private pure {
        _clear(copy, field.offset(), field.width());
    }

    /// @dev Zeroes `width` bytes (0 to 32) at `offset`; the layout's check has made sure that they are inside the message.
    function _clear(bytes memory copy, uint256 offset, uint256 width) private pure {
        assembly ("memory-safe") {
            // stack: copy, offset, width. The word that ends with the field begins at copy + offset + width (the length
            // word is the 32 bytes before the content), so it lies inside the array, length word included. All ones
            // shifted left by 8·width bits (to 0 from 256 on) keep the bytes before the field and clear it.
            let position := add(copy, add(offset, width))
            mstore(position, and(mload(position), shl(shl(3, width), not(0))))
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
