// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title The average of daily prices, of which some may be missing
library AveragePrice {
    /// @notice Fewer days have a price than the caller wants.
    error TooFewPrices(uint256 count, uint256 minimum);

    /// @notice The arithmetic mean of the prices that there are: a day without a price is left out, not filled in.
    /// @param prices One a day, 0 where there is none.
    /// @param minimum Fewest prices that will do; one at least is needed in any case.
    /// @return average With the decimals of the prices, rounded down.
    /// @return missing How many days have no price.
    function mean(uint64[] memory prices, uint256 minimum) internal pure returns (uint64 average, uint256 missing) {
        uint256 sum;
        uint256 days_ = prices.length;
        unchecked {
            // No memory holds 2^64 prices.
            for (uint256 i = 0; i < days_; ++i) {
                uint256 price = prices[i];
                if (price == 0) ++missing;
                sum += price;
            }
            uint256 count = days_ - missing;
            if (count == 0 || count < minimum) revert TooFewPrices(count, minimum);
            average = uint64(sum / count);
        }
    }
}
