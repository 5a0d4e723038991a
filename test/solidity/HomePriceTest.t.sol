// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IGuardRails} from "../../contracts/interfaces/IGuardRails.sol";
import {IHomePriceOracle} from "../../contracts/interfaces/IHomePriceOracle.sol";
import {IPriceHistory} from "../../contracts/interfaces/IPriceHistory.sol";
import {Freshness, PendingPrice, Price} from "../../contracts/interfaces/Price.sol";
import {
    ITestHomePriceOracle,
    TestHomePriceOracle,
    TestOracleConfiguration
} from "../../contracts/testing-kit/TestHomePriceOracle.sol";
import {HomePriceTest, PriceKind} from "../../contracts/testing-kit/HomePriceTest.sol";
import {PriceToSign, SignedPriceFactory} from "../../contracts/testing-kit/SignedPriceFactory.sol";
import {TestBase} from "./TestBase.sol";

/// @dev What the base of consumers' tests does, seen as a consumer sees it. Runs in both runners.
contract HomePriceTestTest is TestBase, HomePriceTest {
    uint64 private constant MARKET = 5_826_765;
    uint64 private constant PRICE = 216_94000000;

    function homePriceArtifacts() internal pure override returns (string memory) {
        return ARTIFACTS;
    }

    function testTheOracleIsTheDefaultDeploymentWithTheTestSigner() external view {
        vm.assertEq(currentTime(), HOME_PRICE_START, "starts at the stated time");
        vm.assertEq(currentTime() % 1 days, 13 hours, "after the release of the day");
        vm.assertEq(homePriceOracle.signerInfo(HOME_PRICE_SIGNER).publicKey, homePriceSigner.PUBLIC_KEY(), "signer");
        vm.assertEq(homePriceOracle.guardian(), address(this), "guardian");
        vm.assertEq(homePriceOracle.SIGNER_DELAY(), 24 hours, "signer delay");
        vm.assertEq(homePriceOracle.QUARANTINE_DELAY(), 6 hours, "quarantine delay");
        vm.assertEq(homePriceOracle.DEFAULT_BAND(), 0, "band");
        vm.assertEq(homePriceOracle.RENTAL_OFFSET(), 2_000_000_000, "rental offset");
    }

    /// @dev All different, so that a field in the place of another shows.
    function testEveryFieldOfAConfigurationArrives() external {
        bytes32[] memory publicKeys = new bytes32[](2);
        publicKeys[0] = TestHomePriceOracle.deploySigner(ARTIFACTS, "one").PUBLIC_KEY();
        publicKeys[1] = TestHomePriceOracle.deploySigner(ARTIFACTS, "two").PUBLIC_KEY();
        TestOracleConfiguration memory configuration = TestHomePriceOracle.defaultConfiguration(
            TestHomePriceOracle.deployVerifierFactory(ARTIFACTS),
            publicKeys,
            address(11),
            address(12)
        );
        configuration.signerDelay = 13 hours;
        configuration.rentalOffset = 14;
        configuration.maxExpiryAfterDate = 15 hours;
        configuration.quarantineDelay = 16 hours;
        configuration.defaultBand = 17;
        configuration.signers[1].validFrom = 18;
        ITestHomePriceOracle oracle = TestHomePriceOracle.deploy(ARTIFACTS, configuration);
        (, bytes memory owner) = address(oracle).staticcall(abi.encodeWithSignature("owner()"));
        (, bytes memory maxExpiry) = address(oracle).staticcall(abi.encodeWithSignature("MAX_EXPIRY_AFTER_DATE_MS()"));
        vm.assertEq(abi.decode(owner, (address)), address(11), "owner");
        vm.assertEq(oracle.guardian(), address(12), "guardian");
        vm.assertEq(oracle.SIGNER_DELAY(), 13 hours, "signer delay");
        vm.assertEq(oracle.RENTAL_OFFSET(), 14, "rental offset");
        vm.assertEq(abi.decode(maxExpiry, (uint256)), 15 hours * 1000, "expiry after date");
        vm.assertEq(oracle.QUARANTINE_DELAY(), 16 hours, "quarantine delay");
        vm.assertEq(oracle.DEFAULT_BAND(), 17, "band");
        vm.assertEq(oracle.signerCount(), 2, "signers");
        vm.assertEq(oracle.signerInfo(1).publicKey, publicKeys[0], "first key");
        vm.assertEq(oracle.signerInfo(1).validFrom, 0, "first key's span");
        vm.assertEq(oracle.signerInfo(2).publicKey, publicKeys[1], "second key");
        vm.assertEq(oracle.signerInfo(2).validFrom, 18, "second key's span");
    }

    /// @dev What the constructor reverts with comes through.
    function testABadConfigurationIsRefusedAsByTheOracle() external {
        TestOracleConfiguration memory configuration = TestHomePriceOracle.defaultConfiguration(
            TestHomePriceOracle.deployVerifierFactory(ARTIFACTS),
            new bytes32[](0),
            address(this),
            address(this)
        );
        configuration.quarantineDelay = 5;
        vm.expectRevert(abi.encodeWithSelector(IGuardRails.InvalidQuarantineDelay.selector, 5));
        this.deploy(configuration);
    }

    function deploy(TestOracleConfiguration calldata configuration) external {
        TestHomePriceOracle.deploy(ARTIFACTS, configuration);
    }

    function testFuzzAPriceIsServedUntilItExpires(uint64 marketId, bool isRental, uint64 price) external {
        marketId = uint64(within(marketId, 1, 2_000_000_000 - 1));
        price = uint64(within(price, 1, (1 << 60) - 1));
        PriceKind kind = isRental ? PriceKind.Rental : PriceKind.Sales;
        vm.assertTrue(bring(marketId, kind, price), "stored");

        uint64 feedId = feedIdOf(marketId, kind);
        Price memory served = isRental ? homePriceOracle.rentalPrice(marketId) : homePriceOracle.salesPrice(marketId);
        vm.assertEq(served.price, price, "price");
        vm.assertEq(served.publishTime, currentTime(), "published now");
        vm.assertEq(served.day, today(), "for today");
        vm.assertEq(served.expiry, currentTime() + 25 hours, "lives as long as it may");
        PriceKind otherKind = isRental ? PriceKind.Sales : PriceKind.Rental;
        vm.assertTrue(
            homePriceOracle.freshness(feedIdOf(marketId, otherKind)) == Freshness.NoPrice,
            "the market's other feed has none"
        );

        nextDay();
        vm.assertEq(currentTime(), HOME_PRICE_START + 1 days, "a day later");
        vm.assertEq(homePriceOracle.latestPrice(feedId).price, price, "yesterday's price in its last hour");
        waitUntilExpired(feedId);
        vm.expectRevert(abi.encodeWithSelector(IHomePriceOracle.PriceExpired.selector, feedId, served.expiry));
        homePriceOracle.latestPrice(feedId);
        waitUntil(currentTime() - 1);
        vm.assertEq(homePriceOracle.latestPrice(feedId).price, price, "a second before");
    }

    function testASettledPriceIsFinalWhenTheBaseSaysSo() external {
        bring(MARKET, PriceKind.Sales, PRICE);
        uint32 day = today();
        waitUntilFinal(day);
        vm.assertEq(homePriceOracle.settlementPrice(MARKET, day).price, PRICE, "settled");
        waitUntil(currentTime() - 1);
        vm.expectRevert(
            abi.encodeWithSelector(IPriceHistory.DayNotFinal.selector, MARKET, day, uint64(currentTime() + 1))
        );
        homePriceOracle.settlementPrice(MARKET, day);
    }

    function testAJumpWaitsAndIsServedWhenTheBaseSaysSo() external {
        uint64[] memory feedIds = new uint64[](1);
        feedIds[0] = MARKET;
        homePriceOracle.setBands(feedIds, 500);
        bring(MARKET, PriceKind.Sales, PRICE);
        nextDay();
        vm.assertTrue(bring(MARKET, PriceKind.Sales, 2 * PRICE), "taken");
        vm.assertEq(homePriceOracle.latestPrice(MARKET).price, PRICE, "yesterday's is served for now");
        PendingPrice memory pending = homePriceOracle.pendingPrice(MARKET);
        vm.assertEq(pending.price.price, 2 * PRICE, "waits");
        vm.assertEq(pending.waitingSince, currentTime(), "from now on");
        waitUntilServed(MARKET);
        vm.assertEq(homePriceOracle.latestPrice(MARKET).price, 2 * PRICE, "served");
        waitUntil(currentTime() - 1);
        vm.assertEq(homePriceOracle.priceUnsafe(MARKET).price, PRICE, "not a second before");
    }

    function testTheTestContractIsOwnerAndGuardian() external {
        bring(MARKET, PriceKind.Sales, PRICE);
        homePriceOracle.pause();
        vm.assertTrue(homePriceOracle.freshness(MARKET) == Freshness.Paused, "paused");
        homePriceOracle.unpause();
        vm.assertTrue(homePriceOracle.freshness(MARKET) == Freshness.Fresh, "unpaused");
        homePriceOracle.revokeSigner(HOME_PRICE_SIGNER, 0);
        vm.assertTrue(homePriceOracle.freshness(MARKET) == Freshness.SignerRevoked, "revoked");
    }

    function testAChangedPriceCanBeSignedToo() external {
        PriceToSign memory price = publishedNow(MARKET, PriceKind.Sales, PRICE);
        price.publishTimeMs -= 2 hours * 1000;
        price.day -= 1;
        vm.assertTrue(bringUpdate(SignedPriceFactory.update(homePriceSigner, price)), "stored");
        vm.assertEq(homePriceOracle.latestPrice(MARKET).day, today() - 1, "day");
        vm.assertEq(homePriceOracle.latestPrice(MARKET).publishTime, currentTime() - 2 hours, "publish time");
    }

    /// @dev Expiries of any millisecond: the first second at which the price is not served.
    function testFuzzAPriceHasJustExpiredWhenTheBaseSaysSo(uint32 earlier) external {
        PriceToSign memory price = publishedNow(MARKET, PriceKind.Sales, PRICE);
        price.expiryMs -= uint64(within(earlier, 0, 24 hours * 1000));
        bringUpdate(SignedPriceFactory.update(homePriceSigner, price));
        waitUntilExpired(MARKET);
        vm.assertTrue(homePriceOracle.freshness(MARKET) == Freshness.Expired, "expired");
        waitUntil(currentTime() - 1);
        vm.assertTrue(homePriceOracle.freshness(MARKET) == Freshness.Fresh, "not a second before");
    }

    /// @dev Within one function, whatever the compiler thinks of the block time.
    function testTheClockMovesEveryTime() external {
        nextDay();
        nextDay();
        waitFor(1 hours);
        waitFor(1 hours);
        vm.assertEq(currentTime(), HOME_PRICE_START + 2 days + 2 hours, "all four");
        bring(MARKET, PriceKind.Sales, PRICE);
        vm.assertEq(homePriceOracle.latestPrice(MARKET).publishTime, currentTime(), "published now");
    }
}
