// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev Block time in Unix milliseconds, the unit in which prices carry their times.
function blockTimeMs() view returns (uint256) {
    unchecked {
        // A block's time has 64 bits.
        return block.timestamp * 1000;
    }
}
