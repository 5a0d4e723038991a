// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEd25519Verifier} from "../ed25519/IEd25519Verifier.sol";
import {MESSAGE_LENGTH} from "../message/PriceMessageLayout.sol";

/// @title Asks a verifier about one update, or about several in one call
/// @notice Makes the calldata of `verify`, `verifyWithHint`, `verifyBatch` and `verifyBatchWithHints` as `abi.encodeCall`
///         would make it. By hand, so that what is signed goes from an update to its place in the call without being
///         copied once more.
///
///         The caller has checked that every update is as long as its form.
library VerifierCall {
    // Assembly takes constants only as plain numbers.

    /// @dev Where the hint stands in an update: behind message, r, s and the signer's number.
    uint256 private constant X_OF_R_OFFSET = 139;
    /// @dev Selector; then message length, offset and length of the records, a word each.
    uint256 private constant BATCH_HEADER_LENGTH = 100;
    /// @dev Message, r and s of an update.
    uint256 private constant PLAIN_RECORD_LENGTH = 138;
    /// @dev Message, r, s and x of R of an update.
    uint256 private constant HINTED_RECORD_LENGTH = 170;

    /// @notice Asks about one update.
    /// @return answered Whether the verifier has answered as its interface says.
    /// @return verdict The answer; nothing says yet that it is a verdict.
    function askOne(
        address verifier,
        bytes calldata update,
        bool hinted
    ) internal view returns (bool answered, uint256 verdict) {
        bytes4 selector = hinted ? IEd25519Verifier.verifyWithHint.selector : IEd25519Verifier.verify.selector;
        // Offset of the message, r, s, and the hint.
        uint256 headLength = hinted ? 128 : 96;
        uint256 messageLength = MESSAGE_LENGTH;
        assembly ("memory-safe") {
            // stack: verifier, update.offset, hinted, selector, headLength, messageLength, answered, verdict. The
            // calldata stands behind the free memory pointer for the moment of the call and is not allocated: selector,
            // head, then the message, its length before it and zeros behind it up to three whole words. The answer goes
            // to scratch space.
            let start := mload(0x40)
            let head := add(start, 4)
            let tail := add(head, headLength)
            mstore(start, selector)
            mstore(head, headLength)
            calldatacopy(add(head, 32), add(update.offset, messageLength), 64)
            if hinted {
                mstore(add(head, 96), calldataload(add(update.offset, X_OF_R_OFFSET)))
            }
            mstore(tail, messageLength)
            mstore(add(tail, 96), 0)
            calldatacopy(add(tail, 32), update.offset, messageLength)
            let success := staticcall(gas(), verifier, start, add(headLength, 132), 0, 32)
            answered := and(success, eq(returndatasize(), 32))
            verdict := mload(0)
        }
    }

    /// @notice Begins a batch.
    /// @param maximum No more updates than these are going to be appended.
    /// @return batch Memory for the calldata.
    /// @return cursor Where the first update belongs in it.
    function beginBatch(uint256 maximum) internal pure returns (bytes memory batch, uint256 cursor) {
        assembly ("memory-safe") {
            // stack: maximum, batch, cursor. Allocates the array's length, the header, a record for every update, and a
            // word for padding, all rounded up to whole words. Nothing is written yet.
            batch := mload(0x40)
            cursor := add(add(batch, 32), BATCH_HEADER_LENGTH)
            mstore(0x40, and(add(add(cursor, mul(maximum, HINTED_RECORD_LENGTH)), 63), not(31)))
        }
    }

    /// @notice Appends an update to a batch.
    /// @return next Where the update after it belongs.
    function append(uint256 cursor, bytes calldata update, bool hinted) internal pure returns (uint256 next) {
        assembly ("memory-safe") {
            // stack: cursor, update.offset, hinted, next. Writes from `cursor` to `next`, which beginBatch has allocated.
            calldatacopy(cursor, update.offset, PLAIN_RECORD_LENGTH)
            next := add(cursor, PLAIN_RECORD_LENGTH)
            if hinted {
                mstore(next, calldataload(add(update.offset, X_OF_R_OFFSET)))
                next := add(cursor, HINTED_RECORD_LENGTH)
            }
        }
    }

    /// @notice Asks about the updates of a batch.
    /// @param cursor Where the update after the last would belong.
    /// @param count How many have been appended, one at least.
    /// @return answered Whether the verifier has answered as its interface says, with a byte for each update.
    /// @return verdicts These bytes; nothing says yet that they are verdicts.
    function askAll(
        address verifier,
        bytes memory batch,
        uint256 cursor,
        uint256 count,
        bool hinted
    ) internal view returns (bool answered, bytes memory verdicts) {
        bytes4 selector =
            hinted ? IEd25519Verifier.verifyBatchWithHints.selector : IEd25519Verifier.verifyBatch.selector;
        uint256 messageLength = MESSAGE_LENGTH;
        assembly ("memory-safe") {
            // stack: verifier, batch, cursor, count, selector, messageLength, answered, verdicts. Writes the header, and
            // zeros behind the records, which are padded to whole words: all of it inside what beginBatch has allocated.
            let records := add(add(batch, 32), BATCH_HEADER_LENGTH)
            let recordsLength := sub(cursor, records)
            mstore(cursor, 0)
            mstore(add(batch, 32), selector)
            mstore(add(batch, 36), messageLength)
            mstore(add(batch, 68), 0x40)
            mstore(add(batch, 100), recordsLength)
            let length := add(BATCH_HEADER_LENGTH, and(add(recordsLength, 31), not(31)))
            mstore(batch, length)
            // The answer is a word that says 32, the count, and the bytes padded to whole words; from its second word on
            // it is a byte array as memory holds it, which is allocated here. The first word goes to scratch space.
            if staticcall(gas(), verifier, add(batch, 32), length, 0, 32) {
                let arrayLength := add(32, and(add(count, 31), not(31)))
                if eq(returndatasize(), add(32, arrayLength)) {
                    verdicts := mload(0x40)
                    mstore(0x40, add(verdicts, arrayLength))
                    returndatacopy(verdicts, 32, arrayLength)
                    answered := and(eq(mload(0), 32), eq(mload(verdicts), count))
                }
            }
        }
    }

    /// @notice One of the verdicts of a batch, whose position the caller keeps below their number.
    function verdictAt(bytes memory verdicts, uint256 position) internal pure returns (uint256 verdict) {
        assembly ("memory-safe") {
            // stack: verdicts, position. The word's first byte is the array's at `position`, inside it.
            verdict := byte(0, mload(add(add(verdicts, 32), position)))
        }
    }
}
