// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomePriceTest, PriceKind} from "home-price-oracle/contracts/testing-kit/HomePriceTest.sol";
import {IndexedLease} from "../contracts/IndexedLease.sol";

contract IndexedLeaseTest is HomePriceTest {
    uint64 private constant MARKET = 5_826_765;

    IndexedLease private _lease;

    function setUp() public override {
        super.setUp();
        _lease = new IndexedLease(homePriceOracle, MARKET, 1000);
    }

    function test_TakesAPriceThatIsBroughtAlong() external {
        _lease.setRent(listOf(signedUpdate(MARKET, PriceKind.Rental, 235_000_000)), today());
        require(_lease.rent() == 235_000_000_000, "the rent is not that of the price");
    }

    function test_DoesNotTakeYesterdaysPrice() external {
        bring(MARKET, PriceKind.Rental, 235_000_000);
        nextDay();
        try _lease.setRent(new bytes[](0), today()) {
            revert("yesterday's price was taken");
        } catch {}
        _lease.setRent(listOf(signedUpdate(MARKET, PriceKind.Rental, 240_000_000)), today());
        require(_lease.rent() == 240_000_000_000, "the rent is not that of the new price");
    }
}
