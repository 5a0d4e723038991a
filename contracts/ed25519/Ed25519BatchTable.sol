// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEd25519VerifierFactory} from "./IEd25519VerifierFactory.sol";

/// @title Initialisation of a table for large batches
/// @notice What a factory hands to CREATE2: a contract that becomes whatever its maker says is the code for its key and
/// half. {Ed25519Verifier} says why that is safe.
contract Ed25519BatchTable {
    /// @notice Asks its maker for the code and becomes it. Reverts as {IEd25519VerifierFactory.batchTableCode} does, with
    /// the same data.
    /// @param publicKey The key, as the 32 bytes of RFC 8032.
    /// @param isUpper Whether it becomes the upper table, and not the lower one.
    constructor(bytes32 publicKey, bool isUpper) {
        bytes memory code = IEd25519VerifierFactory(msg.sender).batchTableCode(publicKey, isUpper);
        assembly ("memory-safe") {
            // stack: code. Memory-safe: reads the bytes behind its length and ends the initialisation with them as the
            // contract's code, in place of the empty contract that Solidity would return.
            return(add(code, 0x20), mload(code))
        }
    }
}
