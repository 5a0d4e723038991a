// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PriceBand} from "../../../contracts/guard/PriceBand.sol";
import {TestBase} from "../TestBase.sol";

contract PriceBandTest is TestBase {
    uint256 private constant LARGEST_PRICE = (1 << 60) - 1;

    function testFuzzWithinIsWhatTheFormulaSays(
        uint256 price,
        uint256 referencePrice,
        uint256 band,
        uint256 distance
    ) external pure {
        price = within(price, 1, LARGEST_PRICE);
        referencePrice = within(referencePrice, 0, LARGEST_PRICE);
        band = within(band, 0, 16_383);
        distance = within(distance, 0, 7);
        vm.assertEq(
            PriceBand.isWithin(price, referencePrice, band, distance),
            _isWithin(price, referencePrice, band, distance),
            "band"
        );
    }

    /// @dev The last price inside the band is inside, the next is not, on both sides.
    function testFuzzTheEdgesOfABand(uint256 referencePrice, uint256 band, uint256 distance) external pure {
        referencePrice = within(referencePrice, 1, LARGEST_PRICE / 16);
        band = within(band, 0, 10_000);
        distance = within(distance, 1, 7);
        uint256 furthest = (referencePrice * band * distance) / 10_000;
        vm.assertTrue(PriceBand.isWithin(referencePrice + furthest, referencePrice, band, distance), "highest");
        vm.assertFalse(PriceBand.isWithin(referencePrice + furthest + 1, referencePrice, band, distance), "above it");
        if (furthest < referencePrice) {
            vm.assertTrue(PriceBand.isWithin(referencePrice - furthest, referencePrice, band, distance), "lowest");
            vm.assertFalse(
                PriceBand.isWithin(referencePrice - furthest - 1, referencePrice, band, distance),
                "below it"
            );
        }
    }

    function testFuzzDaysBetweenDates(uint256 oneDay, uint256 otherDay, uint8 near) external pure {
        vm.assertEq(PriceBand.distanceBetween(oneDay, otherDay), _daysBetween(oneDay, otherDay), "any two");
        uint256 nearDay = within(oneDay, 10, type(uint256).max - 20);
        otherDay = nearDay + (near % 21) - 10;
        vm.assertEq(PriceBand.distanceBetween(nearDay, otherDay), _daysBetween(nearDay, otherDay), "near ones");
        vm.assertEq(PriceBand.distanceBetween(otherDay, nearDay), _daysBetween(nearDay, otherDay), "in either order");
    }

    /// @dev With checked arithmetic: these numbers cannot overflow it.
    function _isWithin(
        uint256 price,
        uint256 referencePrice,
        uint256 band,
        uint256 distance
    ) private pure returns (bool) {
        uint256 allowed = referencePrice * band * distance;
        if (price * 10_000 > referencePrice * 10_000) return (price - referencePrice) * 10_000 <= allowed;
        return (referencePrice - price) * 10_000 <= allowed;
    }

    function _daysBetween(uint256 oneDay, uint256 otherDay) private pure returns (uint256) {
        uint256 between = oneDay < otherDay ? otherDay - oneDay : oneDay - otherDay;
        if (between < 1) return 1;
        return between > 7 ? 7 : between;
    }
}
