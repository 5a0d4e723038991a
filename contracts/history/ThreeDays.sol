// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DayPrice} from "./DayPrice.sol";

/// @dev The prices of three dates in one slot, 85 bits each: the date that divides by three lowest. The highest bit is free.
type ThreeDays is uint256;

using ThreeDaysLibrary for ThreeDays global;

/// @title Reads and changes a slot of three dates
library ThreeDaysLibrary {
    uint256 internal constant DAYS = 3;

    uint256 private constant ENTRY_BITS = 85;
    uint256 private constant ENTRY_MASK = (1 << ENTRY_BITS) - 1;

    /// @return Where the price of a date stands in its slot: how far it has to be shifted.
    function placeOf(uint256 day) internal pure returns (uint256) {
        unchecked {
            return (day % DAYS) * ENTRY_BITS;
        }
    }

    /// @notice The price at a place.
    function priceAt(ThreeDays slot, uint256 place) internal pure returns (DayPrice) {
        return DayPrice.wrap((ThreeDays.unwrap(slot) >> place) & ENTRY_MASK);
    }

    /// @notice The slot with another price at a place.
    function with(ThreeDays slot, uint256 place, DayPrice entry) internal pure returns (ThreeDays) {
        uint256 rest = ThreeDays.unwrap(slot) & ~(ENTRY_MASK << place);
        return ThreeDays.wrap(rest | (DayPrice.unwrap(entry) << place));
    }
}
