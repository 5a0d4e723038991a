// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IHomePriceOracle, Price} from "../interfaces/IHomePriceOracle.sol";

/// @title A reader's first contract: what a home is worth and lets for
/// @notice Prices have 8 decimals. Every read reverts when the market has no current price, so that nothing is ever
///         computed from a stale one.
contract HomeValueReader {
    IHomePriceOracle public immutable ORACLE;

    constructor(IHomePriceOracle oracle) {
        ORACLE = oracle;
    }

    /// @notice Value of a home in USD, 8 decimals.
    function valueOf(uint64 marketId, uint256 squareFeet) external view returns (uint256) {
        return ORACLE.salesPrice(marketId).price * squareFeet;
    }

    /// @notice Monthly rent of a home in USD, 8 decimals.
    function monthlyRentOf(uint64 marketId, uint256 squareFeet) external view returns (uint256) {
        return ORACLE.rentalPrice(marketId).price * squareFeet;
    }

    /// @notice The current prices of several feeds, in the order of the ids, 8 decimals.
    function pricesOf(uint64[] calldata feedIds) external view returns (uint256[] memory prices) {
        Price[] memory served = ORACLE.latestPrices(feedIds);
        prices = new uint256[](served.length);
        for (uint256 i = 0; i < served.length; ++i) prices[i] = served[i].price;
    }
}
