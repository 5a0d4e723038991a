// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {QuoteAdapter, QuoteAdapterArguments} from "./QuoteAdapter.sol";

/// @title Maker of QuoteAdapters
/// @notice Deploys one adapter for the same arguments, at an address that follows from them and the factory's own
///         (EIP-1014). The factory takes no arguments: through a deterministic proxy it has the same address on every
///         chain. Anyone may call it; there is nothing to own.
contract QuoteAdapterFactory {
    /// @notice An adapter has been deployed.
    event AdapterDeployed(IHomePriceOracle indexed oracle, uint64 indexed feedId, QuoteAdapter adapter);

    /// @notice Deploys an adapter, or finds it where an earlier call has put it. Reverts as its constructor does.
    function deploy(QuoteAdapterArguments calldata arguments) external returns (QuoteAdapter adapter) {
        adapter = QuoteAdapter(adapterAddress(arguments));
        if (address(adapter).code.length != 0) return adapter;
        adapter = new QuoteAdapter{salt: 0}(arguments);
        emit AdapterDeployed(arguments.oracle, arguments.feedId, adapter);
    }

    /// @notice Where the adapter of these arguments is, or would be. Says nothing about the arguments: for bad ones
    ///         there is never any.
    function adapterAddress(QuoteAdapterArguments calldata arguments) public view returns (address) {
        bytes memory initCode = abi.encodePacked(type(QuoteAdapter).creationCode, abi.encode(arguments));
        return Create2.computeAddress(0, keccak256(initCode));
    }
}
