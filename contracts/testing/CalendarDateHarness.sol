// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CalendarDate} from "../message/CalendarDate.sol";

/// @title Test harness of {CalendarDate}
/// @notice Test code only, never deployed.
contract CalendarDateHarness {
    /// @notice Parses many dates in one call.
    /// @return days_ For each its day + 1, or 0 when it is not valid.
    function parse(bytes10[] calldata dates) external pure returns (uint256[] memory days_) {
        days_ = new uint256[](dates.length);
        for (uint256 i = 0; i < dates.length; ++i) {
            (bool valid, uint32 day) = CalendarDate.parse(dates[i]);
            if (valid) days_[i] = uint256(day) + 1;
        }
    }
}
