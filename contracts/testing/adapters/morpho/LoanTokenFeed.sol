// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {MockV3Aggregator} from "@chainlink/contracts/src/v0.8/tests/MockV3Aggregator.sol";

/// @notice For tests: Chainlink's published feed for tests, whose answers and times anybody can set.
contract LoanTokenFeed is MockV3Aggregator {
    constructor(uint8 feedDecimals, int256 initialAnswer) MockV3Aggregator(feedDecimals, initialAnswer) {}
}
