// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LatestPrice} from "../LatestPrice.sol";

/// @dev A price outside its feed's band, or one that has been vetoed, in one slot:
///
///      | bits    | what                                                                  |
///      |---------|-----------------------------------------------------------------------|
///      | 0-175   | what it says and who has signed it, the content of a LatestPrice      |
///      | 176     | vetoed: only its publish time still counts                            |
///      | 192-231 | block time since which its level waits, seconds                       |
///
///      It counts only while the feed's LatestPrice says so. Zero is none.
type WaitingPrice is uint256;

using WaitingPriceLibrary for WaitingPrice global;

/// @title Reads and builds the packed waiting price
library WaitingPriceLibrary {
    WaitingPrice internal constant NONE = WaitingPrice.wrap(0);

    uint256 private constant CONTENT_MASK = (1 << 176) - 1;
    uint256 private constant VETOED_BIT = 1 << 176;
    uint256 private constant SINCE_SHIFT = 192;
    uint256 private constant SINCE_MASK = (1 << 40) - 1;

    function pack(LatestPrice newContent, uint256 newSince) internal pure returns (WaitingPrice) {
        return WaitingPrice.wrap((LatestPrice.unwrap(newContent) & CONTENT_MASK) | (newSince << SINCE_SHIFT));
    }

    /// @return A LatestPrice of nothing but the content.
    function content(WaitingPrice waiting) internal pure returns (LatestPrice) {
        return LatestPrice.wrap(WaitingPrice.unwrap(waiting) & CONTENT_MASK);
    }

    function since(WaitingPrice waiting) internal pure returns (uint256) {
        return (WaitingPrice.unwrap(waiting) >> SINCE_SHIFT) & SINCE_MASK;
    }

    function isNone(WaitingPrice waiting) internal pure returns (bool) {
        return WaitingPrice.unwrap(waiting) == 0;
    }

    function isVetoed(WaitingPrice waiting) internal pure returns (bool) {
        return WaitingPrice.unwrap(waiting) & VETOED_BIT != 0;
    }

    /// @return Whether it can still be served.
    function isWaiting(WaitingPrice waiting) internal pure returns (bool) {
        return !waiting.isNone() && !waiting.isVetoed();
    }

    function vetoed(WaitingPrice waiting) internal pure returns (WaitingPrice) {
        return WaitingPrice.wrap(WaitingPrice.unwrap(waiting) | VETOED_BIT);
    }
}
