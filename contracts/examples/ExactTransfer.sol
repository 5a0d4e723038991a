// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Takes tokens, and insists on getting all of them
/// @notice A token that keeps a fee would leave the contract with less than it has written down.
library ExactTransfer {
    using SafeERC20 for IERC20;

    /// @notice Not as much has arrived as was sent.
    error TransferTaxed(address token, uint256 sent, uint256 received);

    /// @notice Takes tokens from an account that has approved it.
    function take(IERC20 token, address from, uint256 amount) internal {
        uint256 balanceBefore = token.balanceOf(address(this));
        token.safeTransferFrom(from, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - balanceBefore;
        if (received != amount) revert TransferTaxed(address(token), amount, received);
    }
}
