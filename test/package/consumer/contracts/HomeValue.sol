// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IHomePriceOracle} from "home-price-oracle/contracts/interfaces/IHomePriceOracle.sol";
import {Price} from "home-price-oracle/contracts/interfaces/Price.sol";

/// @title The value of a home, for contracts that only read prices
contract HomeValue {
    IHomePriceOracle private immutable _oracle;

    constructor(IHomePriceOracle oracle) {
        _oracle = oracle;
    }

    /// @return US dollars with 8 decimals.
    function valueOf(uint64 marketId, uint256 squareFeet) external view returns (uint256) {
        Price memory price = _oracle.salesPrice(marketId);
        return price.price * squareFeet;
    }
}
