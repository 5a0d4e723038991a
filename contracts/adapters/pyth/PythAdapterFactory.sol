// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {PythAdapter} from "./PythAdapter.sol";

/// @title Maker of Pyth adapters
/// @notice One adapter for an oracle, at an address that follows from the oracle's and the factory's own (EIP-1014).
///         The factory takes no arguments: through a deterministic proxy it has the same address on every chain.
///         Anyone may call it; there is nothing to own.
contract PythAdapterFactory {
    /// @notice An adapter has been deployed.
    event AdapterDeployed(IHomePriceOracle indexed oracle, PythAdapter adapter);

    /// @notice Deploys an adapter, or finds it where an earlier call has put it. Reverts as its constructor
    ///         does.
    /// @return adapter The one at adapterAddress.
    function deploy(IHomePriceOracle oracle) external returns (PythAdapter adapter) {
        adapter = PythAdapter(adapterAddress(oracle));
        if (address(adapter).code.length != 0) return adapter;
        adapter = new PythAdapter{salt: 0}(oracle);
        emit AdapterDeployed(oracle, adapter);
    }

    /// @notice Where an adapter is, or would be. Says nothing about the oracle.
    function adapterAddress(IHomePriceOracle oracle) public view returns (address) {
        return Create2.computeAddress(0, keccak256(bytes.concat(type(PythAdapter).creationCode, abi.encode(oracle))));
    }
}
