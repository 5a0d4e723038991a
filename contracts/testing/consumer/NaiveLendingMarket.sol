// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomeLendingMarket, MarketTerms} from "../../examples/lending/HomeLendingMarket.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";

/// @title The lending market without its rule of one price in a block
/// @notice Test code only: shows what the rule is for.
contract NaiveLendingMarket is HomeLendingMarket {
    constructor(IHomePriceOracle oracle, MarketTerms memory terms) HomeLendingMarket(oracle, terms) {}

    function _hasTakenAtAnotherPrice(Position storage, uint64) internal pure override returns (bool) {
        return false;
    }
}
