// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Maker of verifiers
/// @notice Deploys one {IEd25519Verifier} a key, at an address that depends on the factory and the key alone. Anyone may
/// call it; there is nothing to own.
interface IEd25519VerifierFactory {
    /// @notice A verifier was deployed.
    /// @param publicKey The key, as the 32 bytes of RFC 8032.
    /// @param verifier Where its verifier is now.
    event VerifierDeployed(bytes32 indexed publicKey, address verifier);

    /// @notice The 32 bytes are not the one encoding of a point: y is not below p, or x is 0 and its sign bit 1.
    /// @dev This and the next two come from the verifier's constructor, unchanged.
    error NonCanonicalPublicKey(bytes32 publicKey);
    /// @notice The curve has no point with this y.
    error PublicKeyNotOnCurve(bytes32 publicKey);
    /// @notice The point is not of prime order.
    error PublicKeyNotPrimeOrder(bytes32 publicKey);

    /// @notice Deploys the verifier of a key, or finds it where an earlier call has put it.
    /// @param publicKey The key, as the 32 bytes of RFC 8032; reverts if it is bad.
    /// @return verifier The address that {verifierAddress} computes.
    function deploy(bytes32 publicKey) external returns (address verifier);

    /// @notice Where the verifier of a key is, or would be.
    /// @dev Says nothing about the key: for a bad one there will never be code at this address.
    /// @param publicKey Any 32 bytes.
    /// @return verifier The address.
    function verifierAddress(bytes32 publicKey) external view returns (address verifier);
}
