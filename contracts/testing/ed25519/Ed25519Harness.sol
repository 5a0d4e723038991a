// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519, Ed25519PublicKey, Ed25519Verdict} from "../../ed25519/Ed25519.sol";

/// @title Test harness of {Ed25519}
/// @notice Test code only, never deployed. Takes the key with each call, where the verifier holds one for good, and runs
/// the library with every byte past the free memory pointer set.
contract Ed25519Harness {
    error UnexpectedResult();

    /// @notice Decodes a key; reverts as the library does.
    function decodePublicKey(bytes32 publicKey) external view returns (uint256 negatedX, uint256 y) {
        _dirtyMemory();
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey);
        require(key.encoding == publicKey, UnexpectedResult());
        return (key.negatedX, key.y);
    }

    /// @notice Verifies one signature three ways: without a hint, with a right one, and with a wrong one.
    function verifyAllWays(
        bytes32 publicKey,
        bytes memory message,
        bytes32 r,
        bytes32 s,
        uint256 xOfR,
        uint256 wrongXOfR
    ) external view returns (Ed25519Verdict plain, Ed25519Verdict hinted, Ed25519Verdict misled) {
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey);
        _dirtyMemory();
        plain = Ed25519.verify(key, message, r, s);
        _dirtyMemory();
        hinted = Ed25519.verifyWithHint(key, message, r, s, xOfR);
        _dirtyMemory();
        misled = Ed25519.verifyWithHint(key, message, r, s, wrongXOfR);
    }

    /// @notice The gas of verifying, without the call around it.
    function gasOfVerification(
        bytes32 publicKey,
        bytes memory message,
        bytes32 r,
        bytes32 s,
        uint256 xOfR
    ) external view returns (uint256 ofDecoding, uint256 plain, uint256 hinted) {
        uint256 gasBefore = gasleft();
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey);
        ofDecoding = gasBefore - gasleft();
        gasBefore = gasleft();
        require(Ed25519.verify(key, message, r, s) == Ed25519Verdict.Valid, UnexpectedResult());
        plain = gasBefore - gasleft();
        gasBefore = gasleft();
        require(Ed25519.verifyWithHint(key, message, r, s, xOfR) == Ed25519Verdict.Valid, UnexpectedResult());
        hinted = gasBefore - gasleft();
    }

    function _dirtyMemory() private pure {
        assembly ("memory-safe") {
            let start := mload(0x40)
            for {
                let offset := 0
            } lt(offset, 0x1800) {
                offset := add(offset, 0x20)
            } {
                mstore(add(start, offset), not(mul(offset, 0x9e3779b97f4a7c15f39cc0605cedc834)))
            }
        }
    }
}
