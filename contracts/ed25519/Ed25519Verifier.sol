// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519, Ed25519PublicKey, Ed25519Verdict} from "./Ed25519.sol";
import {IEd25519Verifier} from "./IEd25519Verifier.sol";

/// @title Verifier of one Ed25519 key's signatures
/// @notice One contract a key, without owner or storage. The key is checked and its point derived on-chain when the
/// contract is made, so whoever made it need not be trusted.
contract Ed25519Verifier is IEd25519Verifier {
    /// @dev The key's 32 bytes, and the point -A.
    bytes32 private immutable PUBLIC_KEY;
    uint256 private immutable NEGATED_X;
    uint256 private immutable Y;

    /// @notice Checks the key and derives its point; reverts as {Ed25519.decodePublicKey} does if the key is bad.
    /// @param publicKey_ The key, as the 32 bytes of RFC 8032.
    constructor(bytes32 publicKey_) {
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey_);
        PUBLIC_KEY = key.encoding;
        NEGATED_X = key.negatedX;
        Y = key.y;
    }

    /// @inheritdoc IEd25519Verifier
    function publicKey() external view returns (bytes32) {
        return PUBLIC_KEY;
    }

    /// @inheritdoc IEd25519Verifier
    function verify(bytes calldata message, bytes32 r, bytes32 s) external view returns (Ed25519Verdict verdict) {
        return Ed25519.verify(_key(), message, r, s);
    }

    /// @inheritdoc IEd25519Verifier
    function verifyWithHint(
        bytes calldata message,
        bytes32 r,
        bytes32 s,
        uint256 xOfR
    ) external view returns (Ed25519Verdict verdict) {
        return Ed25519.verifyWithHint(_key(), message, r, s, xOfR);
    }

    /// @inheritdoc IEd25519Verifier
    function verifyBatch(
        uint256 messageLength,
        bytes calldata signedMessages
    ) external view returns (bytes memory verdicts) {
        uint256 length = messageLength + 64;
        require(signedMessages.length % length == 0, InvalidBatchLength(signedMessages.length, messageLength));
        verdicts = new bytes(signedMessages.length / length);
        for (uint256 i = 0; i < verdicts.length; ++i) {
            bytes calldata one = signedMessages[i * length:(i + 1) * length];
            bytes32 r = bytes32(one[messageLength:messageLength + 32]);
            bytes32 s = bytes32(one[messageLength + 32:]);
            verdicts[i] = bytes1(uint8(Ed25519.verify(_key(), one[:messageLength], r, s)));
        }
    }

    /// @inheritdoc IEd25519Verifier
    function verifyBatchWithHints(
        uint256 messageLength,
        bytes calldata signedMessages
    ) external view returns (bytes memory verdicts) {
        uint256 length = messageLength + 96;
        require(signedMessages.length % length == 0, InvalidBatchLength(signedMessages.length, messageLength));
        verdicts = new bytes(signedMessages.length / length);
        for (uint256 i = 0; i < verdicts.length; ++i) {
            bytes calldata one = signedMessages[i * length:(i + 1) * length];
            bytes32 r = bytes32(one[messageLength:messageLength + 32]);
            bytes32 s = bytes32(one[messageLength + 32:messageLength + 64]);
            uint256 xOfR = uint256(bytes32(one[messageLength + 64:]));
            verdicts[i] = bytes1(uint8(Ed25519.verifyWithHint(_key(), one[:messageLength], r, s, xOfR)));
        }
    }

    function _key() private view returns (Ed25519PublicKey memory) {
        return Ed25519PublicKey({encoding: PUBLIC_KEY, negatedX: NEGATED_X, y: Y});
    }
}
