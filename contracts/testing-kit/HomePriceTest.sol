// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Freshness} from "../interfaces/Price.sol";
import {IEd25519TestSigner} from "./IEd25519TestSigner.sol";
import {PriceToSign, SignedPriceFactory} from "./SignedPriceFactory.sol";
import {ITestHomePriceOracle, TestHomePriceOracle} from "./TestHomePriceOracle.sol";

/// @notice Which of a market's two prices.
enum PriceKind {
    Sales,
    Rental
}

/// @dev The cheat codes that this base needs; Foundry and Hardhat's Solidity tests answer them at the same address.
interface ITimeCheats {
    function warp(uint256 newTimestamp) external;
    function getBlockTimestamp() external view returns (uint256 timestamp);
}

/// @title Base of tests of contracts that read home prices
/// @notice Has the real oracle with a test signer, `homePriceSigner`, and moves the clock. The test contract
///         itself is the oracle's owner and guardian, so that it can call `homePriceOracle.pause()` and the like.
/// @dev Runs in Foundry and in Hardhat, which have to be allowed to read the artifacts of this package: see
///      TestHomePriceOracle. Goes together with forge-std's Test: no name of the two is the same but
///      `setUp`.
abstract contract HomePriceTest {
    /// @dev 2026-03-02 13:00:00 UTC, half an hour after the prices of that day have come out.
    uint256 internal constant HOME_PRICE_START = 1_772_456_400;
    /// @dev The number of `homePriceSigner` in the oracle.
    uint8 internal constant HOME_PRICE_SIGNER = 1;

    /// @dev bytes20(uint160(uint256(keccak256("hevm cheat code"))))
    ITimeCheats private constant TIME = ITimeCheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    /// @dev 00:00 UTC to the moment at which a day's prices are brought.
    uint256 private constant RELEASE = 13 hours;

    ITestHomePriceOracle internal homePriceOracle;
    IEd25519TestSigner internal homePriceSigner;

    /// @notice Deploys the oracle at HOME_PRICE_START. Overriding functions call it first: `super.setUp()`.
    function setUp() public virtual {
        TIME.warp(HOME_PRICE_START);
        homePriceSigner = TestHomePriceOracle.deploySigner(homePriceArtifacts(), "home price test");
        homePriceOracle = TestHomePriceOracle.deploy(
            homePriceArtifacts(),
            homePriceSigner.PUBLIC_KEY(),
            address(this),
            address(this)
        );
    }

    /// @dev Folder of this package's artifacts, with a slash at its end; for projects that keep packages elsewhere.
    function homePriceArtifacts() internal pure virtual returns (string memory) {
        return TestHomePriceOracle.INSTALLED_ARTIFACTS;
    }

    // -------------------------------------------------------------------------------------------------------- prices

    /// @dev Brings a price of today, published now.
    /// @param price 8 decimals.
    /// @return Whether it has been stored. One outside its feed's band has too, but waits.
    function bring(uint64 marketId, PriceKind kind, uint64 price) internal returns (bool) {
        return bringUpdate(signedUpdate(marketId, kind, price));
    }

    /// @dev Brings an update, whoever has made it.
    function bringUpdate(bytes memory update) internal returns (bool) {
        return homePriceOracle.updatePrices(listOf(update))[0];
    }

    /// @dev The same price as `bring` brings, for a contract that brings it itself: 138 bytes.
    function signedUpdate(uint64 marketId, PriceKind kind, uint64 price) internal view returns (bytes memory) {
        return SignedPriceFactory.update(homePriceSigner, publishedNow(marketId, kind, price));
    }

    /// @dev The same, still to be changed and signed: `SignedPriceFactory.update(homePriceSigner, price)`.
    function publishedNow(uint64 marketId, PriceKind kind, uint64 price) internal view returns (PriceToSign memory) {
        return SignedPriceFactory.publishedAt(currentTime(), feedIdOf(marketId, kind), price);
    }

    function feedIdOf(uint64 marketId, PriceKind kind) internal pure returns (uint64) {
        return kind == PriceKind.Sales ? marketId : marketId + TestHomePriceOracle.RENTAL_OFFSET;
    }

    /// @dev A list of one.
    function listOf(bytes memory update) internal pure returns (bytes[] memory updates) {
        updates = new bytes[](1);
        updates[0] = update;
    }

    // ---------------------------------------------------------------------------------------------------------- time

    /// @dev The block time. The compiler takes `block.timestamp` for something that cannot change within a function,
    ///      and may read it once: a test that moves the clock reads it here.
    function currentTime() internal view returns (uint256) {
        return TIME.getBlockTimestamp();
    }

    /// @dev The date of now, days since 1970-01-01.
    function today() internal view returns (uint32) {
        return uint32(currentTime() / 1 days);
    }

    /// @dev Goes to the hour of the next day at which its prices have come out. Yesterday's have not expired then:
    ///      their last hour begins.
    function nextDay() internal {
        waitUntil((uint256(today()) + 1) * 1 days + RELEASE);
    }

    function waitFor(uint256 secondsFromNow) internal {
        waitUntil(currentTime() + secondsFromNow);
    }

    function waitUntil(uint256 time) internal {
        TIME.warp(time);
    }

    /// @dev Goes to the second at which what is stored of a feed is no longer served by latestPrice.
    function waitUntilExpired(uint64 feedId) internal {
        waitUntil(homePriceOracle.priceUnsafe(feedId).expiry);
        // Expiries are milliseconds, and rounded down where they are returned.
        if (homePriceOracle.freshness(feedId) == Freshness.Fresh) waitFor(1);
    }

    /// @dev Goes to the second at which a price in quarantine becomes the latest.
    function waitUntilServed(uint64 feedId) internal {
        waitUntil(homePriceOracle.pendingPrice(feedId).servedFrom);
    }

    /// @dev Goes to the second from which the price of a date is final.
    function waitUntilFinal(uint32 day) internal {
        waitUntil(uint256(day) * 1 days + homePriceOracle.SETTLEMENT_DELAY());
    }
}
