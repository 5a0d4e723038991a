// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DailyPrice, Freshness, PendingPrice, Price} from "../../../contracts/interfaces/Price.sol";

/// @dev What an update says, and by whom it is signed. Price 0: nothing.
struct Said {
    uint64 price;
    uint64 publishTimeMs;
    uint64 expiryMs;
    uint32 day;
    uint8 signer;
}

/// @dev The price of a date.
struct ModelEntry {
    Said said;
    bool isRevised;
}

/// @dev A feed, nothing packed and nothing lazy.
struct ModelFeed {
    Said latest;
    /// What a revision of the latest date is compared with, and how many days before; 0 when there is nothing.
    uint256 referencePrice;
    uint256 referenceDistance;
    Said waiting;
    uint256 waitingSince;
    /// Nothing published then or before is taken any more.
    uint256 vetoedUpToMs;
    uint256 band;
    uint256 nextBand;
    /// 0: no wider band is under way.
    uint256 nextBandFrom;
    bool isPaused;
    mapping(uint256 day => ModelEntry entry) history;
}

/// @dev A signer's record.
struct ModelSigner {
    uint8 key;
    uint256 usableFrom;
    uint256 validFrom;
    /// 0: no retirement.
    uint256 validUntil;
    bool isRevoked;
    bool isCancelled;
    uint256 revokedSinceDay;
}

/// @dev What can become of prices; counted, so that a test can tell whether random steps bring it all about.
enum Happening {
    First,
    NewDate,
    Refresh,
    Revision,
    AfterRevocation,
    BeginsToWait,
    WaitsInPlaceOfItsLevel,
    BeginsANewLevel,
    OlderThanWhatWaits,
    EndsTheWait,
    LeavesTheWait,
    ServedByItself,
    Confirmed,
    Vetoed,
    NotNewerThanAVeto,
    VetoOutlastsARevocation,
    WaitsOnlyNow,
    WaitsNoLonger,
    RevokedWhileItWaits,
    Corrected,
    CorrectedAgain,
    CorrectionOutOfBand,
    DateIsFinal,
    WiderBandHolds,
    NotNewer,
    Forged,
    NotInTime,
    NotEntitled,
    SettledWithPrice,
    SettledWithoutPrice
}

/// @title What the rules say, in plain words of the language
/// @dev Written from the interfaces' NatSpec, against which the oracle is compared after every step. It is told when
///      time has passed, and knows of signatures only what the handler says about them.
abstract contract OracleModel {
    /// @dev The block time; the compiler may read `block.timestamp` once for a whole function.
    function _now() internal view virtual returns (uint256);

    uint256 internal constant QUARANTINE_DELAY = 6 hours;
    uint256 internal constant SIGNER_DELAY = 24 hours;
    uint256 internal constant RETIREMENT_GRACE = 48 hours;
    uint256 internal constant SETTLEMENT_DELAY = 72 hours;
    uint256 internal constant DAY_MS = 86_400_000;

    mapping(Happening what => uint256 times) public happened;

    mapping(uint256 feedId => ModelFeed feed) internal modelFeeds;
    mapping(uint256 number => ModelSigner signer) internal modelSigners;
    uint8 internal modelSignerCount;
    bool internal modelIsPaused;

    // ------------------------------------------------------------------------------------------------------- signers

    function _isUsable(uint256 number) internal view returns (bool) {
        ModelSigner storage signer = modelSigners[number];
        if (number == 0 || number > modelSignerCount || signer.isRevoked || signer.isCancelled) return false;
        if (_now() < signer.usableFrom) return false;
        return signer.validUntil == 0 || _now() < signer.validUntil + RETIREMENT_GRACE;
    }

    function _isEntitled(uint256 number, uint256 publishTimeMs) internal view returns (bool) {
        ModelSigner storage signer = modelSigners[number];
        if (!_isUsable(number) || publishTimeMs < signer.validFrom * 1000) return false;
        return signer.validUntil == 0 || publishTimeMs < signer.validUntil * 1000;
    }

    /// @dev Times of the specification, bounds included; the price's own bounds.
    function _isInTime(Said memory said) internal view returns (bool) {
        uint256 nowMs = _now() * 1000;
        uint256 startMs = said.day * DAY_MS;
        return
            said.price != 0 &&
            said.price < 1 << 60 &&
            said.expiryMs >= nowMs &&
            said.expiryMs <= nowMs + 25 hours * 1000 &&
            uint256(said.publishTimeMs) + 48 hours * 1000 >= nowMs &&
            said.publishTimeMs <= nowMs + 1 hours * 1000 &&
            said.publishTimeMs >= startMs &&
            said.expiryMs > startMs &&
            said.expiryMs <= startMs + 72 hours * 1000;
    }

    // --------------------------------------------------------------------------------------------------------- feeds

    /// @dev Time has passed: what has waited long enough is the latest price since then.
    function _passTime(uint256 feedId) internal {
        ModelFeed storage feed = modelFeeds[feedId];
        if (feed.nextBandFrom != 0 && _now() >= feed.nextBandFrom) {
            (feed.band, feed.nextBand, feed.nextBandFrom) = (feed.nextBand, 0, 0);
            ++happened[Happening.WiderBandHolds];
        }
        uint256 servedFrom = feed.waitingSince + QUARANTINE_DELAY;
        if (feed.waiting.price == 0 || _now() < servedFrom) return;
        ++happened[Happening.ServedByItself];
        _serveWaiting(feed, servedFrom);
    }

    /// @dev It is the reference from then on, also of its own date.
    function _serveWaiting(ModelFeed storage feed, uint256 takenAt) internal {
        feed.latest = feed.waiting;
        (feed.referencePrice, feed.referenceDistance) = (feed.waiting.price, 1);
        delete feed.waiting;
        _record(feed, feed.latest, takenAt);
    }

    function _isAbsent(Said storage said) internal view returns (bool) {
        return said.price == 0 || modelSigners[said.signer].isRevoked;
    }

    /// @dev Whether an update is passed over whatever else may be wrong with it.
    function _isOld(uint256 feedId, uint256 publishTimeMs) internal view returns (bool) {
        ModelFeed storage feed = modelFeeds[feedId];
        if (!_isAbsent(feed.latest) && publishTimeMs <= feed.latest.publishTimeMs) return true;
        if (feed.waiting.price != 0 && publishTimeMs == feed.waiting.publishTimeMs) return true;
        return publishTimeMs <= feed.vetoedUpToMs;
    }

    /// @dev A valid update that is not old.
    /// @return Whether it is the latest price now, or its date's, or waits.
    function _take(uint256 feedId, Said memory said) internal returns (bool) {
        ModelFeed storage feed = modelFeeds[feedId];
        if (_isAbsent(feed.latest)) {
            ++happened[feed.latest.price == 0 ? Happening.First : Happening.AfterRevocation];
            feed.latest = said;
            (feed.referencePrice, feed.referenceDistance) = (0, 0);
            delete feed.waiting;
            _record(feed, said, _now());
            return true;
        }
        if (said.day < feed.latest.day) return _correct(feed, said);
        if (!_followsWithinBand(feed, said)) return _letWait(feed, said);
        // A newer one ends the wait; one that is older than what waits, or of an earlier date, does not.
        bool endsWait = said.publishTimeMs > feed.waiting.publishTimeMs || said.day > feed.waiting.day;
        if (feed.waiting.price != 0) ++happened[endsWait ? Happening.EndsTheWait : Happening.LeavesTheWait];
        if (endsWait) delete feed.waiting;
        if (said.day > feed.latest.day) {
            feed.referencePrice = feed.latest.price;
            feed.referenceDistance = _daysBetween(said.day, feed.latest.day);
            ++happened[Happening.NewDate];
        } else {
            ++happened[said.price == feed.latest.price ? Happening.Refresh : Happening.Revision];
        }
        feed.latest = said;
        _record(feed, said, _now());
        return true;
    }

    function _followsWithinBand(ModelFeed storage feed, Said memory said) private view returns (bool) {
        if (said.day == feed.latest.day) {
            // A refresh, or a revision.
            if (said.price == feed.latest.price || feed.referencePrice == 0) return true;
            return _isWithin(feed.band, said.price, feed.referencePrice, feed.referenceDistance);
        }
        return _isWithin(feed.band, said.price, feed.latest.price, _daysBetween(said.day, feed.latest.day));
    }

    function _letWait(ModelFeed storage feed, Said memory said) private returns (bool) {
        Said memory level = feed.waiting;
        if (level.price != 0) {
            if (said.publishTimeMs <= level.publishTimeMs || said.day < level.day) {
                ++happened[Happening.OlderThanWhatWaits];
                return false;
            }
            bool isSameLevel = _isWithin(feed.band, said.price, level.price, _daysBetween(said.day, level.day));
            if (!isSameLevel) feed.waitingSince = _now();
            ++happened[isSameLevel ? Happening.WaitsInPlaceOfItsLevel : Happening.BeginsANewLevel];
        } else {
            ++happened[Happening.BeginsToWait];
            feed.waitingSince = _now();
        }
        feed.waiting = said;
        return true;
    }

    /// @dev A newer price of an earlier date changes that date's price alone.
    function _correct(ModelFeed storage feed, Said memory said) private returns (bool) {
        ModelEntry storage entry = feed.history[said.day];
        if (!_isVoid(entry, said.day) && said.publishTimeMs / 1000 <= entry.said.publishTimeMs / 1000) return false;
        (uint256 referencePrice, uint256 distance) = (feed.latest.price, _daysBetween(said.day, feed.latest.day));
        for (uint256 daysBefore = 7; daysBefore != 0; --daysBefore) {
            ModelEntry storage before = feed.history[said.day - daysBefore];
            if (_isVoid(before, said.day - daysBefore)) continue;
            (referencePrice, distance) = (before.said.price, daysBefore);
        }
        if (!_isWithin(feed.band, said.price, referencePrice, distance)) {
            ++happened[Happening.CorrectionOutOfBand];
            return false;
        }
        bool isAgain = !_isVoid(entry, said.day);
        if (!_record(feed, said, _now())) return false;
        ++happened[isAgain ? Happening.CorrectedAgain : Happening.Corrected];
        return true;
    }

    /// @dev Until the date is final, its price is the last one taken.
    function _record(ModelFeed storage feed, Said memory said, uint256 takenAt) private returns (bool) {
        uint256 finalFrom = uint256(said.day) * 1 days + SETTLEMENT_DELAY;
        if (takenAt >= finalFrom || said.publishTimeMs >= finalFrom * 1000) {
            ++happened[Happening.DateIsFinal];
            return false;
        }
        ModelEntry storage entry = feed.history[said.day];
        bool isRevised = !_isVoid(entry, said.day) && (entry.isRevised || entry.said.price != said.price);
        (entry.said, entry.isRevised) = (said, isRevised);
        return true;
    }

    /// @dev Whether a date has no price that counts.
    function _isVoid(ModelEntry storage entry, uint256 day) internal view returns (bool) {
        if (entry.said.price == 0) return true;
        ModelSigner storage signer = modelSigners[entry.said.signer];
        return signer.isRevoked && day >= signer.revokedSinceDay;
    }

    /// @dev A plain formula; band 0 is none.
    function _isWithin(
        uint256 band,
        uint256 price,
        uint256 referencePrice,
        uint256 distance
    ) private pure returns (bool) {
        uint256 change = price > referencePrice ? price - referencePrice : referencePrice - price;
        return band == 0 || change * 10_000 <= referencePrice * band * distance;
    }

    function _daysBetween(uint256 oneDay, uint256 otherDay) private pure returns (uint256) {
        uint256 between = oneDay > otherDay ? oneDay - otherDay : otherDay - oneDay;
        if (between == 0) return 1;
        return between > 7 ? 7 : between;
    }

    // --------------------------------------------------------------------------------------------------------- reads

    function _priceUnsafe(uint256 feedId) internal view returns (Price memory none) {
        Said storage latest = modelFeeds[feedId].latest;
        return _isAbsent(latest) ? none : _toPrice(latest);
    }

    function _pendingPrice(uint256 feedId) internal view returns (PendingPrice memory pending) {
        ModelFeed storage feed = modelFeeds[feedId];
        if (feed.waiting.price == 0) return pending;
        pending.price = _toPrice(feed.waiting);
        pending.signer = feed.waiting.signer;
        pending.waitingSince = uint64(feed.waitingSince);
        pending.servedFrom = uint64(feed.waitingSince + QUARANTINE_DELAY);
    }

    function _freshness(uint256 feedId) internal view returns (Freshness) {
        ModelFeed storage feed = modelFeeds[feedId];
        if (modelIsPaused || feed.isPaused) return Freshness.Paused;
        if (feed.latest.price == 0) return Freshness.NoPrice;
        if (modelSigners[feed.latest.signer].isRevoked) return Freshness.SignerRevoked;
        if (_now() * 1000 < feed.latest.expiryMs) return Freshness.Fresh;
        return feed.waiting.price == 0 ? Freshness.Expired : Freshness.Quarantined;
    }

    function _priceOn(uint256 feedId, uint256 day) internal view returns (DailyPrice memory daily) {
        ModelEntry storage entry = modelFeeds[feedId].history[day];
        daily.day = uint32(day);
        if (_isVoid(entry, day)) return daily;
        daily.price = entry.said.price;
        daily.publishTime = entry.said.publishTimeMs / 1000;
        daily.signer = entry.said.signer;
        daily.isRevised = entry.isRevised;
    }

    function _toPrice(Said storage said) private view returns (Price memory) {
        return
            Price({
                price: said.price,
                publishTime: said.publishTimeMs / 1000,
                expiry: said.expiryMs / 1000,
                day: said.day
            });
    }
}
