// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CombShape, CombTable} from "./CombTable.sol";
import {Ed25519, Ed25519PublicKey} from "./Ed25519.sol";
import {Ed25519Verifier} from "./Ed25519Verifier.sol";
import {GeneratedCode} from "./generated/GeneratedCode.sol";
import {IEd25519VerifierFactory} from "./IEd25519VerifierFactory.sol";
import {Sha512Hasher} from "./Sha512Hasher.sol";

/// @title Maker of verifiers
/// @notice A verifier's code is generated: a program that is the same for all keys, followed by what belongs to its key.
/// This factory puts it together and derives the key's part on-chain.
///
/// Nobody has to be trusted for the code at an address that {verifierAddress} computes, neither who deployed it nor who
/// deployed this factory:
///
/// - A CREATE2 address commits to the creator and to the initialisation code (EIP-1014). So only this contract can have
///   put code there, and only by running the constructor of {Ed25519Verifier} with this key. It becomes what
///   {verifierCode} answers.
/// - {verifierCode} checks the key and depends on nothing but the key and the parts below, which are fixed for good.
///   It is the same inside {deploy} and for anybody who asks.
/// - The parts are contracts of generated code, which anybody may have deployed. The constructor compares their
///   EXTCODEHASH with the constants that were compiled in. That code cannot change later: it has neither SELFDESTRUCT nor
///   DELEGATECALL, and an account that delegates (EIP-7702) would have shown the hash of its delegation.
///
/// What is left to trust is this source and the generated code behind the three hashes, which the generator reproduces.
contract Ed25519VerifierFactory is IEd25519VerifierFactory {
    /// @dev D = 21, T = 6, Q = 2: what the program in the template expects.
    uint256 private constant COLUMNS = 21;
    uint256 private constant TEETH = 6;
    uint256 private constant TABLES = 2;

    /// @notice Hashes messages of 138 bytes: R, A and a message of 74.
    address public immutable SHA512_OF_138_BYTES;

    /// @notice Hashes two messages of 138 bytes at once.
    address public immutable SHA512_OF_TWO_138_BYTES;

    /// @notice Hashes messages of any length.
    address public immutable SHA512_OF_ANY_LENGTH;

    /// @notice Has as its code what all verifiers have in common: the program, and the tables of the base point.
    address public immutable TEMPLATE;

    /// @notice The contract at an address is not the one that belongs there.
    /// @param part The address.
    /// @param expectedCodeHash keccak256 of the code that belongs there.
    /// @param codeHash EXTCODEHASH of the address (EIP-1052), 0 if there is nothing.
    error UnexpectedCode(address part, bytes32 expectedCodeHash, bytes32 codeHash);

    /// @notice Takes the addresses of the parts, from anybody.
    /// @param sha512Of138Bytes A contract with the code of `Sha512Of138Bytes`.
    /// @param sha512OfTwo138Bytes A contract with the code of `Sha512OfTwo138Bytes`.
    /// @param template A contract with the code of `Ed25519VerifierTemplate`.
    constructor(address sha512Of138Bytes, address sha512OfTwo138Bytes, address template) {
        _requireCode(sha512Of138Bytes, GeneratedCode.SHA512_OF_138_BYTES_HASH);
        _requireCode(sha512OfTwo138Bytes, GeneratedCode.SHA512_OF_TWO_138_BYTES_HASH);
        _requireCode(template, GeneratedCode.TEMPLATE_HASH);
        SHA512_OF_138_BYTES = sha512Of138Bytes;
        SHA512_OF_TWO_138_BYTES = sha512OfTwo138Bytes;
        SHA512_OF_ANY_LENGTH = address(new Sha512Hasher());
        TEMPLATE = template;
    }

    /// @inheritdoc IEd25519VerifierFactory
    function deploy(bytes32 publicKey) external returns (address verifier) {
        verifier = verifierAddress(publicKey);
        if (verifier.code.length != 0) return verifier;
        // The constructor calls back for its code. If that reverts, so does this, with the same data.
        verifier = address(new Ed25519Verifier{salt: 0}(publicKey));
        emit VerifierDeployed(publicKey, verifier);
    }

    /// @inheritdoc IEd25519VerifierFactory
    function verifierAddress(bytes32 publicKey) public view returns (address verifier) {
        // EIP-1014: the salt is 0; what tells verifiers apart is the key within the initialisation code.
        bytes32 codeHash = keccak256(abi.encodePacked(type(Ed25519Verifier).creationCode, publicKey));
        return
            address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), codeHash)))));
    }

    /// @inheritdoc IEd25519VerifierFactory
    /// @dev In this order: the template, the corrections and tables of -A, the parameters.
    function verifierCode(bytes32 publicKey) external view returns (bytes memory code) {
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey);
        // The order L of A is what lets the program count scalars modulo L.
        (bytes memory tables, bytes memory corrections) = CombTable.derive(
            CombShape({columns: COLUMNS, teeth: TEETH, tables: TABLES}),
            key.negatedX,
            key.y
        );
        bytes memory parameters = abi.encode(
            publicKey,
            SHA512_OF_138_BYTES,
            SHA512_OF_TWO_138_BYTES,
            SHA512_OF_ANY_LENGTH
        );
        return bytes.concat(TEMPLATE.code, corrections, tables, parameters);
    }

    function _requireCode(address part, bytes32 expectedCodeHash) private view {
        require(part.codehash == expectedCodeHash, UnexpectedCode(part, expectedCodeHash, part.codehash));
    }
}
