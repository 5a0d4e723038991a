// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice A signature, and what verification likes to know about it.
/// @param r First half of the signature.
/// @param s Second half of the signature.
/// @param xOfR x of the point that r encodes: the hint of an update of 171 bytes.
struct Ed25519TestSignature {
    bytes32 r;
    bytes32 s;
    uint256 xOfR;
}

/// @title Signs with a key for tests, which everybody knows
interface IEd25519TestSigner {
    /// @notice The 32 bytes that RFC 8032 calls the private key.
    function SEED() external view returns (bytes32);

    /// @notice The public key, RFC 8032 encoding.
    function PUBLIC_KEY() external view returns (bytes32);

    /// @notice Signs a message of any length (RFC 8032, section 5.1.6): byte for byte what every other implementation
    ///         does.
    function sign(bytes calldata message) external view returns (Ed25519TestSignature memory);
}
