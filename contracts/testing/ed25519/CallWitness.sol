// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Tells how calls end
/// @notice Test code only, never deployed. What a call answers or reverts with, and what it took, in one `eth_call` for
/// as many calls as one likes; failures, too, are plain answers.
contract CallWitness {
    struct Call {
        address target;
        uint256 gasLimit;
        uint256 value;
        bytes data;
    }

    struct Outcome {
        bool success;
        uint256 gasUsed;
        bytes returned;
    }

    error LittleGas(uint256 gasLeft, uint256 gasLimit);

    /// @notice Makes the calls, each with exactly the gas that it is given.
    function witness(Call[] calldata calls) external payable returns (Outcome[] memory outcomes) {
        outcomes = new Outcome[](calls.length);
        for (uint256 index = 0; index < calls.length; ++index) {
            Call calldata one = calls[index];
            bytes memory data = one.data;
            // A call takes at most 63/64 of what is left (EIP-150).
            require((gasleft() * 63) / 64 > one.gasLimit + 40_000, LittleGas(gasleft(), one.gasLimit));
            uint256 gasBefore = gasleft();
            // solhint-disable-next-line avoid-low-level-calls
            (bool success, bytes memory returned) = one.target.call{gas: one.gasLimit, value: one.value}(data);
            outcomes[index] = Outcome({success: success, gasUsed: gasBefore - gasleft(), returned: returned});
        }
    }
}
