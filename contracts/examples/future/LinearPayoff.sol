// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title What two sides of a future get out of their margins
library LinearPayoff {
    uint256 private constant PRICE_UNIT = 1e8;

    /// @notice Splits both margins: who has been right gets (settlement price − agreed price) · amountPerUsd from the
    ///         other's margin, rounded down, and at most all of it. What both get is exactly what both have paid in.
    /// @param agreedPrice 8 decimals.
    /// @param settlementPrice 8 decimals.
    /// @param amountPerUsd Base units of the margin token for each whole USD of difference.
    /// @return longPayout To the side that gains when the price rises.
    /// @return shortPayout To the other.
    function split(
        uint64 agreedPrice,
        uint64 settlementPrice,
        uint128 amountPerUsd,
        uint128 longMargin,
        uint128 shortMargin
    ) internal pure returns (uint256 longPayout, uint256 shortPayout) {
        bool rose = settlementPrice > agreedPrice;
        unchecked {
            // Products of 64 and 128 bits, sums of 128.
            uint256 difference = rose ? settlementPrice - agreedPrice : agreedPrice - settlementPrice;
            uint256 gain = (difference * amountPerUsd) / PRICE_UNIT;
            uint256 most = rose ? shortMargin : longMargin;
            if (gain > most) gain = most;
            if (rose) return (longMargin + gain, shortMargin - gain);
            return (longMargin - gain, shortMargin + gain);
        }
    }
}
