// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {CombShape, CombTable} from "../../ed25519/CombTable.sol";

/// @title Test harness of {CombTable}
/// @notice Test code only, never deployed.
contract CombTableHarness {
    /// @notice Derives tables and corrections.
    /// @return tables As {CombTable.derive} returns them.
    /// @return corrections As {CombTable.derive} returns them.
    /// @return gasUsed Gas of deriving, without the call around it.
    function derive(
        CombShape memory shape,
        uint256 x,
        uint256 y
    ) external view returns (bytes memory tables, bytes memory corrections, uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        (tables, corrections) = CombTable.derive(shape, x, y);
        gasUsed = gasBefore - gasleft();
    }
}
