// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DayPrice} from "../../../contracts/history/DayPrice.sol";
import {ThreeDays, ThreeDaysLibrary} from "../../../contracts/history/ThreeDays.sol";
import {TestBase} from "../TestBase.sol";

contract ThreeDaysTest is TestBase {
    /// @dev In a slot of any content, written in any order.
    function testFuzzEveryDateHasAPlaceOfItsOwn(
        uint256 word,
        uint32 firstDay,
        uint256[3] memory entries,
        uint8 order
    ) external pure {
        uint256 first = (uint256(firstDay) / 3) * 3;
        ThreeDays slot = ThreeDays.wrap(word);
        for (uint256 i = 0; i < 3; ++i) {
            uint256 place = (i + order) % 3;
            entries[place] %= 1 << 85;
            slot = _with(slot, first + place, entries[place]);
        }
        for (uint256 place = 0; place < 3; ++place) {
            vm.assertEq(_priceOn(slot, first + place), entries[place], "as written");
        }
        vm.assertEq(ThreeDays.unwrap(slot) >> 255, word >> 255, "the highest bit stays");
    }

    function testFuzzWritingOneDateLeavesTheOthers(uint256 word, uint32 day, uint256 entry) external pure {
        entry %= 1 << 85;
        ThreeDays before = ThreeDays.wrap(word);
        ThreeDays afterwards = _with(before, day, entry);
        vm.assertEq(_priceOn(afterwards, day), entry, "as written");
        for (uint256 i = 1; i < 3; ++i) {
            uint256 other = uint256(day) + i;
            vm.assertEq(_priceOn(afterwards, other), _priceOn(before, other), "as before");
        }
        vm.assertEq(ThreeDays.unwrap(_with(afterwards, day, _priceOn(before, day))), word, "and back");
    }

    function _with(ThreeDays slot, uint256 day, uint256 entry) private pure returns (ThreeDays) {
        return slot.with(ThreeDaysLibrary.placeOf(day), DayPrice.wrap(entry));
    }

    function _priceOn(ThreeDays slot, uint256 day) private pure returns (uint256) {
        return DayPrice.unwrap(slot.priceAt(ThreeDaysLibrary.placeOf(day)));
    }
}
