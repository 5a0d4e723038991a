// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Price} from "./interfaces/IHomePriceOracle.sol";

/// @dev The latest price of a feed, in one slot:
///
///      | bits    | what                                                      |
///      |---------|-----------------------------------------------------------|
///      | 0-59    | price, 8 decimals; 0 when there is none                   |
///      | 60-103  | publish time, Unix milliseconds                           |
///      | 104-147 | expiry, Unix milliseconds                                 |
///      | 148-171 | day                                                       |
///      | 172-177 | signer                                                    |
///      | 178     | the feed is paused (stays when the price is replaced)     |
///
///      44 bits of milliseconds reach to the year 2527, 24 bits of days beyond the last year that four digits can write.
type LatestPrice is uint256;

using LatestPriceLibrary for LatestPrice global;

/// @title Reads and builds the packed latest price
library LatestPriceLibrary {
    uint256 private constant PRICE_MASK = (1 << 60) - 1;
    uint256 private constant TIME_BITS = 44;
    uint256 private constant TIME_MASK = (1 << TIME_BITS) - 1;
    uint256 private constant DAY_BITS = 24;
    uint256 private constant DAY_MASK = (1 << DAY_BITS) - 1;
    uint256 private constant SIGNER_MASK = (1 << 6) - 1;
    uint256 private constant PUBLISH_TIME_SHIFT = 60;
    uint256 private constant EXPIRY_SHIFT = 104;
    uint256 private constant DAY_SHIFT = 148;
    uint256 private constant SIGNER_SHIFT = 172;
    uint256 private constant PAUSED_BIT = 1 << 178;

    /// @notice A time or day that does not fit the slot; block time would have to be in the year 2527.
    error LatestPriceOverflow(uint256 publishTimeMs, uint256 expiryMs, uint256 day);

    /// @dev Packs a price, not paused. `newPrice` is below 2^60 and `newSigner` below 64: the callers have checked both.
    function pack(
        uint256 newPrice,
        uint256 newPublishTimeMs,
        uint256 newExpiryMs,
        uint256 newDay,
        uint256 newSigner
    ) internal pure returns (LatestPrice) {
        // One test for all three, as this is on every update's way.
        if (((newPublishTimeMs | newExpiryMs) >> TIME_BITS) | (newDay >> DAY_BITS) != 0) {
            revert LatestPriceOverflow(newPublishTimeMs, newExpiryMs, newDay);
        }
        return
            LatestPrice.wrap(
                newPrice |
                    (newPublishTimeMs << PUBLISH_TIME_SHIFT) |
                    (newExpiryMs << EXPIRY_SHIFT) |
                    (newDay << DAY_SHIFT) |
                    (newSigner << SIGNER_SHIFT)
            );
    }

    /// @dev The new price, which is not paused, with the pause flag of the one that it replaces.
    function replacedBy(LatestPrice latest, LatestPrice newer) internal pure returns (LatestPrice) {
        return LatestPrice.wrap(LatestPrice.unwrap(newer) | (LatestPrice.unwrap(latest) & PAUSED_BIT));
    }

    function price(LatestPrice latest) internal pure returns (uint256) {
        return LatestPrice.unwrap(latest) & PRICE_MASK;
    }

    function publishTimeMs(LatestPrice latest) internal pure returns (uint256) {
        return (LatestPrice.unwrap(latest) >> PUBLISH_TIME_SHIFT) & TIME_MASK;
    }

    function expiryMs(LatestPrice latest) internal pure returns (uint256) {
        return (LatestPrice.unwrap(latest) >> EXPIRY_SHIFT) & TIME_MASK;
    }

    function day(LatestPrice latest) internal pure returns (uint256) {
        return (LatestPrice.unwrap(latest) >> DAY_SHIFT) & DAY_MASK;
    }

    function signer(LatestPrice latest) internal pure returns (uint256) {
        return (LatestPrice.unwrap(latest) >> SIGNER_SHIFT) & SIGNER_MASK;
    }

    function isPaused(LatestPrice latest) internal pure returns (bool) {
        return LatestPrice.unwrap(latest) & PAUSED_BIT != 0;
    }

    function withPaused(LatestPrice latest, bool paused) internal pure returns (LatestPrice) {
        uint256 rest = LatestPrice.unwrap(latest) & ~PAUSED_BIT;
        return LatestPrice.wrap(paused ? rest | PAUSED_BIT : rest);
    }

    /// @notice The price as it is served: times in seconds, rounded down.
    function toPrice(LatestPrice latest) internal pure returns (Price memory) {
        return
            Price({
                price: uint64(latest.price()),
                publishTime: uint64(latest.publishTimeMs() / 1000),
                expiry: uint64(latest.expiryMs() / 1000),
                day: uint32(latest.day())
            });
    }
}
