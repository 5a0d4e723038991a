// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verifier} from "./Ed25519Verifier.sol";
import {IEd25519VerifierFactory} from "./IEd25519VerifierFactory.sol";

/// @title Maker of verifiers
/// @notice Deploys one {Ed25519Verifier} a key with CREATE2. Code at an address that this contract computes was put there
/// by this contract, from the bytecode that it holds, and has therefore checked its key.
contract Ed25519VerifierFactory is IEd25519VerifierFactory {
    /// @inheritdoc IEd25519VerifierFactory
    function deploy(bytes32 publicKey) external returns (address verifier) {
        verifier = verifierAddress(publicKey);
        if (verifier.code.length != 0) return verifier;
        // If the constructor reverts, so does this, with the same data.
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
}
