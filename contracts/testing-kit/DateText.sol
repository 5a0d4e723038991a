// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Writes days as the signed message has them: ten ASCII bytes, `YYYY-MM-DD`
/// @notice The inverse of CalendarDate.
library DateText {
    uint256 private constant DAYS_PER_400_YEARS = 146_097;
    /// @dev From 0000-03-01 to 1970-01-01.
    uint256 private constant DAYS_BEFORE_1970 = 719_468;
    /// @dev 9999-12-31.
    uint256 private constant LAST_DAY = 2_932_896;

    /// @notice The day is after 9999-12-31.
    error DayWithoutDate(uint256 day);

    /// @param day Days since 1970-01-01.
    function write(uint256 day) internal pure returns (bytes10) {
        if (day > LAST_DAY) revert DayWithoutDate(day);
        // Years are counted from 1 March, so that the leap day is the last of a year, and in eras of 400, which are all
        // of the same length.
        uint256 days0 = day + DAYS_BEFORE_1970;
        uint256 era = days0 / DAYS_PER_400_YEARS;
        uint256 dayOfEra = days0 % DAYS_PER_400_YEARS;
        uint256 leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096;
        uint256 yearOfEra = (dayOfEra - leapDays) / 365;
        uint256 dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        // March is month 0: before month m lie floor((153·m + 2) / 5) days.
        uint256 marchMonth = (5 * dayOfYear + 2) / 153;
        uint256 dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
        uint256 month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        uint256 year = 400 * era + yearOfEra + (month < 3 ? 1 : 0);
        return
            bytes10(
                abi.encodePacked(
                    _twoDigits(year / 100),
                    _twoDigits(year % 100),
                    "-",
                    _twoDigits(month),
                    "-",
                    _twoDigits(dayOfMonth)
                )
            );
    }

    function _twoDigits(uint256 number) private pure returns (bytes2) {
        return bytes2(uint16(((48 + number / 10) << 8) | (48 + (number % 10))));
    }
}
