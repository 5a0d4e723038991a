// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LinearPayoff} from "../../examples/future/LinearPayoff.sol";

/// @title Calls the payoff of the future
/// @notice Test code only, never deployed.
contract PayoffHarness {
    function split(
        uint64 agreedPrice,
        uint64 settlementPrice,
        uint128 amountPerUsd,
        uint128 longMargin,
        uint128 shortMargin
    ) external pure returns (uint256 longPayout, uint256 shortPayout) {
        return LinearPayoff.split(agreedPrice, settlementPrice, amountPerUsd, longMargin, shortMargin);
    }
}
