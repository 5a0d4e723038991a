// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LatestPrice} from "../LatestPrice.sol";

/// @dev What waits outside a feed's band, and what has been vetoed, in one slot:
///
///      | bits    | what                                                                                          |
///      |---------|-----------------------------------------------------------------------------------------------|
///      | 0-175   | the price that waits, the content of a LatestPrice; zero when none does                       |
///      | 176-209 | block time since which its level waits, seconds; 0 when none does                             |
///      | 210-253 | nothing published then or before is taken, Unix milliseconds; 0 when nothing has been vetoed  |
///
///      What waits counts only while the feed's LatestPrice says so; a veto counts for ever. 34 bits of seconds reach to
///      the year 2514.
type WaitingPrice is uint256;

using WaitingPriceLibrary for WaitingPrice global;

/// @title Reads and builds the packed waiting price
library WaitingPriceLibrary {
    uint256 private constant PRICE_MASK = (1 << 60) - 1;
    uint256 private constant CONTENT_MASK = (1 << 176) - 1;
    uint256 private constant SINCE_SHIFT = 176;
    uint256 private constant SINCE_MASK = (1 << 34) - 1;
    uint256 private constant VETO_SHIFT = 210;
    uint256 private constant VETO_MASK = ((1 << 44) - 1) << VETO_SHIFT;

    /// @dev Lets a price wait in the place of what waits; vetoes stay.
    /// @param newSince Block time, seconds.
    function replacedBy(
        WaitingPrice waiting,
        LatestPrice newContent,
        uint256 newSince
    ) internal pure returns (WaitingPrice) {
        uint256 content_ = LatestPrice.unwrap(newContent) & CONTENT_MASK;
        uint256 veto = WaitingPrice.unwrap(waiting) & VETO_MASK;
        return WaitingPrice.wrap(content_ | (newSince << SINCE_SHIFT) | veto);
    }

    /// @dev Nothing waits; vetoes stay.
    function ended(WaitingPrice waiting) internal pure returns (WaitingPrice) {
        return WaitingPrice.wrap(WaitingPrice.unwrap(waiting) & VETO_MASK);
    }

    /// @dev Nothing waits, and nothing published up to what has waited is taken.
    function vetoed(WaitingPrice waiting) internal pure returns (WaitingPrice) {
        return WaitingPrice.wrap(waiting.content().publishTimeMs() << VETO_SHIFT);
    }

    /// @return Whether there is a price that can still be served.
    function isWaiting(WaitingPrice waiting) internal pure returns (bool) {
        return WaitingPrice.unwrap(waiting) & PRICE_MASK != 0;
    }

    /// @return A LatestPrice of nothing but the content.
    function content(WaitingPrice waiting) internal pure returns (LatestPrice) {
        return LatestPrice.wrap(WaitingPrice.unwrap(waiting) & CONTENT_MASK);
    }

    /// @return Block time, seconds.
    function since(WaitingPrice waiting) internal pure returns (uint256) {
        return (WaitingPrice.unwrap(waiting) >> SINCE_SHIFT) & SINCE_MASK;
    }

    /// @return Whether what was published at a time, Unix milliseconds, is not taken any more.
    function hasVetoed(WaitingPrice waiting, uint256 publishTimeMs) internal pure returns (bool) {
        return publishTimeMs != 0 && publishTimeMs <= waiting.vetoedUpToMs();
    }

    /// @return The latest publish time that has been vetoed, Unix milliseconds; 0 when none has.
    function vetoedUpToMs(WaitingPrice waiting) internal pure returns (uint256) {
        return (WaitingPrice.unwrap(waiting) & VETO_MASK) >> VETO_SHIFT;
    }
}
