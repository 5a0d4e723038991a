// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Sha512} from "./Sha512.sol";

/// @title SHA-512 as a contract
/// @notice Answers a call with the digest of its calldata: bytes in, 64 bytes out, without a selector or an ABI, so that
/// hand-made bytecode can call it as it would call a precompile.
/// @dev Verifiers ask it about messages of lengths that no specialised contract is there for.
contract Sha512Hasher {
    /// @notice Hashes any bytes, also none.
    /// @param message The calldata as it is.
    /// @return digest The 64 bytes, returned as they are.
    // solhint-disable-next-line no-complex-fallback, payable-fallback
    fallback(bytes calldata message) external returns (bytes memory digest) {
        (bytes32 high, bytes32 low) = Sha512.hash(message);
        return bytes.concat(high, low);
    }
}
