// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IFlashBorrower {
    function onLoan(uint256 collateral, uint256 cash) external;
}

/// @title Lends all it has for the length of a call
/// @notice Test code only, never deployed.
contract FlashLender {
    IERC20 private immutable _COLLATERAL_TOKEN;
    IERC20 private immutable _DEBT_TOKEN;

    error LoanNotReturned(uint256 collateral, uint256 cash);

    constructor(IERC20 collateralToken, IERC20 debtToken) {
        _COLLATERAL_TOKEN = collateralToken;
        _DEBT_TOKEN = debtToken;
    }

    function lend(uint256 collateral, uint256 cash) external {
        (uint256 collateralBefore, uint256 cashBefore) = _balances();
        _COLLATERAL_TOKEN.transfer(msg.sender, collateral);
        _DEBT_TOKEN.transfer(msg.sender, cash);
        IFlashBorrower(msg.sender).onLoan(collateral, cash);
        (uint256 collateralAfter, uint256 cashAfter) = _balances();
        if (collateralAfter < collateralBefore || cashAfter < cashBefore) {
            revert LoanNotReturned(collateralBefore - collateralAfter, cashBefore - cashAfter);
        }
    }

    function _balances() private view returns (uint256 collateral, uint256 cash) {
        return (_COLLATERAL_TOKEN.balanceOf(address(this)), _DEBT_TOKEN.balanceOf(address(this)));
    }
}
