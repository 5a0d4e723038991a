// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict, IEd25519Verifier} from "../ed25519/IEd25519Verifier.sol";

/// @title A verifier that finds every signature valid, at next to no cost
/// @notice Test code only, never deployed: shows what an update costs but for its signature. Its own factory, too.
contract AcceptingVerifier is IEd25519Verifier {
    /// @notice This, for every key.
    function deploy(bytes32) external view returns (address verifier) {
        return address(this);
    }

    /// @inheritdoc IEd25519Verifier
    function publicKey() external pure override returns (bytes32) {
        return 0;
    }

    /// @inheritdoc IEd25519Verifier
    function verify(bytes calldata, bytes32, bytes32) external pure override returns (Ed25519Verdict) {
        return Ed25519Verdict.Valid;
    }

    /// @inheritdoc IEd25519Verifier
    function verifyWithHint(bytes calldata, bytes32, bytes32, uint256) external pure override returns (Ed25519Verdict) {
        return Ed25519Verdict.Valid;
    }

    /// @inheritdoc IEd25519Verifier
    function verifyBatch(uint256 messageLength, bytes calldata records) external pure override returns (bytes memory) {
        return _allValid(records.length / (messageLength + 64));
    }

    /// @inheritdoc IEd25519Verifier
    function verifyBatchWithHints(
        uint256 messageLength,
        bytes calldata records
    ) external pure override returns (bytes memory) {
        return _allValid(records.length / (messageLength + 96));
    }

    /// @dev 32 verdicts at a time, so that what is measured is the oracle.
    function _allValid(uint256 count) private pure returns (bytes memory verdicts) {
        verdicts = new bytes(count);
        for (uint256 i = 0; i < count; i += 32) {
            assembly ("memory-safe") {
                // stack: verdicts, i. A word that begins inside the array; arrays are allocated in whole words.
                mstore(add(add(verdicts, 32), i), 0x0101010101010101010101010101010101010101010101010101010101010101)
            }
        }
    }
}
