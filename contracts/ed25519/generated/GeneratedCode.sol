// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

// Written by scripts/generateEd25519Bytecode.ts: change the programs in scripts/ed25519, and not this file.

/// @title Hashes of the generated contracts
/// @notice What EXTCODEHASH (EIP-1052) gives for the contracts whose code is generated.
library GeneratedCode {
    /// @dev Of the code of {Sha512Of138Bytes}.
    bytes32 internal constant SHA512_OF_138_BYTES_HASH =
        0x0d8dcc14105419afec5997f4f50c24563196f4554d289c5308ca042edc5a0ffd;
    /// @dev Of the code of {Sha512OfTwo138Bytes}.
    bytes32 internal constant SHA512_OF_TWO_138_BYTES_HASH =
        0x30a3c5dd55997f338fe29616a4d2ab515cc9e6a5331d8436d1c712b5fef9098b;
    /// @dev Of the code of {Ed25519VerifierTemplate}.
    bytes32 internal constant TEMPLATE_HASH = 0x1ebf9ae8f8120f349e8f5346710dc7d3a6e8ebe2abc0b3307ae0babd93ae2d57;
    /// @dev Of the code of {Ed25519BatchVerifier}.
    bytes32 internal constant BATCH_VERIFIER_HASH = 0xc655438a8e98b1bb12a8a63be0dbf72be0bb01f0bee791026aaee66fd93ca814;
    /// @dev Of the code of {LowerTableOfBase}.
    bytes32 internal constant LOWER_TABLE_OF_BASE_HASH =
        0x61c8e9ca2238476e857f07641bf319769d1c1b3e34fc6f4f5d774828e6cf5b35;
    /// @dev Of the code of {UpperTableOfBase}.
    bytes32 internal constant UPPER_TABLE_OF_BASE_HASH =
        0xa482e272484eea8207455be61c82d8a3e41a90e9645e5307f6a26b056500b0d5;
}
