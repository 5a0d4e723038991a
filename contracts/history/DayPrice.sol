// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DailyPrice} from "../interfaces/Price.sol";

/// @dev The price of a date, in 85 bits:
///
///      | bits  | what                                                                        |
///      |-------|-----------------------------------------------------------------------------|
///      | 0-59  | price, 8 decimals; 0 when there is none                                     |
///      | 60-77 | publish time, seconds from 00:00 UTC of the date: 72 h are 259,200 of them  |
///      | 78-83 | signer                                                                      |
///      | 84    | another price was taken for this date before                                |
type DayPrice is uint256;

using DayPriceLibrary for DayPrice global;

/// @title Reads and builds the packed price of a date
library DayPriceLibrary {
    DayPrice internal constant NONE = DayPrice.wrap(0);

    uint256 private constant PRICE_MASK = (1 << 60) - 1;
    uint256 private constant SECONDS_SHIFT = 60;
    uint256 private constant SECONDS_MASK = (1 << 18) - 1;
    uint256 private constant SIGNER_SHIFT = 78;
    uint256 private constant SIGNER_MASK = (1 << 6) - 1;
    uint256 private constant REVISED_SHIFT = 84;
    uint256 private constant SECONDS_PER_DAY = 86_400;

    /// @dev The caller makes sure that the price is below 2^60, the seconds below 2^18, the signer below 64.
    function pack(uint256 newPrice, uint256 newPublishSeconds, uint256 newSigner) internal pure returns (DayPrice) {
        return DayPrice.wrap(newPrice | (newPublishSeconds << SECONDS_SHIFT) | (newSigner << SIGNER_SHIFT));
    }

    function revised(DayPrice entry) internal pure returns (DayPrice) {
        return DayPrice.wrap(DayPrice.unwrap(entry) | (1 << REVISED_SHIFT));
    }

    function isNone(DayPrice entry) internal pure returns (bool) {
        return DayPrice.unwrap(entry) == 0;
    }

    function price(DayPrice entry) internal pure returns (uint256) {
        return DayPrice.unwrap(entry) & PRICE_MASK;
    }

    /// @return Seconds from 00:00 UTC of the date.
    function publishSeconds(DayPrice entry) internal pure returns (uint256) {
        return (DayPrice.unwrap(entry) >> SECONDS_SHIFT) & SECONDS_MASK;
    }

    function signer(DayPrice entry) internal pure returns (uint256) {
        return (DayPrice.unwrap(entry) >> SIGNER_SHIFT) & SIGNER_MASK;
    }

    function isRevised(DayPrice entry) internal pure returns (bool) {
        return (DayPrice.unwrap(entry) >> REVISED_SHIFT) & 1 != 0;
    }

    /// @notice The price as it is served; all zero but the day when there is none.
    function toDailyPrice(DayPrice entry, uint256 day) internal pure returns (DailyPrice memory daily) {
        daily.day = uint32(day);
        if (entry.isNone()) return daily;
        daily.price = uint64(entry.price());
        daily.publishTime = uint64(day * SECONDS_PER_DAY + entry.publishSeconds());
        daily.signer = uint8(entry.signer());
        daily.isRevised = entry.isRevised();
    }
}
