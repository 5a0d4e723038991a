// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomeLendingMarket} from "../../examples/lending/HomeLendingMarket.sol";

/// @title Another account of an attacker's, which holds the loan
/// @notice Test code only, never deployed.
contract Accomplice {
    function borrowAll(HomeLendingMarket market, uint256 collateral, uint256 loan) external {
        market.COLLATERAL_TOKEN().approve(address(market), collateral);
        market.deposit(collateral);
        market.borrow(new bytes[](0), loan);
        market.DEBT_TOKEN().transfer(msg.sender, loan);
    }
}
