// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DailyPrice, Freshness, PendingPrice, Price} from "../../contracts/interfaces/Price.sol";
import {HomePriceTest, PriceKind} from "../../contracts/testing-kit/HomePriceTest.sol";
import {IEd25519TestSigner} from "../../contracts/testing-kit/IEd25519TestSigner.sol";
import {PriceToSign, SignedPriceFactory} from "../../contracts/testing-kit/SignedPriceFactory.sol";
import {TestHomePriceOracle} from "../../contracts/testing-kit/TestHomePriceOracle.sol";
import {TestBase} from "./TestBase.sol";

/// @dev The rules of IGuardRails one by one: what is before, what is done, what is after.
contract QuarantineTest is TestBase, HomePriceTest {
    uint64 private constant FEED = 5_826_765;
    uint64 private constant LARGEST_PRICE = (1 << 60) - 1;
    uint256 private constant DELAY = 6 hours;

    function homePriceArtifacts() internal pure override returns (string memory) {
        return ARTIFACTS;
    }

    /// @dev Before: a price of an earlier date. Done: a newer one of any price. After: it is served if it is inside the
    ///      band times the days, 7 at most, and waits otherwise; what waits is not in the history, and nothing else
    ///      changes.
    function testFuzzAPriceIsServedInsideTheBandAndWaitsOutside(
        uint64 first,
        uint64 second,
        uint16 band,
        uint8 daysLater
    ) external {
        first = uint64(within(first, 1, LARGEST_PRICE));
        band = uint16(within(band, 1, 10_000));
        daysLater = uint8(within(daysLater, 1, 10));
        // Most random prices are far out of every band: some are at its edges.
        uint256 allowed = (uint256(first) * band * (daysLater > 7 ? 7 : daysLater)) / 10_000;
        if (second % 4 == 0) second = uint64(within(first + allowed, 1, LARGEST_PRICE));
        if (second % 4 == 1) second = uint64(within(first + allowed + 1, 1, LARGEST_PRICE));
        second = uint64(within(second, 1, LARGEST_PRICE));
        _setBand(band);
        _bring(first);
        for (uint256 i = 0; i < daysLater; ++i) nextDay();
        uint256 brought = currentTime();
        Price memory before = homePriceOracle.priceUnsafe(FEED);

        vm.assertTrue(_bring(second), "taken");

        uint256 change = first > second ? first - second : second - first;
        bool isInside = change <= allowed;
        DailyPrice memory ofToday = homePriceOracle.priceOnUnsafe(FEED, today());
        PendingPrice memory pending = homePriceOracle.pendingPrice(FEED);
        if (isInside) {
            vm.assertEq(homePriceOracle.latestPrice(FEED).price, second, "served");
            vm.assertEq(ofToday.price, second, "price of its date");
            vm.assertEq(pending.waitingSince, 0, "nothing waits");
        } else {
            vm.assertEq(abi.encode(homePriceOracle.priceUnsafe(FEED)), abi.encode(before), "as before");
            vm.assertEq(ofToday.price, 0, "its date has no price yet");
            vm.assertEq(pending.price.price, second, "waits");
            vm.assertEq(pending.waitingSince, brought, "since now");
            vm.assertEq(pending.servedFrom, brought + DELAY, "for the delay");
        }
    }

    /// @dev Before: a price waits. Done: nothing. After the delay, to the second: it is the latest, and its date's.
    function testFuzzAWaitingPriceIsServedByItself(uint64 price, uint32 secondsEarly) external {
        price = uint64(within(price, 2 * 216_94000000, LARGEST_PRICE));
        _beginToWait(price);
        uint256 servedFrom = currentTime() + DELAY;
        waitUntil(servedFrom - within(secondsEarly, 1, DELAY));
        vm.assertEq(homePriceOracle.priceUnsafe(FEED).price, 216_94000000, "not yet the latest");
        vm.assertEq(homePriceOracle.priceOnUnsafe(FEED, today()).price, 0, "not yet in the history");
        waitUntil(servedFrom);
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, price, "served");
        vm.assertEq(homePriceOracle.priceOn(FEED, today()).price, price, "price of its date");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, 0, "waits no longer");
        // It is the reference, so that the level goes on.
        nextDay();
        _bring(price - price / 1_000);
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, price - price / 1_000, "the next of the level");
    }

    /// @dev Before: a price waits. Done: a newer one inside the band around it. After: that waits, since when the first
    ///      did.
    function testFuzzANewerOneOfTheLevelTakesItsPlace(uint32 later, uint16 thousandths) external {
        uint256 since = _beginToWait(500_00000000);
        waitFor(within(later, 1, DELAY - 1));
        uint64 newer = uint64((uint256(500_00000000) * within(thousandths, 970, 1_030)) / 1_000);
        vm.assertTrue(_bring(newer), "taken");
        PendingPrice memory pending = homePriceOracle.pendingPrice(FEED);
        vm.assertEq(pending.price.price, newer, "the newer one waits");
        vm.assertEq(pending.waitingSince, since, "since when the level does");
        waitUntil(since + DELAY);
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, newer, "and is served");
    }

    /// @dev Before: a price waits. Done: a newer one outside both bands. After: that waits, from now on.
    function testFuzzAnotherLevelBeginsToWaitAnew(uint32 later, uint64 newer) external {
        uint256 since = _beginToWait(500_00000000);
        waitFor(within(later, 1, DELAY - 1));
        newer = uint64(within(newer, 600_00000000, LARGEST_PRICE));
        vm.assertTrue(_bring(newer), "taken");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).price.price, newer, "the newer one waits");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, currentTime(), "from now on");
        waitUntil(since + DELAY);
        vm.assertEq(homePriceOracle.priceUnsafe(FEED).price, 216_94000000, "not served when the first would have been");
    }

    /// @dev Before: a price waits. Done: one inside the band of what is served. After: it is served, and the wait ends
    ///      if it is newer than what waits.
    function testFuzzAPriceInsideTheBandEndsTheWaitIfItIsNewer(uint32 ahead) external {
        _beginToWait(500_00000000);
        uint64 waitingMs = homePriceOracle.pendingPrice(FEED).price.publishTime * 1000;
        uint64 latest = homePriceOracle.priceUnsafe(FEED).publishTime;
        PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 217_00000000);
        uint64 midnightMs = uint64(price.day) * 86_400_000;
        price.publishTimeMs = uint64(within(ahead, midnightMs, waitingMs + 1 hours * 1000));
        // Two prices of one time are not told apart by it.
        vm.assume(price.publishTimeMs != waitingMs);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(homePriceSigner, price)), "taken");
        bool isNewer = price.publishTimeMs > waitingMs;
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, 217_00000000, "served");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince == 0, isNewer, "the wait ends");
        vm.assertTrue(homePriceOracle.priceUnsafe(FEED).publishTime >= latest, "not older than before");
    }

    /// @dev Before: a price waits, expired. Done: nothing. After the delay: it is no price to be served, but the
    ///      reference.
    function testAnExpiredWaitingPriceIsTheReference() external {
        _setBand(300);
        _bring(216_94000000);
        nextDay();
        PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 500_00000000);
        price.expiryMs = price.publishTimeMs + 1 hours * 1000;
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(homePriceSigner, price)), "waits");
        waitFor(5 hours);
        vm.assertTrue(homePriceOracle.freshness(FEED) == Freshness.Quarantined, "nothing to serve, something waits");
        waitUntilServed(FEED);
        vm.assertTrue(homePriceOracle.freshness(FEED) == Freshness.Expired, "expired");
        _bring(501_00000000);
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, 501_00000000, "the next of the level is served at once");
    }

    /// @dev Before: a price waits. Done: the guardian confirms it. After: it is the latest now.
    function testFuzzAConfirmedPriceIsServedNow(uint32 later) external {
        uint256 since = _beginToWait(500_00000000);
        waitFor(within(later, 0, DELAY - 1));
        homePriceOracle.confirmPrice(FEED, uint64(since));
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, 500_00000000, "served");
        vm.assertEq(homePriceOracle.priceOn(FEED, today()).price, 500_00000000, "price of its date");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, 0, "nothing waits");
    }

    /// @dev Before: the guardian has vetoed a price. Done: one that was published then or before. After: nothing,
    ///      whatever its price is.
    function testFuzzNothingIsTakenUpToAVeto(uint32 earlier, uint64 price) external {
        uint64 vetoedMs = _veto();
        _expectPassedOver(_published(vetoedMs - within(earlier, 0, 3 hours * 1000), price));
    }

    /// @dev The same when another price has begun to wait since.
    function testFuzzNothingIsTakenUpToAVetoWhileAnotherWaits(uint32 earlier, uint64 price) external {
        uint64 vetoedMs = _veto();
        waitFor(1 hours);
        vm.assertTrue(_bring(800_00000000), "another waits");
        _expectPassedOver(_published(vetoedMs - within(earlier, 0, 3 hours * 1000), price));
    }

    /// @dev The same when the signer of what has begun to wait since is revoked: what was vetoed stays so.
    function testWhatIsVetoedStaysSoWhenASignerIsRevoked() external {
        IEd25519TestSigner second = TestHomePriceOracle.deploySigner(ARTIFACTS, "second");
        uint64 validFrom = uint64(currentTime());
        uint8 number = homePriceOracle.proposeSigner(
            second.PUBLIC_KEY(),
            SignedPriceFactory.defaultLayout(),
            validFrom
        );
        uint256 since = _beginToWait(500_00000000);
        bytes memory vetoed = signedUpdate(FEED, PriceKind.Sales, 500_00000000);
        homePriceOracle.vetoPrice(FEED, uint64(since));
        waitFor(1 hours);
        PriceToSign memory other = publishedNow(FEED, PriceKind.Sales, 800_00000000);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(second, other)), "another waits");
        homePriceOracle.revokeSigner(number, 0);

        vm.assertFalse(bringUpdate(vetoed), "taken in spite of the veto");
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, 0, "waits in spite of the veto");
    }

    /// @dev After a veto: what is published later begins to wait anew, or is served.
    function testWhatIsPublishedAfterAVetoIsTaken() external {
        uint64 vetoedMs = _veto();
        vm.assertTrue(
            bringUpdate(SignedPriceFactory.update(homePriceSigner, _published(vetoedMs + 1, 500_00000000))),
            "taken"
        );
        vm.assertEq(homePriceOracle.pendingPrice(FEED).price.price, 500_00000000, "waits anew");
        vm.assertTrue(
            bringUpdate(SignedPriceFactory.update(homePriceSigner, _published(vetoedMs + 2, 217_00000000))),
            "taken"
        );
        vm.assertEq(homePriceOracle.latestPrice(FEED).price, 217_00000000, "served");
    }

    // ----------------------------------------------------------------------------------------------------------- steps

    function _setBand(uint16 band) private {
        uint64[] memory feedIds = new uint64[](1);
        feedIds[0] = FEED;
        homePriceOracle.setBands(feedIds, band);
    }

    function _bring(uint64 price) private returns (bool) {
        return bring(FEED, PriceKind.Sales, price);
    }

    /// @dev A band of 3 %, 216.94 for yesterday, and a price for today that waits from now on.
    function _beginToWait(uint64 price) private returns (uint256 since) {
        _setBand(300);
        _bring(216_94000000);
        nextDay();
        vm.assertTrue(_bring(price), "taken");
        since = currentTime();
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, since, "waits");
    }

    /// @return vetoedMs When the vetoed price was published.
    function _veto() private returns (uint64 vetoedMs) {
        homePriceOracle.vetoPrice(FEED, uint64(_beginToWait(500_00000000)));
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, 0, "nothing waits");
        return uint64(currentTime() * 1000);
    }

    function _published(uint256 publishTimeMs, uint64 price) private view returns (PriceToSign memory said) {
        said = publishedNow(FEED, PriceKind.Sales, uint64(within(price, 1, LARGEST_PRICE)));
        said.publishTimeMs = uint64(publishTimeMs);
        said.day = uint32(publishTimeMs / 86_400_000);
    }

    function _expectPassedOver(PriceToSign memory price) private {
        bytes memory before = _everything();
        vm.assertFalse(bringUpdate(SignedPriceFactory.update(homePriceSigner, price)), "taken in spite of the veto");
        vm.assertEq(_everything(), before, "changed in spite of the veto");
    }

    function _everything() private view returns (bytes memory) {
        return
            abi.encode(
                homePriceOracle.priceUnsafe(FEED),
                homePriceOracle.pendingPrice(FEED),
                homePriceOracle.priceOnUnsafe(FEED, today()),
                homePriceOracle.priceOnUnsafe(FEED, today() - 1)
            );
    }
}
