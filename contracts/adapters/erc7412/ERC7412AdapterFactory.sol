// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {ERC7412Adapter} from "./ERC7412Adapter.sol";

/// @title Maker of ERC7412Adapters
/// @notice Deploys one adapter an oracle, at an address that follows from the oracle's and the factory's own
///         (EIP-1014). The factory takes no arguments: through a deterministic proxy it has the same address on every
///         chain. Anyone may call it; there is nothing to own.
contract ERC7412AdapterFactory {
    /// @notice An adapter has been deployed.
    event AdapterDeployed(IHomePriceOracle indexed oracle, ERC7412Adapter adapter);

    /// @notice Deploys the adapter of an oracle, or finds it where an earlier call has put it. Reverts as its
    ///         constructor does.
    function deploy(IHomePriceOracle oracle) external returns (ERC7412Adapter adapter) {
        adapter = ERC7412Adapter(adapterAddress(oracle));
        if (address(adapter).code.length != 0) return adapter;
        adapter = new ERC7412Adapter{salt: 0}(oracle);
        emit AdapterDeployed(oracle, adapter);
    }

    /// @notice Where the adapter of an oracle is, or would be.
    function adapterAddress(IHomePriceOracle oracle) public view returns (address) {
        bytes memory initCode = abi.encodePacked(type(ERC7412Adapter).creationCode, abi.encode(oracle));
        return Create2.computeAddress(0, keccak256(initCode));
    }
}
