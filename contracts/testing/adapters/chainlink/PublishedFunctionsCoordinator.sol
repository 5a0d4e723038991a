// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {
    FunctionsBillingConfig,
    FunctionsCoordinator
} from "@chainlink/contracts/src/v0.8/functions/v1_3_0/FunctionsCoordinator.sol";

/// @title Chainlink's published Functions coordinator, which computes fees from two data feeds
/// @notice Test code only, so that it is compiled. Changes nothing, and opens what only its router could ask for.
contract PublishedFunctionsCoordinator is FunctionsCoordinator {
    constructor(
        address router,
        FunctionsBillingConfig memory config,
        address linkToNativeFeed,
        address linkToUsdFeed
    ) FunctionsCoordinator(router, config, linkToNativeFeed, linkToUsdFeed) {}

    /// @notice What a request would cost, as the router is told it. It asks both feeds.
    /// @param gasPriceWei Wei a gas.
    /// @return Juels, 10^-18 LINK.
    function costEstimate(uint32 callbackGasLimit, uint256 gasPriceWei) external view returns (uint96) {
        return _calculateCostEstimate(callbackGasLimit, gasPriceWei, getDONFeeJuels(""), 0, getOperationFeeJuels());
    }
}
