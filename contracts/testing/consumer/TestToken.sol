// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 that anybody can mint, of any number of decimals
/// @notice Test code only, never deployed.
contract TestToken is ERC20 {
    uint8 private immutable _DECIMALS;
    /// @dev Taken off every transfer; a market has to refuse what comes with less than it should.
    uint256 private immutable _FEE;

    constructor(uint8 decimals_, uint256 fee) ERC20("Test", "TEST") {
        _DECIMALS = decimals_;
        _FEE = fee;
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function decimals() public view override returns (uint8) {
        return _DECIMALS;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (_FEE != 0 && from != address(0) && to != address(0)) super._update(to, address(0), _FEE);
    }
}
