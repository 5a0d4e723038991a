// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IGuardian} from "../../../contracts/interfaces/IGuardian.sol";
import {IGuardRails} from "../../../contracts/interfaces/IGuardRails.sol";
import {IHomePriceOracle} from "../../../contracts/interfaces/IHomePriceOracle.sol";
import {ISignerRegistry, SignerInfo, SignerStatus} from "../../../contracts/interfaces/ISignerRegistry.sol";
import {DailyPrice, Freshness, Price} from "../../../contracts/interfaces/Price.sol";
import {IEd25519TestSigner} from "../../../contracts/testing-kit/IEd25519TestSigner.sol";
import {Forgery, PriceToSign, SignedPriceFactory} from "../../../contracts/testing-kit/SignedPriceFactory.sol";
import {
    ITestHomePriceOracle,
    TestHomePriceOracle,
    TestOracleConfiguration
} from "../../../contracts/testing-kit/TestHomePriceOracle.sol";
import {TestBase} from "../TestBase.sol";
import {Happening, ModelFeed, ModelSigner, OracleModel, Said} from "./OracleModel.sol";

/// @dev The two steps of handing over ownership, which no interface of the oracle repeats.
interface IOwnable {
    function owner() external view returns (address);
    function pendingOwner() external view returns (address);
    function transferOwnership(address newOwner) external;
    function acceptOwnership() external;
    function renounceOwnership() external;
}

/// @title Does to an oracle whatever anybody can do to it
/// @dev After every step the oracle is compared with the model: whoever calls is told by a failed assertion. Every
///      price is really signed, and really verified.
contract OracleHandler is TestBase, OracleModel {
    /// @dev What becomes of an update.
    enum Outcome {
        Skipped,
        Refused,
        NotStored,
        Stored
    }

    /// @dev An update still to be made.
    struct Draft {
        Said said;
        uint64 feedId;
        uint8 key;
        /// 0: the form of 138 bytes.
        uint8 hintedAs;
        bool isForged;
        Forgery forgery;
        /// Whether it would be skipped if it came before the others of its call.
        bool isOldAtFirst;
    }

    address internal constant OWNER = address(0x0a11);
    address internal constant GUARDIAN = address(0x0a12);
    uint256 public constant START = 1_772_456_400;
    uint64 internal constant OFFSET = 2_000_000_000;
    uint256 public constant FEEDS = 3;
    uint256 internal constant KEYS = 5;
    /// @dev Keys from here on have no record at the start.
    uint256 internal constant FIRST_KEYS = 2;
    uint16 internal constant FIRST_BAND = 300;
    /// @dev As many records as a run may use up.
    uint256 internal constant MOST_SIGNERS = 12;

    ITestHomePriceOracle public immutable ORACLE;

    IEd25519TestSigner[KEYS] internal keys;
    /// @dev Sales and rental of a market, sales of another. The next ids are no feeds of this test.
    uint64[FEEDS] public feeds;
    uint256 public steps;

    /// @dev What has been brought when the key that had signed it could be used for it: content to signers, a bit for each
    ///      number. Two may have signed the same within a second.
    mapping(bytes32 content => uint256 signers) public sanctionedBy;
    /// @dev Of these, what was the latest price at some time, or was recorded for an earlier date.
    mapping(bytes32 content => bool) public wasTaken;
    /// @dev What a settled date was when it was first seen to be settled.
    mapping(uint256 feedId => mapping(uint256 day => bytes32)) public settled;
    mapping(uint256 feedId => mapping(uint256 day => uint8)) public settledSigner;
    uint256 public settledBefore;

    /// @dev Of the latest price of a feed as it was last seen; 0 when there was none, or its signer is revoked since.
    mapping(uint256 feedId => uint256) private _publishTimes;
    uint256 private _randomness;

    constructor() {
        vm.warp(START);
        for (uint256 i = 0; i < KEYS; ++i) {
            keys[i] = TestHomePriceOracle.deploySigner(
                ARTIFACTS,
                string.concat("key ", string(abi.encodePacked(uint8(48 + i))))
            );
        }
        bytes32[] memory publicKeys = new bytes32[](FIRST_KEYS);
        for (uint256 i = 0; i < FIRST_KEYS; ++i) publicKeys[i] = keys[i].PUBLIC_KEY();
        TestOracleConfiguration memory configuration = TestHomePriceOracle.defaultConfiguration(
            TestHomePriceOracle.deployVerifierFactory(ARTIFACTS),
            publicKeys,
            OWNER,
            GUARDIAN
        );
        configuration.defaultBand = FIRST_BAND;
        ORACLE = TestHomePriceOracle.deploy(ARTIFACTS, configuration);

        feeds = [uint64(101), 101 + OFFSET, 202];
        for (uint256 i = 0; i < FEEDS; ++i) modelFeeds[feeds[i]].band = FIRST_BAND;
        for (uint8 key = 0; key < FIRST_KEYS; ++key) _addToModel(key, START, 0);
        settledBefore = START / 1 days - 3;
    }

    modifier step(uint256 seed) {
        ++steps;
        _randomness = seed;
        _;
        _compare();
    }

    // ------------------------------------------------------------------------------------------------------- actions

    /// @notice Waits a little and brings one price, by either function.
    function bring(uint256 seed) external step(seed) {
        _wait(_below(3 hours));
        _bring(_oneOf(2) == 0, 1);
    }

    /// @notice Brings a price that is as the service would publish it.
    function bringTame(uint256 seed) external step(seed) {
        _wait(_below(3 hours));
        uint64 feedId = _someFeed();
        _bringTame(feedId, _nearby(_levelOf(feedId)));
    }

    /// @notice Brings several in one call.
    function bringBatch(uint256 seed) external step(seed) {
        _wait(_below(3 hours));
        _bring(_oneOf(2) == 0, 2 + _oneOf(3));
    }

    /// @notice Brings bytes that are no update, and a genuine update behind them.
    function bringJunk(uint256 seed, bytes calldata junk) external step(seed) {
        Draft memory draft = _draft(_someFeed());
        bytes[] memory updates = new bytes[](2);
        updates[0] = _oneOf(3) == 0 ? junk : _filledUp(junk, _oneOf(2) == 0 ? 138 : 171);
        updates[1] = _make(draft);
        (bool parsed, ) = address(ORACLE).staticcall(abi.encodeCall(IHomePriceOracle.parsePrices, (updates)));
        vm.assertFalse(parsed, "junk was parsed");
        bool expected = _apply(draft) == Outcome.Stored;
        bool[] memory stored = ORACLE.tryUpdatePrices(updates);
        vm.assertFalse(stored[0], "junk was stored");
        vm.assertEq(stored[1], expected, "stored behind junk");
    }

    /// @notice Lets time pass, often to a moment that matters.
    function passTime(uint256 seed) external step(seed) {
        uint64 feedId = _someFeed();
        ModelFeed storage feed = modelFeeds[feedId];
        uint256 moment = _now() + _below(30 hours);
        uint256 kind = _oneOf(8);
        if (kind == 0) moment = (_now() / 1 days + 1) * 1 days + 13 hours;
        if ((kind == 1 || kind == 7) && feed.waiting.price != 0) moment = feed.waitingSince + QUARANTINE_DELAY;
        if (kind == 2) moment = (_now() / 1 days + 1) * 1 days;
        if (kind == 3 && feed.latest.price != 0) moment = feed.latest.expiryMs / 1000;
        if (kind == 4 && feed.nextBandFrom != 0) moment = feed.nextBandFrom;
        // Some hours before a date is final, which another has become at 00:00 UTC.
        if (kind == 5) moment = (_now() / 1 days + 1) * 1 days - _oneOf(7 hours);
        if (kind == 6) moment = (_now() / 1 days + 1) * 1 days - _oneOf(1 hours);
        if (kind < 5 || kind == 7) moment = moment + _oneOf(3) - 1;
        if (moment > _now()) _wait(moment - _now());
    }

    /// @notice What the guardian can do.
    function guard(uint256 seed) external step(seed) {
        uint64 feedId = _someFeed();
        ModelFeed storage feed = modelFeeds[feedId];
        uint256 kind = _oneOf(8);
        if (kind < 2 || kind > 5) {
            _letSomethingWait(feedId);
            _decide(feedId, kind % 2 == 0);
        } else if (kind == 2) {
            vm.prank(GUARDIAN);
            ORACLE.pause();
            modelIsPaused = true;
        } else if (kind == 3) {
            vm.prank(GUARDIAN);
            ORACLE.pauseFeed(feedId);
            feed.isPaused = true;
        } else if (kind == 4) {
            _cancel(GUARDIAN);
        } else {
            // Of a level that does not wait.
            uint64 since = uint64(feed.waitingSince + 1);
            bytes memory expected =
                feed.waiting.price == 0
                    ? abi.encodeWithSelector(IGuardRails.NoPendingPrice.selector, feedId)
                    : abi.encodeWithSelector(
                        IGuardRails.PendingPriceChanged.selector,
                        feedId,
                        uint64(feed.waitingSince)
                    );
            _expectFailure(GUARDIAN, abi.encodeCall(IGuardRails.confirmPrice, (feedId, since)), expected);
        }
    }

    /// @notice What the owner can do.
    function govern(uint256 seed) external step(seed) {
        uint256 kind = _oneOf(8);
        if (kind < 2) _setBand();
        else if (kind == 2) _propose();
        else if (kind == 3) _retire();
        else if (kind == 4) _revoke();
        else if (kind == 5) {
            _cancel(OWNER);
        } else {
            uint64 feedId = feeds[_oneOf(FEEDS)];
            vm.prank(OWNER);
            ORACLE.unpause();
            vm.prank(OWNER);
            ORACLE.unpauseFeed(feedId);
            (modelIsPaused, modelFeeds[feedId].isPaused) = (false, false);
        }
    }

    /// @notice Somebody tries what is not for him: a stranger anything, owner and guardian what is the other's.
    function trespass(uint256 seed, address caller) external step(seed) {
        uint256 who = _oneOf(3);
        // From there nobody can call, and there is no next owner.
        if (caller == address(0)) caller = address(1);
        if (who == 0) caller = OWNER;
        if (who == 1) caller = GUARDIAN;
        uint64 feedId = feeds[_oneOf(FEEDS)];
        uint8 signer = uint8(1 + _oneOf(modelSignerCount));
        uint64 since = uint64(modelFeeds[feedId].waitingSince);
        uint64[] memory list = new uint64[](1);
        list[0] = feedId;
        if (caller != OWNER) {
            bytes32 key = keys[_oneOf(KEYS)].PUBLIC_KEY();
            bytes memory expected = abi.encodeWithSignature("OwnableUnauthorizedAccount(address)", caller);
            uint64 now64 = uint64(_now());
            _expectFailure(
                caller,
                abi.encodeCall(ISignerRegistry.proposeSigner, (key, SignedPriceFactory.defaultLayout(), now64)),
                expected
            );
            _expectFailure(caller, abi.encodeCall(ISignerRegistry.retireSigner, (signer, now64)), expected);
            _expectFailure(caller, abi.encodeCall(ISignerRegistry.revokeSigner, (signer, 0)), expected);
            _expectFailure(caller, abi.encodeCall(IGuardRails.setBands, (list, uint16(_oneOf(10_001)))), expected);
            _expectFailure(caller, abi.encodeCall(IGuardian.setGuardian, (caller)), expected);
            _expectFailure(caller, abi.encodeCall(IGuardian.unpause, ()), expected);
            _expectFailure(caller, abi.encodeCall(IGuardian.unpauseFeed, (feedId)), expected);
            _expectFailure(caller, abi.encodeCall(IOwnable.transferOwnership, (caller)), expected);
            _expectFailure(caller, abi.encodeCall(IOwnable.renounceOwnership, ()), expected);
        } else {
            bytes memory disabled = abi.encodeWithSelector(IGuardian.RenouncingDisabled.selector);
            _expectFailure(caller, abi.encodeCall(IOwnable.renounceOwnership, ()), disabled);
        }
        bytes memory notOwner = abi.encodeWithSignature("OwnableUnauthorizedAccount(address)", caller);
        _expectFailure(caller, abi.encodeCall(IOwnable.acceptOwnership, ()), notOwner);
        if (caller != GUARDIAN) {
            bytes memory expected = abi.encodeWithSelector(IGuardian.NotGuardian.selector, caller);
            _expectFailure(caller, abi.encodeCall(IGuardian.pause, ()), expected);
            _expectFailure(caller, abi.encodeCall(IGuardian.pauseFeed, (feedId)), expected);
            _expectFailure(caller, abi.encodeCall(IGuardRails.confirmPrice, (feedId, since)), expected);
            _expectFailure(caller, abi.encodeCall(IGuardRails.vetoPrice, (feedId, since)), expected);
        }
        if (caller != GUARDIAN && caller != OWNER) {
            bytes memory expected = abi.encodeWithSelector(IGuardian.NotGuardianOrOwner.selector, caller);
            _expectFailure(caller, abi.encodeCall(ISignerRegistry.cancelSigner, (signer)), expected);
        }
    }

    /// @notice Whatever has happened: a level that the service publishes for as long as the quarantine lasts, and then
    ///         once more, is served. To be called where nothing is kept of it.
    /// @param feed Which of the feeds.
    function publishConsistently(uint256 feed, uint64 price) external {
        _randomness = price;
        uint64 feedId = feeds[feed % FEEDS];
        price = uint64(within(price, 1, (1 << 60) - 1));
        uint8 key = _someUsableKey();
        vm.prank(OWNER);
        ORACLE.unpause();
        vm.prank(OWNER);
        ORACLE.unpauseFeed(feedId);
        // Publish times may be an hour ahead: from then on what is published now is newer than all.
        vm.warp(_now() + 1 hours + 1);
        uint256 begin = _now();
        for (; _now() < begin + QUARANTINE_DELAY; vm.warp(_now() + 2 hours)) {
            _publish(key, feedId, price);
        }
        _publish(key, feedId, price);
        Price memory served = ORACLE.latestPrice(feedId);
        vm.assertEq(served.price, price, "a consistent level is not served");
        vm.assertEq(served.publishTime, _now(), "its refresh is not served");
    }

    // ------------------------------------------------------------------------------------------- what is to be checked

    function feedAt(uint256 index) external view returns (uint64) {
        return feeds[index];
    }

    /// @dev What a price says, without its expiry, which history does not keep.
    function contentOf(uint64 feedId, uint64 price, uint64 publishTime, uint32 day) public pure returns (bytes32) {
        return keccak256(abi.encode(feedId, price, publishTime, day));
    }

    function isRevoked(uint8 signer) external view returns (bool) {
        return modelSigners[signer].isRevoked;
    }

    function revokedSinceDay(uint8 signer) external view returns (uint256) {
        return modelSigners[signer].revokedSinceDay;
    }

    // -------------------------------------------------------------------------------------------------- making updates

    function _bringTame(uint64 feedId, uint64 price) private {
        Draft memory draft;
        draft.feedId = feedId;
        draft.key = _someRegisteredKey();
        draft.said = Said({
            price: price,
            publishTimeMs: uint64(_now() * 1000 - _below(60_000)),
            expiryMs: uint64((_now() + 24 hours) * 1000),
            day: 0,
            signer: 0
        });
        draft.said.day = uint32(draft.said.publishTimeMs / DAY_MS);
        _keepUnmistakable(draft);
        Draft[] memory drafts = new Draft[](1);
        drafts[0] = draft;
        _bringAll(_oneOf(2) == 0, drafts);
    }

    /// @dev Sees to it that something waits, as far as one price can.
    function _letSomethingWait(uint64 feedId) private {
        if (modelFeeds[feedId].waiting.price == 0) _bringTame(feedId, _far(_levelOf(feedId)));
    }

    function _bring(bool isAllOrNothing, uint256 count) private {
        Draft[] memory drafts = new Draft[](count);
        for (uint256 i = 0; i < count; ++i) drafts[i] = _draft(_someFeed());
        if (count > 1) _makeRivals(drafts[0], drafts[count - 1]);
        // The same one twice.
        if (count > 2 && _oneOf(3) == 0) drafts[count - 1] = drafts[0];
        _bringAll(isAllOrNothing, drafts);
    }

    /// @dev Often makes it a matter of the first update of a call whether the last is what waits, by its publish time: the
    ///      first waits, or takes the place of what does.
    function _makeRivals(Draft memory first, Draft memory last) private {
        uint256 kind = _oneOf(4);
        Said storage waiting = modelFeeds[first.feedId].waiting;
        if (kind == 0) {
            (first.said.price, last.said.price) = (_far(_levelOf(first.feedId)), _nearby(_levelOf(first.feedId)));
            last.said.publishTimeMs = first.said.publishTimeMs;
        } else if (kind < 3 && waiting.price != 0) {
            first.said.price = _nearby(waiting.price);
            first.said.publishTimeMs = waiting.publishTimeMs + 1 + uint64(_below(60_000));
            last.said.publishTimeMs = waiting.publishTimeMs;
        } else {
            return;
        }
        last.feedId = first.feedId;
        _keepUnmistakable(first);
        _keepUnmistakable(last);
        if (last.said.price == first.said.price) ++last.said.price;
    }

    function _bringAll(bool isAllOrNothing, Draft[] memory drafts) private {
        bytes[] memory updates = new bytes[](drafts.length);
        for (uint256 i = 0; i < drafts.length; ++i) {
            updates[i] = _make(drafts[i]);
            drafts[i].isOldAtFirst = _isOldDraft(drafts[i]);
        }
        if (!isAllOrNothing) {
            bool[] memory stored = ORACLE.tryUpdatePrices(updates);
            for (uint256 i = 0; i < drafts.length; ++i) {
                vm.assertEq(stored[i], _apply(drafts[i]) == Outcome.Stored, "stored by tryUpdatePrices");
            }
            return;
        }
        // An invalid one takes back what those before it have done to the model, too.
        try this.applyAll(drafts) returns (bool[] memory expected) {
            bool[] memory stored = ORACLE.updatePrices(updates);
            for (uint256 i = 0; i < drafts.length; ++i) {
                vm.assertEq(stored[i], expected[i], "stored by updatePrices");
            }
        } catch (bytes memory reason) {
            uint256 index = abi.decode(_withoutSelector(reason), (uint256));
            (bool accepted, bytes memory failure) = address(ORACLE).call(
                abi.encodeCall(IHomePriceOracle.updatePrices, (updates))
            );
            vm.assertFalse(accepted, "an invalid update was accepted");
            vm.assertTrue(bytes4(failure) == IHomePriceOracle.InvalidUpdate.selector, "reverted otherwise");
            vm.assertEq(abi.decode(_withoutSelector(failure), (uint256)), index, "which one is invalid");
        }
    }

    /// @dev The update that the model refuses.
    error Invalid(uint256 index);
    /// @dev Somebody else has called what this contract calls itself.
    error NotItself(address caller);

    /// @notice For this contract itself: a call of its own, so that it can be taken back.
    function applyAll(Draft[] calldata drafts) external returns (bool[] memory stored) {
        if (msg.sender != address(this)) revert NotItself(msg.sender);
        stored = new bool[](drafts.length);
        for (uint256 i = 0; i < drafts.length; ++i) {
            Outcome outcome = _apply(drafts[i]);
            if (outcome == Outcome.Refused) revert Invalid(i);
            stored[i] = outcome == Outcome.Stored;
        }
    }

    /// @dev What an update does to the model.
    function _apply(Draft memory draft) private returns (Outcome) {
        if (draft.isForged && (draft.forgery == Forgery.OneByteLess || draft.forgery == Forgery.OneByteMore)) {
            return Outcome.Refused;
        }
        bool hinted = draft.hintedAs != 0;
        if (hinted && draft.hintedAs > modelSignerCount) return Outcome.Refused;
        if (!hinted && !_isSomeSignerLive()) return Outcome.Refused;
        Said memory said = draft.said;
        uint64 feedId = draft.feedId;
        if (_isOldDraft(draft)) {
            ++happened[_whySkipped(draft)];
            return Outcome.Skipped;
        }
        // It was of the publish time of what waited, until those before it in the call.
        if (draft.isOldAtFirst) ++happened[Happening.WaitsNoLonger];
        if (draft.isForged) return _refused(Happening.Forged);
        if (!_isInTime(said)) return _refused(Happening.NotInTime);
        said.signer = _signerOf(draft);
        if (said.signer == 0) return _refused(Happening.NotEntitled);
        sanctionedBy[contentOf(feedId, said.price, said.publishTimeMs / 1000, said.day)] |= 1 << said.signer;
        return _take(feedId, said) ? Outcome.Stored : Outcome.NotStored;
    }

    /// @dev Whether an update is not newer than what is stored, by what it says after it has been forged.
    function _isOldDraft(Draft memory draft) private view returns (bool) {
        uint64 feedId = draft.feedId;
        uint64 publishTimeMs = draft.said.publishTimeMs;
        if (draft.isForged && draft.forgery == Forgery.FeedId) ++feedId;
        if (draft.isForged && draft.forgery == Forgery.PublishTime) --publishTimeMs;
        return _isOld(feedId, publishTimeMs);
    }

    /// @dev The rarer one where there are several reasons. WaitsOnlyNow: another price of its publish time waits since one
    ///      before it in the same call.
    function _whySkipped(Draft memory draft) private view returns (Happening) {
        ModelFeed storage feed = modelFeeds[draft.feedId];
        uint64 publishTimeMs = draft.said.publishTimeMs;
        if (publishTimeMs <= feed.vetoedUpToMs) {
            if (publishTimeMs > feed.latest.publishTimeMs) return Happening.NotNewerThanAVeto;
            if (_isAbsent(feed.latest)) return Happening.VetoOutlastsARevocation;
        }
        bool isAnother = publishTimeMs == feed.waiting.publishTimeMs && draft.said.price != feed.waiting.price;
        return isAnother && !draft.isOldAtFirst ? Happening.WaitsOnlyNow : Happening.NotNewer;
    }

    function _refused(Happening why) private returns (Outcome) {
        ++happened[why];
        return Outcome.Refused;
    }

    /// @dev The number of the record that entitles the key to have signed this; 0 if there is none.
    function _signerOf(Draft memory draft) private view returns (uint8) {
        for (uint8 number = 1; number <= modelSignerCount; ++number) {
            if (draft.hintedAs != 0 && draft.hintedAs != number) continue;
            if (modelSigners[number].key != draft.key) continue;
            if (_isEntitled(number, draft.said.publishTimeMs)) return number;
        }
        return 0;
    }

    /// @dev Whether messages that name no signer have a format: that of the signers that are neither revoked, cancelled
    ///      nor long retired. One long retired lives on until another is proposed, so that who has none usable cannot
    ///      tell.
    function _isSomeSignerLive() private view returns (bool) {
        for (uint256 number = 1; number <= modelSignerCount; ++number) {
            if (!modelSigners[number].isRevoked && !modelSigners[number].isCancelled) return true;
        }
        return false;
    }

    function _make(Draft memory draft) private view returns (bytes memory update) {
        Said memory said = draft.said;
        PriceToSign memory price = PriceToSign({
            feedId: draft.feedId,
            price: said.price,
            publishTimeMs: said.publishTimeMs,
            expiryMs: said.expiryMs,
            day: said.day
        });
        IEd25519TestSigner key = keys[draft.key];
        update =
            draft.hintedAs == 0
                ? SignedPriceFactory.update(key, price)
                : SignedPriceFactory.hintedUpdate(key, draft.hintedAs, price);
        if (draft.isForged) update = SignedPriceFactory.forged(update, draft.forgery);
    }

    /// @dev Of every kind, most of them valid.
    function _draft(uint64 feedId) private returns (Draft memory draft) {
        ModelFeed storage feed = modelFeeds[feedId];
        draft.feedId = feedId;
        draft.key = uint8(_oneOf(6) == 0 ? _oneOf(KEYS) : _someRegisteredKey());
        if (_oneOf(2) == 0) draft.hintedAs = _recordOf(draft.key);
        if (_oneOf(16) == 0) draft.hintedAs = uint8(_oneOf(modelSignerCount + 2));
        if (_oneOf(8) == 0) (draft.isForged, draft.forgery) = (true, Forgery(_oneOf(uint256(type(Forgery).max) + 1)));

        Said memory said = draft.said;
        uint256 nowMs = _now() * 1000;
        said.publishTimeMs = uint64(nowMs - _below(30 minutes * 1000));
        said.price = _nearby(_levelOf(feedId));
        said.day = uint32(nowMs / DAY_MS);
        bool isWaiting = feed.waiting.price != 0;
        uint256 kind = _oneOf(12);
        if (feed.vetoedUpToMs != 0 && (kind == 9 || (_isAbsent(feed.latest) && _oneOf(4) != 0))) {
            // Around a veto; often so where nothing else keeps anything out.
            said.publishTimeMs = uint64(feed.vetoedUpToMs + 1 - _oneOf(3) * _below(60_000));
        } else if (kind == 0 || kind == 1) {
            // A jump, out of most bands.
            said.price = _far(said.price);
        } else if ((kind == 2 || kind == 3) && isWaiting) {
            said.price = _nearby(feed.waiting.price);
        } else if (kind == 4 && isWaiting) {
            // Kept back: older than what waits.
            said.publishTimeMs = feed.waiting.publishTimeMs - uint64(_below(60_000));
        } else if (kind == 5 && isWaiting) {
            said.publishTimeMs = uint64(feed.waiting.publishTimeMs + _oneOf(3)) - 1;
        } else if (kind < 8 && feed.latest.price != 0) {
            // For a date before the latest one.
            said.day = feed.latest.day - uint32(1 + _below(4));
        } else if (kind == 8 && feed.latest.price != 0) {
            (said.day, said.price) = (feed.latest.day, _oneOf(2) == 0 ? feed.latest.price : said.price);
        } else if (kind == 10) {
            said.publishTimeMs = uint64(nowMs + 1 hours * 1000 + 2 - _below(49 hours * 1000 + 4));
            said.day = uint32(said.publishTimeMs / DAY_MS) + 1 - uint32(_oneOf(3));
        } else if (kind == 11) {
            said.price = _wild();
        }
        if (_now() % 1 days > 17 hours && _oneOf(3) == 0) {
            // A date that is final at midnight, perhaps published after it.
            said.day = uint32(_now() / 1 days - 2);
            said.publishTimeMs = uint64(nowMs + _oneOf(1 hours * 1000));
        }
        if (said.publishTimeMs < said.day * DAY_MS && _oneOf(4) != 0) said.day = uint32(said.publishTimeMs / DAY_MS);

        uint256 expiryMs = nowMs + 24 hours * 1000;
        uint256 latestExpiryMs = (said.day + 3) * DAY_MS;
        if (expiryMs > latestExpiryMs && _oneOf(8) != 0) expiryMs = latestExpiryMs;
        if (_oneOf(12) == 0) expiryMs = nowMs + 25 hours * 1000 + 2 - _below(25 hours * 1000 + 4);
        said.expiryMs = uint64(expiryMs);
        _keepUnmistakable(draft);
    }

    /// @dev What is written of a price in the history leaves no doubt whose it is.
    function _keepUnmistakable(Draft memory draft) private view {
        Said memory said = draft.said;
        bytes32 content = contentOf(draft.feedId, said.price, said.publishTimeMs / 1000, said.day);
        if (sanctionedBy[content] != 0) said.price = said.price > 1 ? said.price - 1 : 2;
    }

    /// @dev Often one of which something waits.
    function _someFeed() private returns (uint64 feedId) {
        feedId = feeds[_oneOf(FEEDS)];
        if (_oneOf(2) == 0) return feedId;
        for (uint256 i = 0; i < FEEDS; ++i) if (modelFeeds[feeds[i]].waiting.price != 0) return feeds[i];
    }

    function _someRegisteredKey() private returns (uint8) {
        uint256 number = 1 + _oneOf(modelSignerCount);
        for (uint256 i = 0; i < 3 && !_isUsable(number); ++i) number = 1 + _oneOf(modelSignerCount);
        return modelSigners[number].key;
    }

    // ------------------------------------------------------------------------------------------------------ governance

    function _decide(uint64 feedId, bool isConfirmed) private {
        ModelFeed storage feed = modelFeeds[feedId];
        if (feed.waiting.price == 0) return;
        vm.prank(GUARDIAN);
        if (isConfirmed) {
            ORACLE.confirmPrice(feedId, uint64(feed.waitingSince));
            ++happened[Happening.Confirmed];
            _serveWaiting(feed, _now());
        } else {
            ORACLE.vetoPrice(feedId, uint64(feed.waitingSince));
            ++happened[Happening.Vetoed];
            feed.vetoedUpToMs = feed.waiting.publishTimeMs;
            delete feed.waiting;
        }
    }

    /// @dev The newest signer that is pending, if there is one.
    function _cancel(address caller) private {
        for (uint8 number = modelSignerCount; number != 0; --number) {
            ModelSigner storage signer = modelSigners[number];
            if (signer.isCancelled || signer.isRevoked || _now() >= signer.usableFrom) continue;
            vm.prank(caller);
            ORACLE.cancelSigner(number);
            signer.isCancelled = true;
            return;
        }
    }

    function _setBand() private {
        uint64[] memory list = new uint64[](1);
        list[0] = feeds[_oneOf(FEEDS)];
        ModelFeed storage feed = modelFeeds[list[0]];
        uint16 band = uint16(_oneOf(3) == 0 ? _oneOf(10_001) : _oneOf(1_000));
        if (_oneOf(8) == 0) band = 0;
        vm.prank(OWNER);
        ORACLE.setBands(list, band);
        bool isWider = feed.band != 0 && (band == 0 || band > feed.band);
        if (isWider) (feed.nextBand, feed.nextBandFrom) = (band, _now() + SIGNER_DELAY);
        else (feed.band, feed.nextBand, feed.nextBandFrom) = (band, 0, 0);
    }

    function _propose() private {
        if (modelSignerCount == MOST_SIGNERS) return;
        uint8 key = uint8(_oneOf(KEYS));
        uint64 validFrom = uint64(_now() + _below(30 hours));
        bytes32 publicKey = keys[key].PUBLIC_KEY();
        vm.prank(OWNER);
        try ORACLE.proposeSigner(publicKey, SignedPriceFactory.defaultLayout(), validFrom) returns (uint8 number) {
            vm.assertEq(number, modelSignerCount + 1, "number of a new signer");
            _addToModel(key, _now() + SIGNER_DELAY, validFrom);
        } catch (bytes memory reason) {
            bytes4 selector = bytes4(reason);
            vm.assertTrue(
                selector == ISignerRegistry.SignerOverlap.selector ||
                    selector == ISignerRegistry.PublicKeyRevoked.selector ||
                    selector == ISignerRegistry.TooManyUsableSigners.selector,
                "a signer could not be proposed"
            );
        }
    }

    function _retire() private {
        uint8 number = uint8(1 + _oneOf(modelSignerCount));
        ModelSigner storage signer = modelSigners[number];
        uint64 retirement = uint64(_now() + _below(20 hours));
        vm.prank(OWNER);
        try ORACLE.retireSigner(number, retirement) {
            vm.assertFalse(signer.isRevoked || signer.isCancelled, "what is no signer any more was retired");
            vm.assertTrue(signer.validUntil == 0 || retirement <= signer.validUntil, "a retirement was moved later");
            signer.validUntil = retirement;
        } catch (bytes memory reason) {
            bytes4 selector = bytes4(reason);
            vm.assertTrue(
                selector == ISignerRegistry.SignerStatusIs.selector ||
                    selector == ISignerRegistry.InvalidRetirement.selector,
                "a signer could not be retired"
            );
        }
    }

    /// @dev All records of a key, often of one that has signed what waits, or what has been taken since a veto.
    function _revoke() private {
        uint64 feedId = _someFeed();
        ModelFeed storage someFeed = modelFeeds[feedId];
        _letSomethingWait(feedId);
        bool isOfWhatWaits = _oneOf(2) == 0;
        if (!isOfWhatWaits) {
            _decide(feedId, false);
            _bringTame(feedId, _nearby(_levelOf(feedId)));
        }
        uint8 number = isOfWhatWaits ? someFeed.waiting.signer : someFeed.latest.signer;
        if (number == 0) number = uint8(1 + _oneOf(modelSignerCount));
        if (modelSigners[number].isRevoked) return;
        uint32 sinceDay = uint32(_now() / 1 days + 1 - _oneOf(6));
        vm.prank(OWNER);
        ORACLE.revokeSigner(number, sinceDay);
        uint8 key = modelSigners[number].key;
        for (uint256 other = 1; other <= modelSignerCount; ++other) {
            ModelSigner storage signer = modelSigners[other];
            if (signer.key == key) (signer.isRevoked, signer.revokedSinceDay) = (true, sinceDay);
        }
        for (uint256 i = 0; i < FEEDS; ++i) {
            ModelFeed storage feed = modelFeeds[feeds[i]];
            if (!modelSigners[feed.waiting.signer].isRevoked) continue;
            ++happened[Happening.RevokedWhileItWaits];
            delete feed.waiting;
        }
        _compare();
        // What the key has kept out is brought at once.
        Draft[] memory drafts = new Draft[](1);
        drafts[0] = _draft(feedId);
        _bringAll(_oneOf(2) == 0, drafts);
    }

    function _addToModel(uint8 key, uint256 usableFrom, uint256 validFrom) private {
        ModelSigner storage signer = modelSigners[++modelSignerCount];
        (signer.key, signer.usableFrom, signer.validFrom) = (key, usableFrom, validFrom);
    }

    function _expectFailure(address caller, bytes memory call, bytes memory expected) private {
        vm.prank(caller);
        (bool done, bytes memory failure) = address(ORACLE).call(call);
        vm.assertFalse(done, "done by one who may not");
        vm.assertEq(failure, expected, "refused for another reason");
    }

    // ------------------------------------------------------------------------------------------------ consistent level

    function _publish(uint8 key, uint64 feedId, uint64 price) private {
        bytes[] memory updates = new bytes[](1);
        updates[0] = SignedPriceFactory.update(keys[key], SignedPriceFactory.publishedAt(_now(), feedId, price));
        ORACLE.updatePrices(updates);
    }

    /// @dev A key that signs for the time to come; the owner sees to it that there is one.
    function _someUsableKey() private returns (uint8) {
        for (uint8 number = modelSignerCount; number != 0; --number) {
            ModelSigner storage signer = modelSigners[number];
            bool isForGood = signer.validUntil == 0 && _now() >= signer.validFrom;
            if (_isUsable(number) && isForGood) return signer.key;
        }
        for (uint8 number = 1; number <= modelSignerCount; ++number) {
            ModelSigner storage signer = modelSigners[number];
            if (signer.isRevoked || signer.isCancelled) continue;
            if (_now() >= signer.usableFrom && signer.validUntil == 0) continue;
            vm.prank(OWNER);
            ORACLE.revokeSigner(number, type(uint32).max);
            for (uint8 other = 1; other <= modelSignerCount; ++other) {
                if (modelSigners[other].key == signer.key) modelSigners[other].isRevoked = true;
            }
        }
        IEd25519TestSigner spare = TestHomePriceOracle.deploySigner(ARTIFACTS, "spare");
        bytes32 publicKey = spare.PUBLIC_KEY();
        vm.prank(OWNER);
        ORACLE.proposeSigner(publicKey, SignedPriceFactory.defaultLayout(), uint64(_now()));
        vm.warp(_now() + SIGNER_DELAY);
        keys[0] = spare;
        return 0;
    }

    // ------------------------------------------------------------------------------------------------------ comparison

    function _wait(uint256 time) private {
        vm.warp(_now() + time);
        for (uint256 i = 0; i < FEEDS; ++i) _passTime(feeds[i]);
    }

    /// @dev The oracle says of everything what the model says.
    function _compare() private {
        for (uint256 i = 0; i < FEEDS; ++i) _compareFeed(feeds[i]);
        _compareSigners();
        _noteSettled();
    }

    function _compareFeed(uint64 feedId) private {
        Price memory latest = ORACLE.priceUnsafe(feedId);
        vm.assertEq(abi.encode(latest), abi.encode(_priceUnsafe(feedId)), "latest price");
        vm.assertEq(abi.encode(ORACLE.pendingPrice(feedId)), abi.encode(_pendingPrice(feedId)), "pending price");
        Freshness freshness = ORACLE.freshness(feedId);
        vm.assertEq(uint256(freshness), uint256(_freshness(feedId)), "freshness");
        // All zero if there is none, or its signer has been revoked: that, and nothing else, makes room for an older
        // one.
        vm.assertTrue(
            latest.publishTime >= _publishTimes[feedId] || _isAbsent(modelFeeds[feedId].latest),
            "a publish time has decreased"
        );
        _publishTimes[feedId] = latest.publishTime;
        if (latest.price != 0) {
            wasTaken[contentOf(feedId, latest.price, latest.publishTime, latest.day)] = true;
        }

        (bool isServed, bytes memory served) = address(ORACLE).staticcall(
            abi.encodeCall(IHomePriceOracle.latestPrice, (feedId))
        );
        vm.assertEq(isServed, freshness == Freshness.Fresh, "served if and only if it is fresh");
        if (isServed) vm.assertEq(served, abi.encode(latest), "what is served");

        ModelFeed storage feed = modelFeeds[feedId];
        (uint16 band, uint16 nextBand, uint64 nextFrom) = ORACLE.bandOf(feedId);
        vm.assertEq(band, feed.band, "band");
        vm.assertEq(nextFrom, feed.nextBandFrom, "when the wider band holds");
        if (nextFrom != 0) vm.assertEq(nextBand, feed.nextBand, "wider band");

        // Later and earlier dates cannot have changed.
        uint256 today = _now() / 1 days;
        uint64[] memory prices = ORACLE.pricesBetween(feedId, uint32(today - 5), uint32(today + 1));
        for (uint256 i = 0; i < prices.length; ++i) {
            uint32 day = uint32(today - 5 + i);
            DailyPrice memory daily = ORACLE.priceOnUnsafe(feedId, day);
            vm.assertEq(abi.encode(daily), abi.encode(_priceOn(feedId, day)), "price of a date");
            vm.assertEq(prices[i], daily.price, "price of a date in a span");
            if (daily.price != 0) wasTaken[contentOf(feedId, daily.price, daily.publishTime, day)] = true;
        }
    }

    function _compareSigners() private view {
        vm.assertEq(ORACLE.signerCount(), modelSignerCount, "how many signers");
        uint256 usable;
        for (uint8 number = 1; number <= modelSignerCount; ++number) {
            ModelSigner storage signer = modelSigners[number];
            SignerInfo memory info = ORACLE.signerInfo(number);
            vm.assertEq(info.publicKey, keys[signer.key].PUBLIC_KEY(), "key of a signer");
            vm.assertEq(info.usableFrom, signer.usableFrom, "from when a signer is usable");
            vm.assertEq(info.validFrom, signer.validFrom, "first publish time of a signer");
            vm.assertEq(info.retirement, signer.validUntil, "retirement of a signer");
            vm.assertEq(info.revokedSinceDay, signer.revokedSinceDay, "since when a signer is revoked");
            vm.assertEq(info.status == SignerStatus.Revoked, signer.isRevoked, "whether a signer is revoked");
            vm.assertEq(info.status == SignerStatus.Usable, _isUsable(number), "whether a signer is usable");
            if (_isUsable(number)) ++usable;
        }
        vm.assertEq(ORACLE.usableSigners().length, usable, "usable signers");
        vm.assertEq(ORACLE.guardian(), GUARDIAN, "guardian");
        vm.assertEq(IOwnable(address(ORACLE)).owner(), OWNER, "owner");
        vm.assertEq(IOwnable(address(ORACLE)).pendingOwner(), address(0), "next owner");
        vm.assertEq(ORACLE.paused(), modelIsPaused, "paused");
    }

    /// @dev Remembers what has become final.
    function _noteSettled() private {
        for (; _now() >= settledBefore * 1 days + SETTLEMENT_DELAY; ++settledBefore) {
            for (uint256 i = 0; i < FEEDS; ++i) {
                uint64 feedId = feeds[i];
                DailyPrice memory daily = ORACLE.priceOnUnsafe(feedId, uint32(settledBefore));
                settled[feedId][settledBefore] = keccak256(abi.encode(daily));
                settledSigner[feedId][settledBefore] = daily.signer;
                ++happened[daily.price == 0 ? Happening.SettledWithoutPrice : Happening.SettledWithPrice];
            }
        }
    }

    function _now() internal view override returns (uint256) {
        return vm.getBlockTimestamp();
    }

    // ------------------------------------------------------------------------------------------------------ randomness

    function _random() private returns (uint256) {
        _randomness = uint256(keccak256(abi.encode(_randomness)));
        return _randomness;
    }

    function _oneOf(uint256 count) private returns (uint256) {
        return _random() % count;
    }

    /// @dev Small numbers as often as large ones.
    function _below(uint256 bound) private returns (uint256) {
        return (_random() % bound) >> _oneOf(16);
    }

    /// @dev The feed's price, or what it may well be.
    function _levelOf(uint64 feedId) private view returns (uint64) {
        Said storage latest = modelFeeds[feedId].latest;
        if (latest.price != 0) return latest.price;
        return feedId > OFFSET ? 1_50000000 : 200_00000000;
    }

    /// @dev Up to 4 % away: not always inside the first band.
    function _nearby(uint64 price) private returns (uint64) {
        uint256 nearby = (uint256(price) * (96_000 + _oneOf(8_001))) / 100_000;
        return uint64(within(nearby, 1, (1 << 60) - 1));
    }

    /// @dev Out of most bands.
    function _far(uint64 price) private returns (uint64) {
        return _oneOf(2) == 0 ? price / 2 + 1 : uint64((uint256(price) * 3) / 2);
    }

    /// @dev Any order of magnitude; sometimes one that is too large, or nothing.
    function _wild() private returns (uint64) {
        return uint64(_random() >> (192 + _oneOf(65)));
    }

    function _recordOf(uint8 key) private view returns (uint8) {
        for (uint8 number = modelSignerCount; number != 0; --number) {
            if (modelSigners[number].key == key && !modelSigners[number].isCancelled) return number;
        }
        return 1;
    }

    function _filledUp(bytes memory source, uint256 length) private pure returns (bytes memory copy) {
        copy = new bytes(length);
        for (uint256 i = 0; i < length && i < source.length; ++i) copy[i] = source[i];
    }

    function _withoutSelector(bytes memory failure) private pure returns (bytes memory arguments) {
        arguments = new bytes(failure.length - 4);
        for (uint256 i = 0; i < arguments.length; ++i) arguments[i] = failure[i + 4];
    }
}
