// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Reads twice in one transaction
/// @notice Test code only, never deployed. The first read finds everything cold, the second everything warm that the
///         first has accessed (EIP-2929); what each of them uses is seen in a trace.
contract TwoReadsHarness {
    error ReadFailed(bytes reason);

    /// @param data Calldata of both reads.
    function readTwice(address target, bytes memory data) external view {
        _read(target, data);
        _read(target, data);
    }

    function _read(address target, bytes memory data) private view {
        // solhint-disable-next-line avoid-low-level-calls
        (bool success, bytes memory answer) = target.staticcall(data);
        if (!success) revert ReadFailed(answer);
    }
}
