// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict} from "./Ed25519.sol";

/// @title Verifier of one Ed25519 key's signatures
/// @notice Accepts what RFC 8032, section 5.1.7 accepts, without the cofactor and with canonical encodings only.
/// @dev A call that runs out of gas reverts; it never answers `InvalidSignature` for that reason.
interface IEd25519Verifier {
    /// @notice The signed messages of a batch are not a whole number of messages with their signatures (bytes).
    error InvalidBatchLength(uint256 length, uint256 messageLength);
    /// @notice A contract that the verifier calls, or the MODEXP precompile, did not answer: the gas does not suffice, or
    /// the chain has no such precompile. About the signatures this says nothing.
    error CallFailed();

    /// @notice The key, as the 32 bytes of RFC 8032. It is canonical, on the curve and of prime order.
    function publicKey() external view returns (bytes32);

    /// @notice Verifies a signature of this key.
    /// @param message The signed bytes.
    /// @param r The first 32 bytes of the signature.
    /// @param s The last 32 bytes of the signature.
    /// @return verdict `Valid` or `InvalidSignature`.
    function verify(bytes calldata message, bytes32 r, bytes32 s) external view returns (Ed25519Verdict verdict);

    /// @notice Verifies a signature of this key, cheaper, with the help of x of the point R.
    /// @dev The hint is not trusted: a wrong one is answered with `WrongHint`, whatever the signature is, and a right
    /// one changes nothing about what is accepted.
    /// @param message The signed bytes.
    /// @param r The first 32 bytes of the signature.
    /// @param s The last 32 bytes of the signature.
    /// @param xOfR x of the point that r encodes, below p.
    /// @return verdict `Valid`, `InvalidSignature` or `WrongHint`.
    function verifyWithHint(
        bytes calldata message,
        bytes32 r,
        bytes32 s,
        uint256 xOfR
    ) external view returns (Ed25519Verdict verdict);

    /// @notice Verifies several signatures of this key, cheaper than one by one.
    /// @param messageLength Length of each of the messages in bytes.
    /// @param signedMessages Back to back, for each: the message, r and s, `messageLength + 64` bytes.
    /// @return verdicts For each the byte `Valid` or `InvalidSignature`, as {verify} would answer.
    function verifyBatch(
        uint256 messageLength,
        bytes calldata signedMessages
    ) external view returns (bytes memory verdicts);

    /// @notice Verifies several signatures of this key, cheaper than one by one, with the help of x of the points R.
    /// @param messageLength Length of each of the messages in bytes.
    /// @param signedMessages Back to back, for each: the message, r, s and x of R (big-endian), `messageLength + 96` bytes.
    /// @return verdicts For each the byte `Valid`, `InvalidSignature` or `WrongHint`, as {verifyWithHint} would answer.
    function verifyBatchWithHints(
        uint256 messageLength,
        bytes calldata signedMessages
    ) external view returns (bytes memory verdicts);
}
