// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice For tests: a token of any decimals that anybody can mint.
contract TokenOfDecimals is ERC20 {
    uint8 private immutable DECIMALS;

    constructor(uint8 tokenDecimals) ERC20("Test token", "TEST") {
        DECIMALS = tokenDecimals;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }
}
