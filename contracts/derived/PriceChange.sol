// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title How much a price has changed
library PriceChange {
    int256 private constant ONE = 1e18;

    /// @notice One of the two prices is 0: there is none.
    error NoPriceToCompareWith(uint64 earlierPrice, uint64 laterPrice);

    /// @param earlierPrice Any decimals, the same as the other's.
    /// @return change (later − earlier) / earlier with 18 decimals (a loss of 5 % is −5e16), rounded towards zero.
    function relative(uint64 earlierPrice, uint64 laterPrice) internal pure returns (int256 change) {
        if (earlierPrice == 0 || laterPrice == 0) revert NoPriceToCompareWith(earlierPrice, laterPrice);
        int256 earlier = int256(uint256(earlierPrice));
        unchecked {
            // Less than 2^64 · 2^60 in absolute value.
            return ((int256(uint256(laterPrice)) - earlier) * ONE) / earlier;
        }
    }
}
