// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {PackedField} from "./PackedField.sol";
import {DATE_LENGTH, MESSAGE_LENGTH, NumberField, PriceMessageLayout, TimeField} from "./PriceMessageLayout.sol";

/// @dev A layout without its constant bytes, in 84 bits:
///
///      | bits  | what                 |
///      |-------|----------------------|
///      | 0-13  | feed id              |
///      | 14-27 | price                |
///      | 28-41 | price exponent       |
///      | 42-46 | price decimals       |
///      | 47-61 | publish time         |
///      | 62-76 | expiry               |
///      | 77-83 | offset of the date   |
///
///      The bits of a field are those of PackedField.
type PackedLayout is uint96;

using PackedLayoutLibrary for PackedLayout global;

/// @notice The layout's constant bytes are not 74.
error InvalidConstantBytesLength(uint256 length);
/// @notice A field reaches beyond the 74 bytes.
error FieldOutsideMessage(uint8 offset, uint8 width);
/// @notice A field lies on bytes of another field, or on a constant byte that is not zero.
error FieldOverlap(uint8 offset, uint8 width);
/// @notice A field has a width that its content cannot have.
error InvalidFieldWidth(uint8 offset, uint8 width);
/// @notice More decimals than 18, or decimals beside an exponent field.
error InvalidPriceDecimals(uint8 decimals);

/// @title Checks a layout and packs it
library PackedLayoutLibrary {
    uint256 private constant PRICE_SHIFT = 14;
    uint256 private constant EXPONENT_SHIFT = 28;
    uint256 private constant DECIMALS_SHIFT = 42;
    uint256 private constant PUBLISH_TIME_SHIFT = 47;
    uint256 private constant EXPIRY_SHIFT = 62;
    uint256 private constant DATE_SHIFT = 77;

    uint8 private constant MAX_DECIMALS = 18;
    uint256 private constant ORACLE_DECIMALS = 8;

    /// @notice Checks a layout and packs it: fields inside the message, without overlap, wide enough.
    /// @param messageLayout The layout; every byte outside its fields is constant by definition, so that nothing is uncovered.
    /// @param largestFeedId The largest feed id that must fit: 2 · rental offset − 1.
    /// @return packed The packed fields.
    /// @return constantsHash keccak256 of the 74 bytes with zero under every field.
    function pack(
        PriceMessageLayout memory messageLayout,
        uint256 largestFeedId
    ) internal pure returns (PackedLayout packed, bytes32 constantsHash) {
        bytes memory constants = messageLayout.constantBytes;
        if (constants.length != MESSAGE_LENGTH) revert InvalidConstantBytesLength(constants.length);

        uint256 covered = _cover(0, constants, messageLayout.feedId.offset, messageLayout.feedId.width);
        covered = _cover(covered, constants, messageLayout.price.offset, messageLayout.price.width);
        covered = _cover(covered, constants, messageLayout.publishTime.offset, messageLayout.publishTime.width);
        covered = _cover(covered, constants, messageLayout.expiry.offset, messageLayout.expiry.width);
        covered = _cover(covered, constants, messageLayout.dateOffset, uint8(DATE_LENGTH));

        NumberField memory exponent = messageLayout.priceExponent;
        if (exponent.width != 0) {
            if (exponent.width != 1 && exponent.width != 2 && exponent.width != 4) {
                revert InvalidFieldWidth(exponent.offset, exponent.width);
            }
            _cover(covered, constants, exponent.offset, exponent.width);
        } else if (exponent.offset != 0 || exponent.bigEndian) {
            // A field that is not there has one form only, or equal layouts would pack differently.
            revert InvalidFieldWidth(exponent.offset, 0);
        }
        if (messageLayout.priceDecimals > MAX_DECIMALS || (exponent.width != 0 && messageLayout.priceDecimals != 0)) {
            revert InvalidPriceDecimals(messageLayout.priceDecimals);
        }
        if (messageLayout.feedId.width < 32 && largestFeedId >> (8 * uint256(messageLayout.feedId.width)) != 0) {
            revert InvalidFieldWidth(messageLayout.feedId.offset, messageLayout.feedId.width);
        }
        _checkTimeWidth(messageLayout.publishTime);
        _checkTimeWidth(messageLayout.expiry);

        packed = PackedLayout.wrap(
            uint96(
                _pack(messageLayout.feedId) |
                    (_pack(messageLayout.price) << PRICE_SHIFT) |
                    (_pack(exponent) << EXPONENT_SHIFT) |
                    (uint256(messageLayout.priceDecimals) << DECIMALS_SHIFT) |
                    (_pack(messageLayout.publishTime) << PUBLISH_TIME_SHIFT) |
                    (_pack(messageLayout.expiry) << EXPIRY_SHIFT) |
                    (uint256(messageLayout.dateOffset) << DATE_SHIFT)
            )
        );
        constantsHash = keccak256(constants);
    }

    function feedId(PackedLayout messageLayout) internal pure returns (PackedField) {
        return PackedField.wrap(PackedLayout.unwrap(messageLayout));
    }

    function price(PackedLayout messageLayout) internal pure returns (PackedField) {
        return PackedField.wrap(PackedLayout.unwrap(messageLayout) >> PRICE_SHIFT);
    }

    /// @return The exponent's field; its width is 0 when the layout has fixed decimals.
    function priceExponent(PackedLayout messageLayout) internal pure returns (PackedField) {
        return PackedField.wrap(PackedLayout.unwrap(messageLayout) >> EXPONENT_SHIFT);
    }

    function priceDecimals(PackedLayout messageLayout) internal pure returns (uint256) {
        return (PackedLayout.unwrap(messageLayout) >> DECIMALS_SHIFT) & 0x1f;
    }

    /// @return Whether prices have the 8 decimals in the message that they have in the oracle: no exponent, and 8.
    function hasOracleDecimals(PackedLayout messageLayout) internal pure returns (bool) {
        uint256 exponentAndDecimals = (PackedLayout.unwrap(messageLayout) >> EXPONENT_SHIFT) & 0x7ffff;
        return exponentAndDecimals == ORACLE_DECIMALS << (DECIMALS_SHIFT - EXPONENT_SHIFT);
    }

    function publishTime(PackedLayout messageLayout) internal pure returns (PackedField) {
        return PackedField.wrap(PackedLayout.unwrap(messageLayout) >> PUBLISH_TIME_SHIFT);
    }

    function expiry(PackedLayout messageLayout) internal pure returns (PackedField) {
        return PackedField.wrap(PackedLayout.unwrap(messageLayout) >> EXPIRY_SHIFT);
    }

    function dateOffset(PackedLayout messageLayout) internal pure returns (uint256) {
        return (PackedLayout.unwrap(messageLayout) >> DATE_SHIFT) & 0x7f;
    }

    /// @dev Adds a field to the set of covered bytes (bit i is byte i), refusing overlap with an earlier field or with
    ///      a constant byte that is not zero there.
    function _cover(uint256 covered, bytes memory constants, uint8 offset, uint8 width) private pure returns (uint256) {
        if (width == 0 || width > 32) revert InvalidFieldWidth(offset, width);
        if (uint256(offset) + width > MESSAGE_LENGTH) revert FieldOutsideMessage(offset, width);
        uint256 bits = ((1 << uint256(width)) - 1) << offset;
        if (covered & bits != 0) revert FieldOverlap(offset, width);
        for (uint256 i = offset; i < uint256(offset) + width; ++i) {
            if (constants[i] != 0) revert FieldOverlap(offset, width);
        }
        return covered | bits;
    }

    /// @dev Six bytes of milliseconds or four of seconds hold today's time; fewer cannot.
    function _checkTimeWidth(TimeField memory field) private pure {
        if (field.width < (field.inSeconds ? 4 : 6)) revert InvalidFieldWidth(field.offset, field.width);
    }

    function _pack(NumberField memory field) private pure returns (uint256) {
        return field.offset | (uint256(field.width) << 7) | (field.bigEndian ? 1 << 13 : 0);
    }

    function _pack(TimeField memory field) private pure returns (uint256) {
        return
            field.offset |
            (uint256(field.width) << 7) |
            (field.bigEndian ? 1 << 13 : 0) |
            (field.inSeconds ? 1 << 14 : 0);
    }
}
