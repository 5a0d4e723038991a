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
    bytes32 internal constant TEMPLATE_HASH = 0x242691f45631b9ff06be9c09f3d010e208bb19b374647820f71424d0dfce385d;
}
