// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomePriceConsumer} from "home-price-oracle/contracts/consumer/HomePriceConsumer.sol";
import {IHomePriceOracle} from "home-price-oracle/contracts/interfaces/IHomePriceOracle.sol";
import {Price} from "home-price-oracle/contracts/interfaces/Price.sol";

/// @title A lease whose rent follows the market
contract IndexedLease is HomePriceConsumer {
    uint64 public immutable MARKET_ID;
    uint256 public immutable SQUARE_FEET;

    /// @notice US dollars a month, with 8 decimals.
    uint256 public rent;

    event RentSet(uint256 rent, uint32 indexed day);

    constructor(IHomePriceOracle oracle, uint64 marketId, uint256 squareFeet) HomePriceConsumer(oracle) {
        MARKET_ID = marketId;
        SQUARE_FEET = squareFeet;
    }

    /// @notice Sets the rent to a price of at least `minDay`, which may be brought along.
    function setRent(bytes[] calldata updates, uint32 minDay) external {
        Price memory price = _pullRentalPrice(updates, MARKET_ID, minDay);
        rent = price.price * SQUARE_FEET;
        emit RentSet(rent, price.day);
    }
}
