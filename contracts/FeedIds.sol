// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title Market ids and feed ids
/// @notice Market ids are 1 … offset − 1. A feed id is the market id for sales and market id + offset for rental, so
///         1 … offset − 1 and offset + 1 … 2 · offset − 1; everything else is no feed.
library FeedIds {
    function isMarketId(uint256 id, uint256 rentalOffset) internal pure returns (bool) {
        return id != 0 && id < rentalOffset;
    }

    function isFeedId(uint256 id, uint256 rentalOffset) internal pure returns (bool) {
        unchecked {
            // The offset is at most 2^62.
            return id < 2 * rentalOffset && id != 0 && id != rentalOffset;
        }
    }
}
