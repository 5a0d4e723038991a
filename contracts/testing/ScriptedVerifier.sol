// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title A verifier that answers whatever it has been told to
/// @notice Test code only, never deployed: what no verifier of ours would do, the oracle has to withstand. Its own
///         factory, too.
contract ScriptedVerifier {
    bytes private _answer;
    bool private _isFailing;

    /// @dev Everything but the two functions below is a verification.
    // solhint-disable-next-line no-complex-fallback
    fallback(bytes calldata) external returns (bytes memory answer) {
        answer = _answer;
        if (_isFailing) {
            assembly ("memory-safe") {
                // stack: answer. Reverts with its bytes.
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    /// @notice Sets what every verification answers, or fails with.
    function script(bytes calldata answer, bool isFailing) external {
        _answer = answer;
        _isFailing = isFailing;
    }

    /// @notice This, for every key.
    function deploy(bytes32) external view returns (address verifier) {
        return address(this);
    }
}
