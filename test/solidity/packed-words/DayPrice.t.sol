// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DayPrice, DayPriceLibrary} from "../../../contracts/history/DayPrice.sol";
import {DailyPrice} from "../../../contracts/interfaces/Price.sol";
import {TestBase} from "../TestBase.sol";

contract DayPriceTest is TestBase {
    function testFuzzWhatIsPackedIsRead(
        uint256 price,
        uint256 publishSeconds,
        uint256 signer,
        bool revised
    ) external pure {
        price %= 1 << 60;
        publishSeconds %= 1 << 18;
        signer %= 64;
        DayPrice entry = _pack(price, publishSeconds, signer, revised);
        vm.assertEq(entry.price(), price, "price");
        vm.assertEq(entry.publishSeconds(), publishSeconds, "publish time");
        vm.assertEq(entry.signer(), signer, "signer");
        vm.assertEq(entry.isRevised(), revised, "revised");
        vm.assertTrue(DayPrice.unwrap(entry) < 1 << 85, "85 bits");
        vm.assertEq(
            entry.isNone(),
            price == 0 && publishSeconds == 0 && signer == 0 && !revised,
            "none if all is zero"
        );
    }

    function testFuzzBitsAboveAnEntryDoNotCount(uint256 word) external pure {
        DayPrice entry = DayPrice.wrap(word);
        DayPrice clean = DayPrice.wrap(word % (1 << 85));
        vm.assertEq(entry.price(), clean.price(), "price");
        vm.assertEq(entry.publishSeconds(), clean.publishSeconds(), "publish time");
        vm.assertEq(entry.signer(), clean.signer(), "signer");
        vm.assertEq(entry.isRevised(), clean.isRevised(), "revised");
    }

    /// @dev 72 hours from 00:00 UTC of a date are 259,200 seconds, for which 18 bits suffice.
    function testFuzzAPriceIsServedWithItsDate(
        uint256 price,
        uint256 publishSeconds,
        uint256 signer,
        bool revised,
        uint32 day
    ) external pure {
        price = within(price, 1, (1 << 60) - 1);
        publishSeconds = within(publishSeconds, 0, 72 hours - 1);
        signer = within(signer, 1, 63);
        DailyPrice memory daily = _pack(price, publishSeconds, signer, revised).toDailyPrice(day);
        vm.assertEq(daily.price, price, "price");
        vm.assertEq(daily.publishTime, uint256(day) * 86_400 + publishSeconds, "publish time");
        vm.assertEq(daily.day, day, "day");
        vm.assertEq(daily.signer, signer, "signer");
        vm.assertEq(daily.isRevised, revised, "revised");
    }

    function testFuzzNoneIsServedAsZeros(uint32 day) external pure {
        DailyPrice memory none = DailyPrice({price: 0, publishTime: 0, day: day, signer: 0, isRevised: false});
        vm.assertEq(abi.encode(DayPriceLibrary.NONE.toDailyPrice(day)), abi.encode(none), "zeros and the day");
    }

    function _pack(
        uint256 price,
        uint256 publishSeconds,
        uint256 signer,
        bool revised
    ) private pure returns (DayPrice) {
        DayPrice entry = DayPriceLibrary.pack(price, publishSeconds, signer);
        return revised ? entry.revised() : entry;
    }
}
