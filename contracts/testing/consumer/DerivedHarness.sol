// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AveragePrice} from "../../derived/AveragePrice.sol";
import {DerivedReads} from "../../derived/DerivedReads.sol";
import {PriceChange} from "../../derived/PriceChange.sol";
import {RentalYield} from "../../derived/RentalYield.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";

/// @title Calls the libraries of derived prices
/// @notice Test code only, never deployed.
contract DerivedHarness {
    function gross(uint64 salesPrice, uint64 rentalPrice) external pure returns (uint256) {
        return RentalYield.gross(salesPrice, rentalPrice);
    }

    function relative(uint64 earlierPrice, uint64 laterPrice) external pure returns (int256) {
        return PriceChange.relative(earlierPrice, laterPrice);
    }

    function mean(uint64[] memory prices, uint256 minimum) external pure returns (uint64 average, uint256 missing) {
        return AveragePrice.mean(prices, minimum);
    }

    function grossRentalYield(
        IHomePriceOracle oracle,
        uint64 marketId
    ) external view returns (uint256 grossYield, uint32 day) {
        return DerivedReads.grossRentalYield(oracle, marketId);
    }

    function changeBetween(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint32 fromDay,
        uint32 toDay
    ) external view returns (int256) {
        return DerivedReads.changeBetween(oracle, feedId, fromDay, toDay);
    }

    function averageOver(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint32 lastDay,
        uint256 dayCount,
        uint256 minimum
    ) external view returns (uint64 average, uint256 missing) {
        return DerivedReads.averageOver(oracle, feedId, lastDay, dayCount, minimum);
    }
}
