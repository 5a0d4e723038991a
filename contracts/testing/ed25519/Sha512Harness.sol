// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Sha512} from "../../ed25519/Sha512.sol";

/// @title Test harness of {Sha512}
/// @notice Test code only, never deployed. Calls the library with memory in a state that ordinary code leaves behind,
/// or worse.
contract Sha512Harness {
    error MemoryBelowFreePointerChanged();
    error FreeMemoryPointerMoved();

    /// @notice Hashes each message in turn, with every byte past the free memory pointer set beforehand, and checks
    /// that the memory allocated before is left as it was.
    function hashInDirtyMemory(
        bytes[] memory messages,
        bytes32 dirt
    ) external pure returns (bytes32[] memory highs, bytes32[] memory lows) {
        highs = new bytes32[](messages.length);
        lows = new bytes32[](messages.length);
        for (uint256 index = 0; index < messages.length; ++index) {
            bytes memory message = messages[index];
            assembly ("memory-safe") {
                let start := mload(0x40)
                for {
                    let offset := 0
                } lt(offset, 0x1400) {
                    offset := add(offset, 0x20)
                } {
                    mstore(add(start, offset), xor(dirt, mul(offset, 0x9e3779b97f4a7c15f39cc0605cedc834)))
                }
            }
            (bytes32 before, uint256 pointerBefore) = _allocatedMemory();
            (bytes32 high, bytes32 low) = Sha512.hash(message);
            (bytes32 afterwards, uint256 pointerAfter) = _allocatedMemory();
            require(pointerBefore == pointerAfter, FreeMemoryPointerMoved());
            require(before == afterwards, MemoryBelowFreePointerChanged());
            highs[index] = high;
            lows[index] = low;
        }
    }

    /// @notice The gas of one hash, without the call around it.
    function gasOfHash(bytes memory message) external view returns (uint256 gasUsed, bytes32 high, bytes32 low) {
        uint256 gasBefore = gasleft();
        (high, low) = Sha512.hash(message);
        gasUsed = gasBefore - gasleft();
    }

    /// @dev Digest of all memory from 0x40 up to the free memory pointer, and the pointer. The scratch space below
    /// 0x40 is anyone's.
    function _allocatedMemory() private pure returns (bytes32 digest, uint256 pointer) {
        assembly ("memory-safe") {
            pointer := mload(0x40)
            digest := keccak256(0x40, sub(pointer, 0x40))
        }
    }
}
