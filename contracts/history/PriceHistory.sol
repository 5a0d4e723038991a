// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {FeedRange} from "../FeedRange.sol";
import {IPriceHistory} from "../interfaces/IPriceHistory.sol";
import {DailyPrice} from "../interfaces/Price.sol";
import {LatestPrice} from "../LatestPrice.sol";
import {CalendarDate} from "../message/CalendarDate.sol";
import {OracleState} from "../signers/OracleState.sol";
import {SignerRegistry} from "../signers/SignerRegistry.sol";
import {DayPrice, DayPriceLibrary} from "./DayPrice.sol";
import {ThreeDays, ThreeDaysLibrary} from "./ThreeDays.sol";

/// @title Keeps the price of every date
/// @dev A date is written only before it is final. What a price that has waited would have written when it became the
///      latest is read as if it were written (`_unwritten`), so that it does not matter when, or whether, it is.
abstract contract PriceHistory is FeedRange, SignerRegistry {
    /// @dev A struct, so that a slot can be pointed at.
    struct Slot {
        ThreeDays prices;
    }

    /// @inheritdoc IPriceHistory
    uint256 public constant override SETTLEMENT_DELAY = 72 hours;

    uint256 private constant SETTLEMENT_DELAY_MS = SETTLEMENT_DELAY * 1000;
    /// @dev Most dates in a span that is read at once.
    uint256 private constant LONGEST_SPAN = 366;
    /// @dev A slot's key is the feed id above the number of the three days.
    uint256 private constant FEED_ID_SHIFT = 32;

    mapping(uint256 feedAndThreeDays => Slot) private _history;

    /// @inheritdoc IPriceHistory
    function priceOn(uint64 feedId, uint32 day) external view override returns (DailyPrice memory) {
        return _requirePriceOn(feedId, day);
    }

    /// @inheritdoc IPriceHistory
    function priceOnUnsafe(uint64 feedId, uint32 day) external view override returns (DailyPrice memory) {
        DayPrice entry = _entryOn(feedId, day);
        return (_isVoid(entry, day, _state) ? DayPriceLibrary.NONE : entry).toDailyPrice(day);
    }

    /// @inheritdoc IPriceHistory
    function settlementPrice(uint64 feedId, uint32 day) external view override returns (DailyPrice memory) {
        uint256 finalFrom = CalendarDate.startMs(day) / 1000 + SETTLEMENT_DELAY;
        if (block.timestamp < finalFrom) revert DayNotFinal(feedId, day, uint64(finalFrom));
        return _requirePriceOn(feedId, day);
    }

    /// @inheritdoc IPriceHistory
    function pricesBetween(
        uint64 feedId,
        uint32 fromDay,
        uint32 toDay
    ) public view override returns (uint64[] memory prices) {
        _requireFeed(feedId);
        uint256 span;
        unchecked {
            // A span that ends before it begins wraps to 0 or to one that is too long.
            span = uint256(toDay) - fromDay + 1;
        }
        if (span == 0 || span > LONGEST_SPAN) revert InvalidDaySpan(fromDay, toDay);
        OracleState state = _state;
        (LatestPrice unwritten, uint256 takenAtMs) = _unwritten(feedId);
        prices = new uint64[](span);
        ThreeDays slot;
        unchecked {
            // Days of 32 bits.
            for (uint256 i = 0; i < prices.length; ++i) {
                uint256 day = uint256(fromDay) + i;
                if (i == 0 || day % ThreeDaysLibrary.DAYS == 0) slot = _history[_key(feedId, day)].prices;
                DayPrice entry = _withUnwritten(slot.priceAt(ThreeDaysLibrary.placeOf(day)), day, unwritten, takenAtMs);
                if (!_isVoid(entry, day, state)) prices[i] = uint64(entry.price());
            }
        }
    }

    /// @inheritdoc IPriceHistory
    function missedDays(uint64 feedId, uint32 fromDay, uint32 toDay) external view override returns (uint256 missed) {
        uint64[] memory prices = pricesBetween(feedId, fromDay, toDay);
        for (uint256 i = 0; i < prices.length; ++i) {
            if (prices[i] == 0) ++missed;
        }
    }

    /// @dev Writes a price into its date's place.
    /// @param takenAtMs When it became the price of its date: a whole second if time alone did it, past one if a transaction
    ///        did. A revocation is a transaction, and so the later one of what happens in a second by time alone.
    /// @return Whether the date was not final by then.
    function _record(uint256 feedId, LatestPrice price, uint256 takenAtMs) internal returns (bool) {
        uint256 day = price.day();
        Slot storage slot = _history[_key(feedId, day)];
        ThreeDays prices = slot.prices;
        uint256 place = ThreeDaysLibrary.placeOf(day);
        DayPrice entry = _entryOf(price, prices.priceAt(place), takenAtMs);
        if (entry.isNone()) return false;
        slot.prices = prices.with(place, entry);
        return true;
    }

    /// @dev What is recorded for a date, revoked signers' prices included.
    function _entryOn(uint256 feedId, uint256 day) internal view returns (DayPrice) {
        (LatestPrice unwritten, uint256 takenAtMs) = _unwritten(feedId);
        return
            _withUnwritten(
                _history[_key(feedId, day)].prices.priceAt(ThreeDaysLibrary.placeOf(day)),
                day,
                unwritten,
                takenAtMs
            );
    }

    /// @dev Whether a signer has been revoked for this date.
    function _isVoid(DayPrice entry, uint256 day, OracleState state) internal view returns (bool) {
        uint256 signer = entry.signer();
        return state.isRevoked(signer) && day >= _signerRecord(signer).revokedSinceDay;
    }

    /// @dev A feed's price that has become the latest without having been written.
    /// @return price Zero if there is none.
    /// @return takenAtMs When it became the latest.
    function _unwritten(uint256 feedId) internal view virtual returns (LatestPrice price, uint256 takenAtMs);

    function _requirePriceOn(uint64 feedId, uint32 day) private view returns (DailyPrice memory) {
        _requireFeed(feedId);
        DayPrice entry = _entryOn(feedId, day);
        if (entry.isNone()) revert NoPriceOn(feedId, day);
        if (_isVoid(entry, day, _state)) revert PriceSignerRevoked(feedId, uint8(entry.signer()));
        return entry.toDailyPrice(day);
    }

    function _withUnwritten(
        DayPrice entry,
        uint256 day,
        LatestPrice unwritten,
        uint256 takenAtMs
    ) private view returns (DayPrice) {
        if (unwritten.price() == 0 || unwritten.day() != day) return entry;
        DayPrice newer = _entryOf(unwritten, entry, takenAtMs);
        return newer.isNone() ? entry : newer;
    }

    /// @dev What a price makes of its date's place.
    /// @return None if the date was final by the time that the price was taken, or published.
    function _entryOf(LatestPrice price, DayPrice previous, uint256 takenAtMs) private view returns (DayPrice) {
        uint256 day = price.day();
        uint256 publishTimeMs = price.publishTimeMs();
        unchecked {
            // The publish time is not before the date; one that is before the date is final has 18 bits of seconds.
            uint256 startMs = CalendarDate.startMs(day);
            if ((takenAtMs > publishTimeMs ? takenAtMs : publishTimeMs) - startMs >= SETTLEMENT_DELAY_MS) {
                return DayPriceLibrary.NONE;
            }
            DayPrice entry = DayPriceLibrary.pack(price.price(), (publishTimeMs - startMs) / 1000, price.signer());
            return previous.isNone() ? entry : _entryAfter(entry, previous, day, takenAtMs);
        }
    }

    /// @dev The same with the mark of a revision, if it is one. What has been revoked only afterwards changes nothing: a
    ///      price that is read before it is written would not be the same for ever.
    function _entryAfter(
        DayPrice entry,
        DayPrice previous,
        uint256 day,
        uint256 takenAtMs
    ) private view returns (DayPrice) {
        if (previous.price() == entry.price() && !previous.isRevised()) return entry;
        if (!_isVoid(previous, day, _state)) return entry.revised();
        unchecked {
            // Seconds of 40 bits.
            uint256 revokedAtMs = uint256(_signerRecord(previous.signer()).revokedAt) * 1000;
            return revokedAtMs < takenAtMs ? entry : entry.revised();
        }
    }

    function _key(uint256 feedId, uint256 day) private pure returns (uint256) {
        unchecked {
            return (feedId << FEED_ID_SHIFT) | (day / ThreeDaysLibrary.DAYS);
        }
    }
}
