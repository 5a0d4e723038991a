// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IHomePriceOracle} from "../../contracts/interfaces/IHomePriceOracle.sol";
import {IPriceHistory} from "../../contracts/interfaces/IPriceHistory.sol";
import {DailyPrice, Freshness} from "../../contracts/interfaces/Price.sol";
import {HomePriceTest, PriceKind} from "../../contracts/testing-kit/HomePriceTest.sol";
import {IEd25519TestSigner} from "../../contracts/testing-kit/IEd25519TestSigner.sol";
import {PriceToSign, SignedPriceFactory} from "../../contracts/testing-kit/SignedPriceFactory.sol";
import {TestHomePriceOracle} from "../../contracts/testing-kit/TestHomePriceOracle.sol";
import {TestBase} from "./TestBase.sol";

/// @dev What may be built on the price of a date.
contract SettlementTest is TestBase, HomePriceTest {
    uint64 private constant FEED = 5_826_765;

    IEd25519TestSigner private second;
    uint8 private secondNumber;

    function setUp() public override {
        super.setUp();
        second = TestHomePriceOracle.deploySigner(ARTIFACTS, "second");
        secondNumber = homePriceOracle.proposeSigner(second.PUBLIC_KEY(), SignedPriceFactory.defaultLayout(), 0);
        uint64[] memory feedIds = new uint64[](1);
        feedIds[0] = FEED;
        homePriceOracle.setBands(feedIds, 300);
        nextDay();
    }

    function homePriceArtifacts() internal pure override returns (string memory) {
        return ARTIFACTS;
    }

    /// @dev Before: a date is final. Done: any update for it, valid in everything but that. After: the same price.
    function testFuzzNoUpdateChangesASettledDate(uint64 price, uint32 publishedAfter, bool isBySecond) external {
        bring(FEED, PriceKind.Sales, 216_94000000);
        uint32 day = today();
        nextDay();
        bring(FEED, PriceKind.Sales, 217_00000000);
        waitUntilFinal(day);
        DailyPrice memory settled = homePriceOracle.settlementPrice(FEED, day);
        vm.assertEq(settled.price, 216_94000000, "settled");

        // Its expiry is as late as the date allows, which is now.
        PriceToSign memory late = publishedNow(FEED, PriceKind.Sales, uint64(within(price, 1, (1 << 60) - 1)));
        (late.day, late.expiryMs) = (day, uint64(currentTime() * 1000));
        late.publishTimeMs -= uint64(within(publishedAfter, 0, 24 hours * 1000));
        bytes memory update = SignedPriceFactory.update(isBySecond ? second : homePriceSigner, late);
        vm.assertFalse(bringUpdate(update), "stored");
        vm.assertEq(abi.encode(homePriceOracle.settlementPrice(FEED, day)), abi.encode(settled), "as settled");
    }

    /// @dev Before: a settled price by the first signer took the place of one by the second. Done: the second is
    ///      revoked. After: the same price, whether or not the first one's has been written since it was served by
    ///      itself.
    function testASettledDateStaysAsItIsWhenAnotherSignerIsRevoked() external {
        bring(FEED, PriceKind.Sales, 216_94000000);
        nextDay();
        PriceToSign memory replaced = publishedNow(FEED, PriceKind.Sales, 217_00000000);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(second, replaced)), "recorded");
        waitFor(1 hours);
        vm.assertTrue(bring(FEED, PriceKind.Sales, 500_00000000), "waits");
        uint32 day = today();
        waitUntilFinal(day);
        DailyPrice memory settled = homePriceOracle.settlementPrice(FEED, day);
        vm.assertEq(settled.price, 500_00000000, "served by itself before the date was final");
        vm.assertTrue(settled.isRevised, "in the place of another");
        homePriceOracle.revokeSigner(secondNumber, day);
        vm.assertEq(abi.encode(homePriceOracle.settlementPrice(FEED, day)), abi.encode(settled), "as settled");
    }

    /// @dev Before: settled prices of three dates. Done: their signer is revoked since the second. After: the first
    ///      stays.
    function testARevocationVoidsSettledDatesFromItsDayOn() external {
        uint32 day = today();
        for (uint64 i = 0; i < 3; ++i) {
            PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 216_94000000 + i);
            vm.assertTrue(bringUpdate(SignedPriceFactory.update(second, price)), "recorded");
            nextDay();
        }
        waitUntilFinal(day + 2);
        DailyPrice memory settled = homePriceOracle.settlementPrice(FEED, day);
        homePriceOracle.revokeSigner(secondNumber, day + 1);
        vm.assertEq(abi.encode(homePriceOracle.settlementPrice(FEED, day)), abi.encode(settled), "before its day");
        for (uint32 i = 1; i < 3; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IHomePriceOracle.PriceSignerRevoked.selector, FEED, secondNumber));
            homePriceOracle.settlementPrice(FEED, day + i);
        }
    }

    /// @dev Before: a price waits for a date that is final before its wait is over. Done: nothing. After: it is the latest,
    ///      and its date has no price for good.
    function testFuzzWhatIsServedAfterItsDateIsFinalIsNotInTheHistory(uint32 beforeItIsFinal) external {
        bring(FEED, PriceKind.Sales, 216_94000000);
        uint32 day = today() + 1;
        waitUntilFinal(day);
        waitUntil(currentTime() - within(beforeItIsFinal, 1, 6 hours));
        PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 500_00000000);
        (price.day, price.expiryMs) = (day, (uint64(day) + 3) * 86_400_000);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(homePriceSigner, price)), "waits");
        waitUntilServed(FEED);
        vm.assertEq(homePriceOracle.priceUnsafe(FEED).price, 500_00000000, "the latest");
        vm.expectRevert(abi.encodeWithSelector(IPriceHistory.NoPriceOn.selector, FEED, day));
        homePriceOracle.settlementPrice(FEED, day);
        // The same after it has been written.
        bring(FEED, PriceKind.Sales, 501_00000000);
        vm.expectRevert(abi.encodeWithSelector(IPriceHistory.NoPriceOn.selector, FEED, day));
        homePriceOracle.settlementPrice(FEED, day);
    }

    /// @dev Before: a price became the latest by itself. Done: its signer is revoked, any time later. After: as for any
    ///      other price: not served, and in the history if the revocation is for later dates.
    function testFuzzAPriceServedByItselfIsRevokedLikeAnyOther(uint32 later, bool isForLaterDates) external {
        bring(FEED, PriceKind.Sales, 216_94000000);
        nextDay();
        PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 500_00000000);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(second, price)), "waits");
        waitUntilServed(FEED);
        waitFor(within(later, 0, 5 days));
        homePriceOracle.revokeSigner(secondNumber, isForLaterDates ? price.day + 1 : price.day);
        vm.assertTrue(homePriceOracle.freshness(FEED) == Freshness.SignerRevoked, "not served");
        vm.assertEq(homePriceOracle.priceUnsafe(FEED).price, 0, "nor given in any other way");
        DailyPrice memory daily = homePriceOracle.priceOnUnsafe(FEED, price.day);
        vm.assertEq(daily.price, isForLaterDates ? price.price : 0, "in the history");
    }

    /// @dev Before: a price waits. Done: its signer is revoked. After: nothing waits, and what was served still is.
    function testFuzzAWaitingPriceIsDroppedWithItsSigner(uint32 later) external {
        bring(FEED, PriceKind.Sales, 216_94000000);
        nextDay();
        PriceToSign memory price = publishedNow(FEED, PriceKind.Sales, 500_00000000);
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(second, price)), "waits");
        waitFor(within(later, 0, 6 hours - 1));
        homePriceOracle.revokeSigner(secondNumber, 0);
        vm.assertEq(homePriceOracle.pendingPrice(FEED).waitingSince, 0, "nothing waits");
        waitFor(1 days);
        vm.assertEq(homePriceOracle.priceUnsafe(FEED).price, 216_94000000, "the price before it");
        vm.assertEq(homePriceOracle.priceOnUnsafe(FEED, price.day).price, 0, "nor is it in the history");
    }
}
