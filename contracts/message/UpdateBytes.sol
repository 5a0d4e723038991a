// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {MESSAGE_LENGTH} from "./PriceMessageLayout.sol";

/// @dev Bytes of an update without a hint: message, r and s of the signature.
uint256 constant PLAIN_UPDATE_LENGTH = MESSAGE_LENGTH + 64;
/// @dev Bytes of an update with a hint: the same, the signer's number, x of R.
uint256 constant HINTED_UPDATE_LENGTH = PLAIN_UPDATE_LENGTH + 1 + 32;

/// @title Reads what stands behind the message in an update
/// @notice The caller has checked that the update is as long as its form: nothing here looks at the length again.
library UpdateBytes {
    uint256 private constant R_OFFSET = MESSAGE_LENGTH;
    uint256 private constant S_OFFSET = MESSAGE_LENGTH + 32;
    uint256 private constant SIGNER_OFFSET = PLAIN_UPDATE_LENGTH;
    uint256 private constant X_OF_R_OFFSET = PLAIN_UPDATE_LENGTH + 1;

    /// @return First half of the signature.
    function r(bytes calldata update) internal pure returns (bytes32) {
        return bytes32(_wordAt(update, R_OFFSET));
    }

    /// @return Second half of the signature.
    function s(bytes calldata update) internal pure returns (bytes32) {
        return bytes32(_wordAt(update, S_OFFSET));
    }

    /// @return Number of the signer that an update with a hint names.
    function signer(bytes calldata update) internal pure returns (uint256) {
        return _wordAt(update, SIGNER_OFFSET) >> 248;
    }

    /// @return The hint: what an update says that x of R is.
    function xOfR(bytes calldata update) internal pure returns (uint256) {
        return _wordAt(update, X_OF_R_OFFSET);
    }

    /// @notice An update whose element of the array has been read before: the compiler has checked then where it lies.
    function again(bytes[] calldata updates, uint256 index) internal pure returns (bytes calldata update) {
        assembly ("memory-safe") {
            // stack: updates.offset, index. An element is the offset, from the array's first element, of the update's
            // length, behind which the update stands. No memory.
            let position := add(updates.offset, calldataload(add(updates.offset, shl(5, index))))
            update.offset := add(position, 32)
            update.length := calldataload(position)
        }
    }

    function _wordAt(bytes calldata update, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            // stack: update.offset, offset. No memory.
            word := calldataload(add(update.offset, offset))
        }
    }
}
