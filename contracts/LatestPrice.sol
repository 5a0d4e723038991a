// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PriceBand} from "./guard/PriceBand.sol";
import {Price} from "./interfaces/Price.sol";

/// @dev The latest price of a feed, and what has to be known of the feed to replace it, in one slot:
///
///      | bits    | what                                                                                          |
///      |---------|-----------------------------------------------------------------------------------------------|
///      | 0-59    | price, 8 decimals; 0 when there is none                                                       |
///      | 60-103  | publish time, Unix milliseconds                                                               |
///      | 104-147 | expiry, Unix milliseconds                                                                     |
///      | 148-169 | day                                                                                           |
///      | 170-175 | signer                                                                                        |
///      | 176     | the feed is paused (stays when the price is replaced)                                         |
///      | 177     | the feed's WaitingPrice has to be looked at                                                   |
///      | 178-191 | band, basis points a day: 0 for the oracle's default, 16,383 for none (stays as well)         |
///      | 192-251 | reference: what a revision of this date is compared with; 0 when there is nothing             |
///      | 252-254 | days from the reference's date to this one, 7 for more                                        |
///
///      44 bits of milliseconds reach to the year 2527, 22 bits of days beyond the last year that four digits can write.
type LatestPrice is uint256;

using LatestPriceLibrary for LatestPrice global;

/// @title Reads and builds the packed latest price
library LatestPriceLibrary {
    /// @dev A band that is set to be none; 0 is one that is not set.
    uint256 internal constant NO_BAND = 0x3fff;

    uint256 private constant PRICE_MASK = (1 << 60) - 1;
    uint256 private constant TIME_BITS = 44;
    uint256 private constant TIME_MASK = (1 << TIME_BITS) - 1;
    uint256 private constant DAY_BITS = 22;
    uint256 private constant DAY_MASK = (1 << DAY_BITS) - 1;
    uint256 private constant SIGNER_MASK = (1 << 6) - 1;
    uint256 private constant PUBLISH_TIME_SHIFT = 60;
    uint256 private constant EXPIRY_SHIFT = 104;
    uint256 private constant DAY_SHIFT = 148;
    uint256 private constant SIGNER_SHIFT = 170;
    uint256 private constant PAUSED_BIT = 1 << 176;
    uint256 private constant WAITING_BIT = 1 << 177;
    uint256 private constant BAND_SHIFT = 178;
    uint256 private constant BAND_MASK = 0x3fff << BAND_SHIFT;
    uint256 private constant REFERENCE_SHIFT = 192;
    uint256 private constant DISTANCE_SHIFT = 252;
    /// @dev Reference and its distance.
    uint256 private constant REFERENCE_MASK = ((1 << 63) - 1) << REFERENCE_SHIFT;
    /// @dev What is of the feed, not of its price.
    uint256 private constant FEED_MASK = PAUSED_BIT | BAND_MASK;

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

    /// @dev What takes the place of the latest price: the newer one's content, what is of the feed, and as the reference
    ///      the price of the earlier date of the two. Nothing waits any more.
    /// @param newer Nothing but content, of the same date or a later one.
    function replacedBy(LatestPrice latest, LatestPrice newer) internal pure returns (LatestPrice) {
        unchecked {
            uint256 distance = newer.day() - latest.day();
            uint256 referenceBits = LatestPrice.unwrap(latest) & REFERENCE_MASK;
            if (distance != 0) {
                if (distance > PriceBand.FURTHEST) distance = PriceBand.FURTHEST;
                referenceBits = _reference(latest.price(), distance);
            }
            return latest.replacedByFirst(newer).with(referenceBits);
        }
    }

    /// @dev The same without a reference, for a feed that has no price.
    function replacedByFirst(LatestPrice latest, LatestPrice newer) internal pure returns (LatestPrice) {
        return newer.with(LatestPrice.unwrap(latest) & FEED_MASK);
    }

    /// @dev The same for a price that has waited: it is the reference of its own date, too.
    function replacedByReference(LatestPrice latest, LatestPrice newer) internal pure returns (LatestPrice) {
        return latest.replacedByFirst(newer).with(_reference(newer.price(), 1));
    }

    /// @dev Sets bits that have been zero.
    function with(LatestPrice latest, uint256 bits) internal pure returns (LatestPrice) {
        return LatestPrice.wrap(LatestPrice.unwrap(latest) | bits);
    }

    function _reference(uint256 referencePrice, uint256 distance) private pure returns (uint256) {
        return (referencePrice << REFERENCE_SHIFT) | (distance << DISTANCE_SHIFT);
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

    /// @return Whether something may wait, or has been vetoed, that a newer price has to be compared with.
    function isWaitedFor(LatestPrice latest) internal pure returns (bool) {
        return LatestPrice.unwrap(latest) & WAITING_BIT != 0;
    }

    function withWaiting(LatestPrice latest) internal pure returns (LatestPrice) {
        return latest.with(WAITING_BIT);
    }

    /// @return Basis points a day; 0 for the oracle's default, NO_BAND for none.
    function band(LatestPrice latest) internal pure returns (uint256) {
        return (LatestPrice.unwrap(latest) & BAND_MASK) >> BAND_SHIFT;
    }

    function withBand(LatestPrice latest, uint256 newBand) internal pure returns (LatestPrice) {
        return LatestPrice.wrap((LatestPrice.unwrap(latest) & ~BAND_MASK) | (newBand << BAND_SHIFT));
    }

    /// @dev What the price of a date is compared with: a later date's with the latest price, a revision of the latest
    ///      date with what that was compared with.
    /// @param newDay Not before the latest price's.
    /// @return referencePrice 8 decimals; 0 when there is nothing.
    /// @return distance Days between the dates, 1 to 7.
    function referenceFor(
        LatestPrice latest,
        uint256 newDay
    ) internal pure returns (uint256 referencePrice, uint256 distance) {
        unchecked {
            distance = newDay - latest.day();
        }
        if (distance != 0) return (latest.price(), distance > PriceBand.FURTHEST ? PriceBand.FURTHEST : distance);
        uint256 word = LatestPrice.unwrap(latest);
        return ((word >> REFERENCE_SHIFT) & PRICE_MASK, (word >> DISTANCE_SHIFT) & 7);
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
