// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title How far a price may be from its reference
library PriceBand {
    /// @dev 100 % in basis points.
    uint256 internal constant WHOLE = 10_000;
    /// @dev Days between dates are counted as 1 to 7.
    uint256 internal constant FURTHEST = 7;

    /// @notice Whether |price − reference| ≤ reference · band · distance / 10,000, exactly.
    /// @param band Basis points a day, at most 16,383.
    /// @param distance In days, at most 7.
    function isWithin(
        uint256 price,
        uint256 referencePrice,
        uint256 band,
        uint256 distance
    ) internal pure returns (bool) {
        unchecked {
            // Prices have 60 bits, the factors together less than 32.
            uint256 change = price > referencePrice ? price - referencePrice : referencePrice - price;
            return change * WHOLE <= referencePrice * band * distance;
        }
    }

    /// @notice Days between two dates, in either order, counted as 1 to 7.
    function distanceBetween(uint256 oneDay, uint256 otherDay) internal pure returns (uint256 distance) {
        unchecked {
            distance = oneDay > otherDay ? oneDay - otherDay : otherDay - oneDay;
        }
        if (distance == 0) return 1;
        if (distance > FURTHEST) return FURTHEST;
    }
}
