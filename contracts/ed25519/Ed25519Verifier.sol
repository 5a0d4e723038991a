// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEd25519VerifierFactory} from "./IEd25519VerifierFactory.sol";

/// @title Initialisation of a verifier
/// @notice What a factory hands to CREATE2: a contract that becomes whatever its maker says is the code for its key. What
/// it then is, {IEd25519Verifier} describes.
/// @dev The code itself is not in the initialisation code, and so not in the address either. That is what makes the
/// address cheap to compute. It is safe because CREATE2 addresses commit to the creator: code at a factory's address
/// came from that factory, and a factory answers for a key always the same.
contract Ed25519Verifier {
    /// @notice Asks its maker for the code and becomes it. Reverts as {IEd25519VerifierFactory.verifierCode} does, with
    /// the same data.
    /// @param publicKey The key, as the 32 bytes of RFC 8032.
    constructor(bytes32 publicKey) {
        bytes memory code = IEd25519VerifierFactory(msg.sender).verifierCode(publicKey);
        assembly ("memory-safe") {
            // stack: code. Memory-safe: reads the bytes behind its length and ends the initialisation with them as the
            // contract's code, in place of the empty contract that Solidity would return.
            return(add(code, 0x20), mload(code))
        }
    }
}
