// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Days of the Gregorian calendar as the signed message writes them: ten ASCII bytes, `YYYY-MM-DD`
/// @notice A day is a `uint32`: days since 1970-01-01. Years 1970 to 9999.
library CalendarDate {
    uint256 internal constant SECONDS_PER_DAY = 86_400;
    uint256 internal constant MS_PER_DAY = 86_400_000;

    /// @dev ASCII "0000-00-00": subtracting it byte by byte leaves the digits, and 0 where the dashes must be.
    uint80 private constant ZERO_DATE = 0x303030302d30302d3030;
    /// @dev High nibble of every byte: clear in a digit 0 to 9 and in a dash position once "0000-00-00" is gone.
    uint80 private constant HIGH_NIBBLES = 0xf0f0f0f0f0f0f0f0f0f0;
    /// @dev Added to every byte, 6 carries a digit above 9 into its high nibble.
    uint80 private constant SIXES = 0x06060606060606060606;
    /// @dev The two bytes in which the dashes stand.
    uint80 private constant DASHES = 0x00000000ff0000ff0000;

    /// @notice Reads a date.
    /// @param date Ten ASCII bytes.
    /// @return valid Whether it is structurally YYYY-MM-DD, a day of the calendar, and not before 1970.
    /// @return day Days since 1970-01-01; 0 when not valid.
    function parse(bytes10 date) internal pure returns (bool valid, uint32 day) {
        unchecked {
            // XOR instead of subtraction, so that no byte borrows from its neighbour: '0'..'9' are 0x30..0x39, and
            // XOR with 0x30 leaves 0..9 for exactly these. XOR with '-' leaves 0 for exactly '-'.
            uint256 digits = uint80(date) ^ ZERO_DATE;
            if (((digits | (digits + SIXES)) & HIGH_NIBBLES) | (digits & DASHES) != 0) return (false, 0);

            // Adds to every byte ten times the digit on its left: at most 99, so that no byte carries into another. A
            // number of two digits stands where its last digit stood. Byte i of the text, counted from the left, is bits
            // 8·(9 − i) and up.
            uint256 pairs = digits + 10 * (digits >> 8);
            uint256 year = 100 * ((pairs >> 64) & 0xff) + ((pairs >> 48) & 0xff);
            uint256 month = (pairs >> 24) & 0xff;
            uint256 dayOfMonth = pairs & 0xff;
            // Below 1, both of these wrap to numbers that are too large. Every month has 28 days.
            if (year < 1970 || month - 1 > 11) return (false, 0);
            if (dayOfMonth - 1 > 27 && dayOfMonth - 1 >= _daysInMonth(year, month)) return (false, 0);
            return (true, uint32(_daysSinceEpoch(year, month, dayOfMonth)));
        }
    }

    /// @notice 00:00 UTC of a day, in Unix milliseconds.
    function startMs(uint256 day) internal pure returns (uint256) {
        unchecked {
            // A day has 32 bits.
            return day * MS_PER_DAY;
        }
    }

    function _daysInMonth(uint256 year, uint256 month) private pure returns (uint256) {
        unchecked {
            if (month == 2) {
                bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
                return leap ? 29 : 28;
            }
            // 31 for January, March, May, July, August, October, December: bit m of the constant is set for these.
            return 30 + ((uint256(0x15aa) >> month) & 1);
        }
    }

    /// @dev Counts years from 1 March, so that the leap day is the last day of a year. A year before March belongs to
    ///      the year before. From March on, months have 31, 30, 31, 30, 31 days in a repeating pattern: the days before
    ///      month m (March = 0) are floor((153·m + 2) / 5). 719,468 is the number of days from 0000-03-01 to 1970-01-01.
    function _daysSinceEpoch(uint256 year, uint256 month, uint256 dayOfMonth) private pure returns (uint256) {
        unchecked {
            uint256 isBeforeMarch = (14 - month) / 12;
            uint256 marchYear = year - isBeforeMarch;
            uint256 marchMonth = month + 12 * isBeforeMarch - 3;
            uint256 leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400;
            return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + (dayOfMonth - 1) - 719_468;
        }
    }
}
