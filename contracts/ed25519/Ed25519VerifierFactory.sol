// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CombShape, CombTable} from "./CombTable.sol";
import {Ed25519, Ed25519PublicKey} from "./Ed25519.sol";
import {Ed25519BatchTable} from "./Ed25519BatchTable.sol";
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
///   {verifierCode} answers. The same holds for {Ed25519BatchTable} and {batchTableCode}.
/// - {verifierCode} checks the key and depends on nothing but the key and the parts below, which are fixed for good.
///   It is the same inside {deploy} and for anybody who asks.
/// - The parts are contracts of generated code, which anybody may have deployed. The constructor compares their
///   EXTCODEHASH with the constants that were compiled in. That code cannot change later: it has neither SELFDESTRUCT nor
///   DELEGATECALL, and an account that delegates (EIP-7702) would have shown the hash of its delegation.
///
/// What is left to trust is this source and the generated code behind the three hashes, which the generator reproduces.
contract Ed25519VerifierFactory is IEd25519VerifierFactory {
    /// @notice The contracts of generated code that verifiers consist of and call. Anybody may have deployed them.
    struct Parts {
        /// @dev `Sha512Of138Bytes`: hashes R, A and a message of 74 bytes.
        address sha512Of138Bytes;
        /// @dev `Sha512OfTwo138Bytes`: hashes two such at once.
        address sha512OfTwo138Bytes;
        /// @dev `Ed25519VerifierTemplate`: what the code of all verifiers begins with.
        address template;
        /// @dev `Ed25519BatchVerifier`: judges large batches, of any key.
        address batchVerifier;
        /// @dev `LowerTableOfBase` and `UpperTableOfBase`: the tables of the base point for large batches.
        address lowerTableOfBase;
        address upperTableOfBase;
    }

    /// @dev A verifier's comb: D = 21, T = 6, Q = 2, as the program in the template expects.
    uint256 private constant COLUMNS = 21;
    uint256 private constant TEETH = 6;
    /// @dev The comb of large batches: D = 16, T = 8, Q = 2, as `Ed25519BatchVerifier` expects.
    uint256 private constant BATCH_COLUMNS = 16;
    uint256 private constant BATCH_TEETH = 8;
    /// @dev Tables of each: a lower and an upper one.
    uint256 private constant TABLES = 2;

    /// @notice Hashes messages of 138 bytes.
    address public immutable SHA512_OF_138_BYTES;
    /// @notice Hashes two messages of 138 bytes at once.
    address public immutable SHA512_OF_TWO_138_BYTES;
    /// @notice Hashes messages of any length.
    address public immutable SHA512_OF_ANY_LENGTH;
    /// @notice What the code of all verifiers begins with.
    address public immutable TEMPLATE;
    /// @notice Judges large batches.
    address public immutable BATCH_VERIFIER;
    /// @notice The lower table of the base point for large batches.
    address public immutable LOWER_TABLE_OF_BASE;
    /// @notice The upper table of the base point for large batches.
    address public immutable UPPER_TABLE_OF_BASE;

    /// @notice The contract at an address is not the one that belongs there.
    /// @param part The address.
    /// @param expectedCodeHash keccak256 of the code that belongs there.
    /// @param codeHash EXTCODEHASH of the address (EIP-1052), 0 if there is nothing.
    error UnexpectedCode(address part, bytes32 expectedCodeHash, bytes32 codeHash);

    /// @notice Takes the parts, from anybody.
    /// @param parts Where they are.
    constructor(Parts memory parts) {
        _requireCode(parts.sha512Of138Bytes, GeneratedCode.SHA512_OF_138_BYTES_HASH);
        _requireCode(parts.sha512OfTwo138Bytes, GeneratedCode.SHA512_OF_TWO_138_BYTES_HASH);
        _requireCode(parts.template, GeneratedCode.TEMPLATE_HASH);
        _requireCode(parts.batchVerifier, GeneratedCode.BATCH_VERIFIER_HASH);
        _requireCode(parts.lowerTableOfBase, GeneratedCode.LOWER_TABLE_OF_BASE_HASH);
        _requireCode(parts.upperTableOfBase, GeneratedCode.UPPER_TABLE_OF_BASE_HASH);
        SHA512_OF_138_BYTES = parts.sha512Of138Bytes;
        SHA512_OF_TWO_138_BYTES = parts.sha512OfTwo138Bytes;
        SHA512_OF_ANY_LENGTH = address(new Sha512Hasher());
        TEMPLATE = parts.template;
        BATCH_VERIFIER = parts.batchVerifier;
        LOWER_TABLE_OF_BASE = parts.lowerTableOfBase;
        UPPER_TABLE_OF_BASE = parts.upperTableOfBase;
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
    function deployBatchTables(bytes32 publicKey) external returns (address lowerTable) {
        lowerTable = batchTableAddress(publicKey, false);
        if (lowerTable.code.length != 0) return lowerTable;
        // Both or none, so that verifiers need to look for the lower one only.
        new Ed25519BatchTable{salt: 0}(publicKey, true);
        lowerTable = address(new Ed25519BatchTable{salt: 0}(publicKey, false));
        emit BatchTablesDeployed(publicKey, lowerTable);
    }

    /// @inheritdoc IEd25519VerifierFactory
    function verifierAddress(bytes32 publicKey) public view returns (address verifier) {
        return _create2Address(abi.encodePacked(type(Ed25519Verifier).creationCode, publicKey));
    }

    /// @inheritdoc IEd25519VerifierFactory
    function batchTableAddress(bytes32 publicKey, bool isUpper) public view returns (address table) {
        return _create2Address(abi.encodePacked(type(Ed25519BatchTable).creationCode, abi.encode(publicKey, isUpper)));
    }

    /// @inheritdoc IEd25519VerifierFactory
    /// @dev In this order: the template, the corrections and tables of -A, the parameters.
    function verifierCode(bytes32 publicKey) external view returns (bytes memory code) {
        (bytes memory tables, bytes memory corrections) = _derive(
            publicKey,
            CombShape({columns: COLUMNS, teeth: TEETH, tables: TABLES})
        );
        bytes memory parameters = abi.encode(
            publicKey,
            batchTableAddress(publicKey, false),
            BATCH_VERIFIER,
            SHA512_OF_138_BYTES,
            SHA512_OF_TWO_138_BYTES,
            SHA512_OF_ANY_LENGTH
        );
        return bytes.concat(TEMPLATE.code, corrections, tables, parameters);
    }

    /// @inheritdoc IEd25519VerifierFactory
    function batchTableCode(bytes32 publicKey, bool isUpper) external view returns (bytes memory code) {
        (bytes memory tables, ) = _derive(
            publicKey,
            CombShape({columns: BATCH_COLUMNS, teeth: BATCH_TEETH, tables: TABLES})
        );
        bytes memory parameters = abi.encode(
            publicKey,
            batchTableAddress(publicKey, true),
            LOWER_TABLE_OF_BASE,
            UPPER_TABLE_OF_BASE,
            SHA512_OF_138_BYTES,
            SHA512_OF_TWO_138_BYTES
        );
        uint256 length = tables.length / TABLES;
        uint256 start = isUpper ? length : 0;
        code = new bytes(1 + length + (isUpper ? 0 : parameters.length));
        assembly ("memory-safe") {
            // stack: publicKey, isUpper, code, tables, parameters, length, start. Memory-safe: writes the bytes of `code`
            // behind its first, which stays 0: the instruction STOP.
            let target := add(code, 0x21)
            mcopy(target, add(add(tables, 0x20), start), length)
            if iszero(isUpper) {
                mcopy(add(target, length), add(parameters, 0x20), mload(parameters))
            }
        }
    }

    /// @dev Checks the key, and derives the tables of -A. The order L of A is what lets programs count scalars modulo L.
    function _derive(
        bytes32 publicKey,
        CombShape memory shape
    ) private view returns (bytes memory tables, bytes memory corrections) {
        Ed25519PublicKey memory key = Ed25519.decodePublicKey(publicKey);
        return CombTable.derive(shape, key.negatedX, key.y);
    }

    /// @dev EIP-1014: the salt is 0; what tells contracts apart is the argument within the initialisation code.
    function _create2Address(bytes memory initCode) private view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), keccak256(initCode)));
        return address(uint160(uint256(hash)));
    }

    function _requireCode(address part, bytes32 expectedCodeHash) private view {
        require(part.codehash == expectedCodeHash, UnexpectedCode(part, expectedCodeHash, part.codehash));
    }
}
