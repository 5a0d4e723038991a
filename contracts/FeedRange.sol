// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {FeedIds} from "./FeedIds.sol";
import {IHomePriceOracle} from "./interfaces/IHomePriceOracle.sol";

/// @title Which ids are feeds
abstract contract FeedRange is IHomePriceOracle {
    uint256 private constant HIGHEST_RENTAL_OFFSET = 1 << 62;

    /// @notice The rental offset is 0, 1, or so large that feed ids would not fit 64 bits.
    error InvalidRentalOffset(uint256 rentalOffset);

    /// @inheritdoc IHomePriceOracle
    uint64 public immutable override RENTAL_OFFSET;

    constructor(uint256 rentalOffset) {
        if (rentalOffset < 2 || rentalOffset > HIGHEST_RENTAL_OFFSET) revert InvalidRentalOffset(rentalOffset);
        RENTAL_OFFSET = uint64(rentalOffset);
    }

    function _requireFeed(uint256 feedId) internal view {
        if (!FeedIds.isFeedId(feedId, RENTAL_OFFSET)) revert UnknownFeed(uint64(feedId));
    }
}
