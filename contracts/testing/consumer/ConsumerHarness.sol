// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {HomePriceConsumer} from "../../consumer/HomePriceConsumer.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {Price} from "../../interfaces/Price.sol";

/// @title A consumer that does nothing but get prices, with a multicall
/// @notice Test code only, never deployed.
contract ConsumerHarness is HomePriceConsumer, Multicall {
    constructor(IHomePriceOracle oracle) HomePriceConsumer(oracle) {}

    function pull(bytes[] calldata updates, uint64 feedId, uint32 minDay) external returns (Price memory) {
        return _pullPrice(updates, feedId, minDay);
    }

    function pullSales(bytes[] calldata updates, uint64 marketId, uint32 minDay) external returns (Price memory) {
        return _pullSalesPrice(updates, marketId, minDay);
    }

    function pullRental(bytes[] calldata updates, uint64 marketId, uint32 minDay) external returns (Price memory) {
        return _pullRentalPrice(updates, marketId, minDay);
    }

    function pullSeveral(
        bytes[] calldata updates,
        uint64[] calldata feedIds,
        uint32 minDay
    ) external returns (Price[] memory) {
        return _pullPrices(updates, feedIds, minDay);
    }

    function pullNoOlderThan(
        bytes[] calldata updates,
        uint64 feedId,
        uint32 minDay,
        uint256 maxAgeSeconds
    ) external returns (Price memory) {
        return _pullPriceNoOlderThan(updates, feedId, minDay, maxAgeSeconds);
    }

    function bring(bytes[] calldata updates, uint64 feedId, uint32 minDay) external returns (Price memory) {
        _bring(updates);
        return _servedPrice(feedId, minDay);
    }

    function bringNoOlderThan(
        bytes[] calldata updates,
        uint64 feedId,
        uint32 minDay,
        uint256 maxAgeSeconds
    ) external returns (Price memory) {
        _bring(updates);
        return _servedPriceNoOlderThan(feedId, minDay, maxAgeSeconds);
    }
}
