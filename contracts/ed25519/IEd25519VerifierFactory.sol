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

    /// @notice The tables for large batches of a key were deployed.
    /// @param publicKey The key, as the 32 bytes of RFC 8032.
    /// @param lowerTable Where its lower table is now; the upper one is there too.
    event BatchTablesDeployed(bytes32 indexed publicKey, address lowerTable);

    /// @notice Deploys the verifier of a key, or finds it where an earlier call has put it.
    /// @dev Takes about 5.5 million gas, nearly all of it for storing the code. With too little it reverts and nothing is
    /// deployed.
    /// @param publicKey The key, as the 32 bytes of RFC 8032. For a bad one it reverts as {Ed25519.decodePublicKey} does.
    /// @return verifier The address that {verifierAddress} computes.
    function deploy(bytes32 publicKey) external returns (address verifier);

    /// @notice Where the verifier of a key is, or would be.
    /// @dev Says nothing about the key: for a bad one there will never be code at this address.
    /// @param publicKey Any 32 bytes.
    /// @return verifier The address.
    function verifierAddress(bytes32 publicKey) external view returns (address verifier);

    /// @notice The code that the verifier of a key has, or would have: whoever doubts the code at {verifierAddress}
    /// compares it with this.
    /// @dev The same for the same key at any time, whoever asks. Derives all tables anew.
    /// @param publicKey The key, as the 32 bytes of RFC 8032. For a bad one it reverts as {Ed25519.decodePublicKey} does.
    /// @return code The runtime code.
    function verifierCode(bytes32 publicKey) external view returns (bytes memory code);

    /// @notice Deploys the tables with which the verifier of a key judges large batches cheaper, or finds them. A verifier
    /// does without them, and uses them from the moment on that they are there, whichever was deployed first.
    /// @dev Takes about ten million gas, nearly all of it for storing 41 kB. With too little it reverts and nothing is
    /// deployed.
    /// @param publicKey The key, as the 32 bytes of RFC 8032. For a bad one it reverts as {Ed25519.decodePublicKey} does.
    /// @return lowerTable The address that {batchTableAddress} computes for the lower table.
    function deployBatchTables(bytes32 publicKey) external returns (address lowerTable);

    /// @notice Where a table for large batches is, or would be.
    /// @param publicKey Any 32 bytes.
    /// @param isUpper Whether the upper table is meant, and not the lower one.
    /// @return table The address.
    function batchTableAddress(bytes32 publicKey, bool isUpper) external view returns (address table);

    /// @notice The code that a table for large batches has, or would have.
    /// @dev STOP, the table's entries, and behind those of the lower table what {Ed25519BatchVerifier} needs besides: the
    /// key, and five addresses.
    /// @param publicKey The key, as the 32 bytes of RFC 8032. For a bad one it reverts as {Ed25519.decodePublicKey} does.
    /// @param isUpper Whether the upper table is meant, and not the lower one.
    /// @return code The runtime code.
    function batchTableCode(bytes32 publicKey, bool isUpper) external view returns (bytes memory code);
}
