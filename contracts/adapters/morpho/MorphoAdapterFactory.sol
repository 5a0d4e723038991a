// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {MorphoAdapter, MorphoAdapterArguments} from "./MorphoAdapter.sol";

/// @title Maker of MorphoAdapters
/// @notice Deploys one adapter for the same arguments, at an address that follows from them and the factory's own
///         (EIP-1014). The factory takes no arguments: through a deterministic proxy it has the same address on every
///         chain. Anyone may call it; there is nothing to own.
contract MorphoAdapterFactory {
    /// @notice An adapter has been deployed.
    event AdapterDeployed(IHomePriceOracle indexed oracle, uint64 indexed feedId, MorphoAdapter adapter);

    /// @notice Deploys an adapter, or finds it where an earlier call has put it. Reverts as its constructor does.
    function deploy(MorphoAdapterArguments calldata arguments) external returns (MorphoAdapter adapter) {
        adapter = MorphoAdapter(adapterAddress(arguments));
        if (address(adapter).code.length != 0) return adapter;
        adapter = new MorphoAdapter{salt: 0}(arguments);
        emit AdapterDeployed(arguments.oracle, arguments.feedId, adapter);
    }

    /// @notice Where the adapter of these arguments is, or would be. Says nothing about the arguments: for bad ones
    ///         there is never any.
    function adapterAddress(MorphoAdapterArguments calldata arguments) public view returns (address) {
        bytes memory initCode = abi.encodePacked(type(MorphoAdapter).creationCode, abi.encode(arguments));
        return Create2.computeAddress(0, keccak256(initCode));
    }
}
