// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Measures what a call costs inside a transaction
/// @notice Test code only, never deployed. Leaves out what a transaction costs by itself and for its calldata.
contract ExecutionGasHarness {
    error CallFailed(bytes reason);

    /// @notice Calls a contract that nothing has touched before in the transaction.
    /// @return gasUsed Gas of the call.
    function gasOf(address target, bytes memory data) external returns (uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory answer) = target.call(data);
        gasUsed = gasBefore - gasleft();
        if (!success) revert CallFailed(answer);
    }
}
