// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {Price} from "../interfaces/Price.sol";
import {AveragePrice} from "./AveragePrice.sol";
import {PriceChange} from "./PriceChange.sol";
import {RentalYield} from "./RentalYield.sol";

/// @title Yield, change and average, read from the oracle
/// @notice Prices of dates can change until 72 hours after 00:00 UTC of the date: what is computed from them can, too,
///         and nothing should be settled by it before.
library DerivedReads {
    uint256 private constant LONGEST_SPAN = 366;

    /// @notice The number of days is 0 or more than 366, or reaches back before 1970.
    error InvalidDayCount(uint256 dayCount);
    /// @notice The second day is not after the first.
    error InvalidPeriod(uint32 fromDay, uint32 toDay);

    /// @notice Gross rental yield of a market at its current prices, whose days may differ while editions come in.
    ///         Reverts as salesPrice and rentalPrice do.
    /// @return grossYield 12 · rental price / sales price, 18 decimals, rounded down.
    /// @return day The earlier of the two prices' days.
    function grossRentalYield(
        IHomePriceOracle oracle,
        uint64 marketId
    ) internal view returns (uint256 grossYield, uint32 day) {
        Price memory sales = oracle.salesPrice(marketId);
        Price memory rental = oracle.rentalPrice(marketId);
        grossYield = RentalYield.gross(sales.price, rental.price);
        day = sales.day < rental.day ? sales.day : rental.day;
    }

    /// @notice How much the price of a feed has changed from one date to a later one. Reverts as priceOn does when one
    ///         of them has no price.
    /// @return change (later − earlier) / earlier, 18 decimals, rounded towards zero.
    function changeBetween(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint32 fromDay,
        uint32 toDay
    ) internal view returns (int256 change) {
        if (fromDay >= toDay) revert InvalidPeriod(fromDay, toDay);
        return PriceChange.relative(oracle.priceOn(feedId, fromDay).price, oracle.priceOn(feedId, toDay).price);
    }

    /// @notice Average price of a feed over the `dayCount` dates that end with `lastDay`, dates without a price left
    ///         out.
    /// @param dayCount 1 to 366.
    /// @param minimum Fewest prices that will do, or it reverts with TooFewPrices.
    /// @return average 8 decimals, rounded down.
    /// @return missing How many of the dates have no price.
    function averageOver(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint32 lastDay,
        uint256 dayCount,
        uint256 minimum
    ) internal view returns (uint64 average, uint256 missing) {
        if (dayCount == 0 || dayCount > LONGEST_SPAN || dayCount > uint256(lastDay) + 1) {
            revert InvalidDayCount(dayCount);
        }
        uint32 firstDay;
        unchecked {
            firstDay = uint32(uint256(lastDay) + 1 - dayCount);
        }
        return AveragePrice.mean(oracle.pricesBetween(feedId, firstDay, lastDay), minimum);
    }
}
