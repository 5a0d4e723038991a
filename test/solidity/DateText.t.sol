// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CalendarDate} from "../../contracts/message/CalendarDate.sol";
import {DateText} from "../../contracts/testing-kit/DateText.sol";
import {TestBase} from "./TestBase.sol";

contract DateTextTest is TestBase {
    uint256 private constant LAST_DAY = 2_932_896;

    function testDatesThatAreKnown() external pure {
        vm.assertEq(bytes32(DateText.write(0)), bytes32(bytes10("1970-01-01")), "first");
        vm.assertEq(bytes32(DateText.write(11_016)), bytes32(bytes10("2000-02-29")), "leap day of a fourth century");
        vm.assertEq(bytes32(DateText.write(20_514)), bytes32(bytes10("2026-03-02")), "start of the tests");
        vm.assertEq(bytes32(DateText.write(LAST_DAY)), bytes32(bytes10("9999-12-31")), "last");
    }

    function testFuzzTheOracleReadsTheDayThatIsWritten(uint256 day) external pure {
        day = within(day, 0, LAST_DAY);
        (bool isDate, uint32 read) = CalendarDate.parse(DateText.write(day));
        vm.assertTrue(isDate, "is a date");
        vm.assertEq(read, day, "of that day");
    }

    function testFuzzADayWithoutADateIsRefused(uint256 day) external {
        day = within(day, LAST_DAY + 1, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(DateText.DayWithoutDate.selector, day));
        this.write(day);
    }

    function write(uint256 day) external pure returns (bytes10) {
        return DateText.write(day);
    }
}
