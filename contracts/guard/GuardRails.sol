// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {blockTimeMs} from "../BlockTime.sol";
import {Finding, Findings} from "../Finding.sol";
import {PriceHistory} from "../history/PriceHistory.sol";
import {DayPrice} from "../history/DayPrice.sol";
import {IGuardRails} from "../interfaces/IGuardRails.sol";
import {PendingPrice} from "../interfaces/Price.sol";
import {LatestPrice, LatestPriceLibrary} from "../LatestPrice.sol";
import {CalendarDate} from "../message/CalendarDate.sol";
import {OracleState} from "../signers/OracleState.sol";
import {PriceBand} from "./PriceBand.sol";
import {WaitingPrice} from "./WaitingPrice.sol";

/// @title Takes prices inside their feed's band, and lets the others wait
/// @dev A waiting price becomes the latest by the passing of time alone: `_resolve` says what the stored words mean now,
///      and every read and every update goes by that. It is written when the feed is next, or never.
abstract contract GuardRails is PriceHistory {
    /// @dev A wider band that is under way, or has arrived without having been written.
    struct NextBand {
        uint16 band; // as in LatestPrice
        uint64 from; // block time, seconds; 0: none
    }

    uint256 private constant MIN_QUARANTINE_DELAY = 1 hours;
    uint256 private constant MAX_QUARANTINE_DELAY = 48 hours;
    /// @dev How many days before a date its correction looks for a price to be compared with.
    uint256 private constant DAYS_LOOKED_BACK = 7;

    /// @inheritdoc IGuardRails
    uint256 public immutable override QUARANTINE_DELAY;
    /// @inheritdoc IGuardRails
    uint16 public immutable override DEFAULT_BAND;

    /// @dev What is stored; `_resolve` says what it means.
    mapping(uint256 feedId => LatestPrice latest) internal _latest;
    mapping(uint256 feedId => WaitingPrice waiting) private _waiting;
    mapping(uint256 feedId => NextBand next) private _nextBands;

    /// @param quarantineDelay In seconds, 1 to 48 hours.
    /// @param defaultBand Basis points a day, at most 10,000; 0: none.
    constructor(uint256 quarantineDelay, uint256 defaultBand) {
        if (quarantineDelay < MIN_QUARANTINE_DELAY || quarantineDelay > MAX_QUARANTINE_DELAY) {
            revert InvalidQuarantineDelay(quarantineDelay);
        }
        if (defaultBand > PriceBand.WHOLE) revert InvalidBand(defaultBand);
        QUARANTINE_DELAY = quarantineDelay;
        DEFAULT_BAND = uint16(defaultBand);
    }

    // -------------------------------------------------------------------------------------------------------- bands

    /// @inheritdoc IGuardRails
    function setBands(uint64[] calldata feedIds, uint16 band) external override onlyOwner {
        if (band > PriceBand.WHOLE) revert InvalidBand(band);
        uint256 written = band == 0 ? LatestPriceLibrary.NO_BAND : band;
        for (uint256 i = 0; i < feedIds.length; ++i) {
            uint64 feedId = feedIds[i];
            _requireFeed(feedId);
            uint256 current = _bandNow(feedId);
            uint256 from = block.timestamp;
            if (current != 0 && (band == 0 || band > current)) {
                from = _afterGovernanceDelay();
                // What holds until then may be a change that has arrived without having been written.
                _latest[feedId] = _latest[feedId].withBand(current);
                _nextBands[feedId] = NextBand({band: uint16(written), from: uint64(from)});
            } else {
                _latest[feedId] = _latest[feedId].withBand(written);
                delete _nextBands[feedId];
            }
            emit BandSet(feedId, band, uint64(from));
        }
    }

    /// @inheritdoc IGuardRails
    function bandOf(uint64 feedId) external view override returns (uint16 band, uint16 nextBand, uint64 nextFrom) {
        _requireFeed(feedId);
        band = uint16(_bandNow(feedId));
        NextBand memory next = _nextBands[feedId];
        if (block.timestamp < next.from) (nextBand, nextFrom) = (uint16(_basisPoints(next.band)), next.from);
    }

    // --------------------------------------------------------------------------------------------------- quarantine

    /// @inheritdoc IGuardRails
    function confirmPrice(uint64 feedId, uint64 waitingSince) external override onlyGuardian {
        (LatestPrice latest, WaitingPrice waiting) = _requirePending(feedId, waitingSince);
        LatestPrice confirmed = latest.replacedByReference(waiting.content());
        _take(feedId, latest, confirmed, _takenNowMs());
        emit PendingPriceConfirmed(feedId, uint64(confirmed.publishTimeMs()));
    }

    /// @inheritdoc IGuardRails
    function vetoPrice(uint64 feedId, uint64 waitingSince) external override onlyGuardian {
        (, WaitingPrice waiting) = _requirePending(feedId, waitingSince);
        _waiting[feedId] = waiting.vetoed();
        emit PendingPriceVetoed(feedId, uint64(waiting.content().publishTimeMs()));
    }

    /// @inheritdoc IGuardRails
    function pendingPrice(uint64 feedId) external view override returns (PendingPrice memory pending) {
        (, WaitingPrice waiting, ) = _resolve(feedId, _latest[feedId], _state);
        if (!waiting.isWaiting()) return pending;
        pending.price = waiting.content().toPrice();
        pending.signer = uint8(waiting.content().signer());
        pending.waitingSince = uint64(waiting.since());
        pending.servedFrom = uint64(_servedFrom(waiting));
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev Takes a price that has passed all checks, or lets it wait, or passes it over. It is newer than every veto: the
    ///      call that brings it cannot have changed that.
    /// @return Whether it is the latest price now, or its date's, or waits.
    function _store(uint256 feedId, LatestPrice newer, OracleState state) internal returns (bool) {
        LatestPrice latest = _latest[feedId];
        WaitingPrice waiting;
        if (latest.isWaitedFor()) {
            (latest, waiting) = _release(feedId, latest, state);
            if (_isWhatWaits(newer.publishTimeMs(), waiting)) return false;
        }
        if (!_isPresent(latest, state)) {
            _take(feedId, newer, latest.replacedByFirst(newer), _takenNowMs());
            return true;
        }
        uint256 day = newer.day();
        if (newer.publishTimeMs() <= latest.publishTimeMs()) return false;
        if (day < latest.day()) return _correct(feedId, newer, latest, state);
        if (!_isWithinBand(feedId, newer, latest)) return _quarantine(feedId, newer, latest, waiting);
        LatestPrice next = latest.replacedBy(newer);
        // One that is older than what waits does not end the wait: nobody can call it off with a price kept back.
        if (waiting.isWaiting() && _outlasts(waiting, newer)) next = next.withWaiting();
        _take(feedId, latest, next, _takenNowMs());
        return true;
    }

    /// @dev What can be said of an update's publish time: NOT_NEWER, WAITS_ALREADY, or else TO_VERIFY.
    function _compareWithStored(
        uint256 feedId,
        uint256 publishTimeMs,
        OracleState state
    ) internal view returns (Finding) {
        LatestPrice latest = _latest[feedId];
        if (!latest.isWaitedFor()) {
            // What has been taken since a veto is newer than it.
            if (publishTimeMs > latest.publishTimeMs()) return Findings.TO_VERIFY;
            if (_isPresent(latest, state)) return Findings.NOT_NEWER;
            // A price of a revoked signer keeps nothing out any more; a veto before it does.
            return _waiting[feedId].hasVetoed(publishTimeMs) ? Findings.NOT_NEWER : Findings.TO_VERIFY;
        }
        WaitingPrice waiting;
        (latest, waiting, ) = _resolve(feedId, latest, state);
        if (publishTimeMs <= latest.publishTimeMs() && _isPresent(latest, state)) return Findings.NOT_NEWER;
        if (waiting.hasVetoed(publishTimeMs)) return Findings.NOT_NEWER;
        return _isWhatWaits(publishTimeMs, waiting) ? Findings.WAITS_ALREADY : Findings.TO_VERIFY;
    }

    /// @dev The latest price now.
    function _latestNow(uint256 feedId, OracleState state) internal view returns (LatestPrice latest) {
        latest = _latest[feedId];
        if (latest.isWaitedFor()) (latest, , ) = _resolve(feedId, latest, state);
    }

    /// @dev When the price that waits is going to be served by itself, seconds; 0 if none waits.
    function _servedFrom(uint256 feedId, OracleState state) internal view returns (uint256) {
        (, WaitingPrice waiting, ) = _resolve(feedId, _latest[feedId], state);
        return waiting.isWaiting() ? _servedFrom(waiting) : 0;
    }

    /// @dev Whether there is a price whose signer has not been revoked.
    function _isPresent(LatestPrice latest, OracleState state) internal pure returns (bool) {
        return latest.price() != 0 && !state.isRevoked(latest.signer());
    }

    function _unwritten(uint256 feedId) internal view override returns (LatestPrice price, uint256 takenAtMs) {
        LatestPrice latest = _latest[feedId];
        if (!latest.isWaitedFor()) return (price, 0);
        (latest, , takenAtMs) = _resolve(feedId, latest, _state);
        if (takenAtMs != 0) price = latest;
    }

    /// @dev What the stored words mean now.
    /// @return latest The latest price.
    /// @return waiting What waits, if anything does, and what has been vetoed.
    /// @return takenAtMs When what has waited became the latest price without being written; 0 if nothing has.
    function _resolve(
        uint256 feedId,
        LatestPrice stored,
        OracleState state
    ) private view returns (LatestPrice latest, WaitingPrice waiting, uint256 takenAtMs) {
        latest = stored;
        if (!stored.isWaitedFor()) return (latest, waiting, 0);
        waiting = _waiting[feedId];
        if (!waiting.isWaiting()) return (latest, waiting, 0);
        uint256 servedFrom = _servedFrom(waiting);
        uint256 signer = waiting.content().signer();
        bool revoked = state.isRevoked(signer);
        // A key that was revoked later had signed the latest price by then, like any other.
        if (block.timestamp >= servedFrom && (!revoked || _signerRecord(signer).revokedAt >= servedFrom)) {
            unchecked {
                takenAtMs = servedFrom * 1000;
            }
            return (stored.replacedByReference(waiting.content()), waiting.ended(), takenAtMs);
        }
        if (revoked) waiting = waiting.ended();
    }

    /// @dev The same, and writes what has become the latest price.
    function _release(
        uint256 feedId,
        LatestPrice stored,
        OracleState state
    ) private returns (LatestPrice latest, WaitingPrice waiting) {
        uint256 takenAtMs;
        (latest, waiting, takenAtMs) = _resolve(feedId, stored, state);
        if (takenAtMs != 0) _take(feedId, stored, latest, takenAtMs);
    }

    /// @dev When a price is taken that a transaction takes now: after what time alone did at the beginning of the second.
    function _takenNowMs() private view returns (uint256) {
        unchecked {
            return blockTimeMs() + 1;
        }
    }

    /// @dev Writes the latest price and its date's, and says so.
    /// @param previous What it takes the place of.
    function _take(uint256 feedId, LatestPrice previous, LatestPrice next, uint256 takenAtMs) private {
        _latest[feedId] = next;
        _record(feedId, next, takenAtMs);
        emit PriceUpdated(
            uint64(feedId),
            uint32(next.day()),
            uint64(next.price()),
            uint64(next.publishTimeMs()),
            uint64(next.expiryMs()),
            uint8(next.signer())
        );
        if (previous.price() != next.price() && previous.day() == next.day()) {
            emit PriceRevised(uint64(feedId), uint32(next.day()), uint64(previous.price()), uint64(next.price()));
        }
    }

    /// @dev Lets a price wait: in the place of one of its level that waits already, or as a new level.
    /// @param waiting What waits, if anything does.
    /// @return Whether it waits; one that is older than what waits already is passed over.
    function _quarantine(
        uint256 feedId,
        LatestPrice newer,
        LatestPrice latest,
        WaitingPrice waiting
    ) private returns (bool) {
        uint256 since = block.timestamp;
        if (waiting.isWaiting()) {
            LatestPrice level = waiting.content();
            if (!_isPublishedAfter(newer, waiting) || newer.day() < level.day()) return false;
            uint256 distance = PriceBand.distanceBetween(newer.day(), level.day());
            if (_isWithin(feedId, latest, newer.price(), level.price(), distance)) since = waiting.since();
        }
        WaitingPrice next = _waiting[feedId].replacedBy(newer, since);
        _waiting[feedId] = next;
        _latest[feedId] = latest.withWaiting();
        emit PriceQuarantined(
            uint64(feedId),
            uint32(newer.day()),
            uint64(newer.price()),
            uint64(newer.publishTimeMs()),
            uint64(newer.expiryMs()),
            uint8(newer.signer()),
            uint64(_servedFrom(next))
        );
        return true;
    }

    /// @dev Changes the price of a date before the latest price's, and nothing else. Outside the band it is passed over:
    ///      what waits is going to be the latest price.
    function _correct(uint256 feedId, LatestPrice newer, LatestPrice latest, OracleState state) private returns (bool) {
        (uint256 day, uint256 price) = (newer.day(), newer.price());
        DayPrice entry = _entryOn(feedId, day);
        bool isRevision = !entry.isNone() && !_isVoid(entry, day, state);
        uint256 publishTimeMs = newer.publishTimeMs();
        // History knows publish times in seconds.
        uint256 publishSeconds;
        unchecked {
            // It has been checked that no price is published before its date.
            publishSeconds = (publishTimeMs - CalendarDate.startMs(day)) / 1000;
        }
        if (isRevision && publishSeconds <= entry.publishSeconds()) return false;

        (uint256 referencePrice, uint256 distance) = _referenceInThePast(feedId, day, latest, state);
        if (!_isWithin(feedId, latest, price, referencePrice, distance)) {
            emit PastPriceOutOfBand(
                uint64(feedId),
                uint32(day),
                uint64(price),
                uint64(publishTimeMs),
                uint8(newer.signer())
            );
            return false;
        }
        if (!_record(feedId, newer, _takenNowMs())) return false;
        emit PastPriceRecorded(
            uint64(feedId),
            uint32(day),
            uint64(price),
            uint64(publishTimeMs),
            uint8(newer.signer())
        );
        if (isRevision && entry.price() != price) {
            emit PriceRevised(uint64(feedId), uint32(day), uint64(entry.price()), uint64(price));
        }
        return true;
    }

    /// @dev What the price of a date before the latest price's is compared with: the last one of the week before it, or
    ///      else the latest price.
    function _referenceInThePast(
        uint256 feedId,
        uint256 day,
        LatestPrice latest,
        OracleState state
    ) private view returns (uint256 referencePrice, uint256 distance) {
        unchecked {
            for (distance = 1; distance <= DAYS_LOOKED_BACK && distance <= day; ++distance) {
                DayPrice entry = _entryOn(feedId, day - distance);
                if (!entry.isNone() && !_isVoid(entry, day - distance, state)) return (entry.price(), distance);
            }
        }
        return (latest.price(), PriceBand.distanceBetween(day, latest.day()));
    }

    /// @dev Whether a price, whose date is not before the latest price's, may follow it.
    function _isWithinBand(uint256 feedId, LatestPrice newer, LatestPrice latest) private view returns (bool) {
        uint256 band = _basisPoints(latest.band());
        if (band == 0) return true;
        (uint256 price, uint256 day) = (newer.price(), newer.day());
        // A refresh says nothing new, whatever the band has become since.
        if (day == latest.day() && price == latest.price()) return true;
        (uint256 referencePrice, uint256 distance) = latest.referenceFor(day);
        if (referencePrice == 0 || PriceBand.isWithin(price, referencePrice, band, distance)) return true;
        return _isWithinBandNow(feedId, price, referencePrice, distance);
    }

    /// @dev The same for prices that are not the next latest.
    function _isWithin(
        uint256 feedId,
        LatestPrice latest,
        uint256 price,
        uint256 referencePrice,
        uint256 distance
    ) private view returns (bool) {
        uint256 band = _basisPoints(latest.band());
        if (band == 0 || PriceBand.isWithin(price, referencePrice, band, distance)) return true;
        return _isWithinBandNow(feedId, price, referencePrice, distance);
    }

    /// @dev Where the written band is too narrow, a wider one may have arrived.
    function _isWithinBandNow(
        uint256 feedId,
        uint256 price,
        uint256 referencePrice,
        uint256 distance
    ) private view returns (bool) {
        uint256 band = _bandNow(feedId);
        return band == 0 || PriceBand.isWithin(price, referencePrice, band, distance);
    }

    /// @return Basis points a day; 0: none.
    function _bandNow(uint256 feedId) private view returns (uint256) {
        NextBand memory next = _nextBands[feedId];
        bool arrived = next.from != 0 && block.timestamp >= next.from;
        return _basisPoints(arrived ? next.band : _latest[feedId].band());
    }

    /// @dev From the band as it is written.
    function _basisPoints(uint256 written) private view returns (uint256) {
        if (written == 0) return DEFAULT_BAND;
        return written == LatestPriceLibrary.NO_BAND ? 0 : written;
    }

    function _requirePending(
        uint64 feedId,
        uint64 waitingSince
    ) private view returns (LatestPrice latest, WaitingPrice waiting) {
        (latest, waiting, ) = _resolve(feedId, _latest[feedId], _state);
        if (!waiting.isWaiting()) revert NoPendingPrice(feedId);
        if (waiting.since() != waitingSince) revert PendingPriceChanged(feedId, uint64(waiting.since()));
    }

    /// @return When a waiting price becomes the latest by itself, seconds.
    function _servedFrom(WaitingPrice waiting) private view returns (uint256) {
        unchecked {
            // A block's time and at most 48 hours.
            return waiting.since() + QUARANTINE_DELAY;
        }
    }

    /// @dev Whether what waits still does when a price inside the band is taken.
    function _outlasts(WaitingPrice waiting, LatestPrice newer) private pure returns (bool) {
        return !_isPublishedAfter(newer, waiting) && waiting.content().day() >= newer.day();
    }

    function _isWhatWaits(uint256 publishTimeMs, WaitingPrice waiting) private pure returns (bool) {
        return waiting.isWaiting() && publishTimeMs == waiting.content().publishTimeMs();
    }

    function _isPublishedAfter(LatestPrice newer, WaitingPrice waiting) private pure returns (bool) {
        return newer.publishTimeMs() > waiting.content().publishTimeMs();
    }
}
