// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @dev Bytes of every price message (specification, price feed records).
uint256 constant MESSAGE_LENGTH = 74;
/// @dev Bytes of the ASCII date inside it.
uint256 constant DATE_LENGTH = 10;

/// @notice Where an unsigned (or, for the exponent, two's complement) number stands in the message.
/// @param offset First byte, counted from 0.
/// @param width Bytes, 1 to 32.
/// @param bigEndian Order of the bytes; little-endian when false.
struct NumberField {
    uint8 offset;
    uint8 width;
    bool bigEndian;
}

/// @notice Where a Unix time stands in the message.
/// @param inSeconds Unit of the number; milliseconds when false.
struct TimeField {
    uint8 offset;
    uint8 width;
    bool bigEndian;
    bool inSeconds;
}

/// @notice Where each field of the 74 signed bytes stands and how it is encoded.
/// @param feedId Market id for sales, market id + rental offset for rental.
/// @param price The price is number · 10^−priceDecimals, or number · 10^exponent when there is an exponent field.
/// @param priceDecimals Fixed decimals, 0 to 18; 0 when there is an exponent field.
/// @param priceExponent Signed exponent of 1, 2 or 4 bytes; width 0 when the decimals are fixed.
/// @param dateOffset First of the ten date bytes.
/// @param constantBytes The 74 bytes of a message with zero under every field: what is not a field never changes.
struct PriceMessageLayout {
    NumberField feedId;
    NumberField price;
    uint8 priceDecimals;
    NumberField priceExponent;
    TimeField publishTime;
    TimeField expiry;
    uint8 dateOffset;
    bytes constantBytes;
}
