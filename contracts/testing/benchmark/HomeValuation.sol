// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomePriceConsumer} from "../../consumer/HomePriceConsumer.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {Price} from "../../interfaces/Price.sol";

/// @title A consumer that acts on prices which its callers bring
/// @notice Test code only, never deployed. It acts by writing the sum of the prices (8 decimals) into a slot that has
///         been written before; all functions return that sum. They are for one price and for several, in both ways
///         that HomePriceConsumer has: `pull…` ask the oracle first, `bring…` always bring.
contract HomeValuation is HomePriceConsumer {
    uint256 private _value = 1;

    constructor(IHomePriceOracle oracle) HomePriceConsumer(oracle) {}

    function pullOne(bytes[] calldata updates, uint64 feedId, uint32 minDay) external returns (uint256) {
        return _act(_pullPrice(updates, feedId, minDay).price);
    }

    function pullSeveral(
        bytes[] calldata updates,
        uint64[] calldata feedIds,
        uint32 minDay
    ) external returns (uint256) {
        Price[] memory prices = _pullPrices(updates, feedIds, minDay);
        uint256 sum;
        for (uint256 i = 0; i < prices.length; ++i) sum += prices[i].price;
        return _act(sum);
    }

    function bringOne(bytes[] calldata updates, uint64 feedId, uint32 minDay) external returns (uint256) {
        _bring(updates);
        return _act(_servedPrice(feedId, minDay).price);
    }

    function bringSeveral(
        bytes[] calldata updates,
        uint64[] calldata feedIds,
        uint32 minDay
    ) external returns (uint256) {
        _bring(updates);
        uint256 sum;
        for (uint256 i = 0; i < feedIds.length; ++i) sum += _servedPrice(feedIds[i], minDay).price;
        return _act(sum);
    }

    function _act(uint256 sum) private returns (uint256) {
        _value = sum;
        return sum;
    }
}
