// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict} from "../ed25519/IEd25519Verifier.sol";
import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {HINTED_UPDATE_LENGTH, UpdateBytes} from "../message/UpdateBytes.sol";
import {PendingUpdate, PendingUpdateLibrary} from "../PendingUpdate.sol";
import {SignerRegistry} from "./SignerRegistry.sol";
import {VerifierCall} from "./VerifierCall.sol";

/// @title Has signers' verifiers look at signatures
/// @dev A verifier that fails instead of answering makes the call revert: nothing may be concluded from that.
abstract contract SignatureChecks is IHomePriceOracle, SignerRegistry {
    using PendingUpdateLibrary for PendingUpdate[];
    using UpdateBytes for bytes[];
    using VerifierCall for bytes;

    uint256 private constant HIGHEST_VERDICT = uint256(type(Ed25519Verdict).max);
    /// @dev From so many updates of one signer in one form on, a batch costs less than single calls.
    uint256 private constant SMALLEST_BATCH = 2;

    /// @dev Gives every update that is to be verified its verdict: one call of the verifier for each signer and form.
    /// @param count How many of them are to be verified.
    function _verifySignatures(bytes[] calldata updates, PendingUpdate[] memory pending, uint256 count) internal view {
        unchecked {
            for (uint256 i = 0; count != 0; ++i) {
                if (pending.read(i).isToVerify()) count -= _verifyGroup(updates, pending, i, count);
            }
        }
    }

    /// @dev Verifies one update by itself.
    function _verdictOn(bytes calldata update, uint256 signer) internal view returns (uint256 verdict) {
        address verifier = _signerRecord(signer).verifier;
        bool answered;
        (answered, verdict) = VerifierCall.askOne(verifier, update, update.length == HINTED_UPDATE_LENGTH);
        if (!answered || verdict > HIGHEST_VERDICT) revert VerifierFailed(uint8(signer), verifier);
    }

    /// @dev Gives the updates that are of the same signer and form as the first of them their verdicts.
    /// @param maximum How many these can be at most.
    /// @return count How many they are.
    function _verifyGroup(
        bytes[] calldata updates,
        PendingUpdate[] memory pending,
        uint256 first,
        uint256 maximum
    ) private view returns (uint256 count) {
        PendingUpdate leader = pending.read(first);
        uint256 signer = leader.signer();
        bytes memory batch;
        uint256 cursor;
        if (maximum >= SMALLEST_BATCH) {
            (batch, cursor) = VerifierCall.beginBatch(maximum);
            for (uint256 i = first; i < pending.length; ++i) {
                if (!pending.read(i).isOfGroup(leader)) continue;
                cursor = VerifierCall.append(cursor, updates.again(i), leader.isHinted());
                unchecked {
                    ++count;
                }
            }
        }
        if (count < SMALLEST_BATCH) {
            pending.write(first, leader.withVerdict(_verdictOn(updates.again(first), signer)));
            return 1;
        }
        address verifier = _signerRecord(signer).verifier;
        (bool answered, bytes memory verdicts) = VerifierCall.askAll(verifier, batch, cursor, count, leader.isHinted());
        if (!answered) revert VerifierFailed(uint8(signer), verifier);
        uint256 position;
        for (uint256 i = first; i < pending.length; ++i) {
            PendingUpdate update = pending.read(i);
            if (!update.isOfGroup(leader)) continue;
            uint256 verdict = verdicts.verdictAt(position);
            if (verdict > HIGHEST_VERDICT) revert VerifierFailed(uint8(signer), verifier);
            pending.write(i, update.withVerdict(verdict));
            unchecked {
                ++position;
            }
        }
    }
}
