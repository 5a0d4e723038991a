// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Reads as a contract does, and measures what that costs it
/// @notice Test code only. Leaves out what the reader itself does with the answer.
contract ReadGasHarness {
    error ReadFailed(bytes reason);

    /// @notice Reads twice within a transaction in which nothing has touched the target before.
    /// @return cold Gas of the first read.
    /// @return warm Gas of the second.
    function gasOf(address target, bytes memory data) external view returns (uint256 cold, uint256 warm) {
        cold = _gasOf(target, data);
        warm = _gasOf(target, data);
    }

    /// @notice Reads with so much gas.
    /// @return answer ABI-encoded.
    function readWithGas(address target, bytes memory data, uint256 gas) external view returns (bytes memory answer) {
        bool success;
        // solhint-disable-next-line avoid-low-level-calls
        (success, answer) = target.staticcall{gas: gas}(data);
        if (!success) revert ReadFailed(answer);
    }

    function _gasOf(address target, bytes memory data) private view returns (uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory answer) = target.staticcall(data);
        gasUsed = gasBefore - gasleft();
        if (!success) revert ReadFailed(answer);
    }
}
