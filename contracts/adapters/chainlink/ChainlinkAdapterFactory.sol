// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {ChainlinkAdapter} from "./ChainlinkAdapter.sol";

/// @title Maker of Chainlink adapters
/// @notice One adapter for an oracle, a feed and a staleness bound, at an address that follows from these and the
///         factory's own (EIP-1014). The factory takes no arguments: through a deterministic proxy it has the same
///         address on every chain. Anyone may call it; there is nothing to own.
contract ChainlinkAdapterFactory {
    /// @notice An adapter has been deployed.
    event AdapterDeployed(
        IHomePriceOracle indexed oracle,
        uint64 indexed feedId,
        uint256 maxAge,
        ChainlinkAdapter adapter
    );

    /// @notice Deploys an adapter, or finds it where an earlier call has put it. Reverts as its constructor does.
    /// @param maxAge Staleness bound, seconds.
    /// @return adapter The one at adapterAddress.
    function deploy(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint256 maxAge
    ) external returns (ChainlinkAdapter adapter) {
        adapter = ChainlinkAdapter(adapterAddress(oracle, feedId, maxAge));
        if (address(adapter).code.length != 0) return adapter;
        adapter = new ChainlinkAdapter{salt: 0}(oracle, feedId, maxAge);
        emit AdapterDeployed(oracle, feedId, maxAge, adapter);
    }

    /// @notice Where an adapter is, or would be. Says nothing about the arguments: for bad ones there is never any.
    function adapterAddress(IHomePriceOracle oracle, uint64 feedId, uint256 maxAge) public view returns (address) {
        bytes memory arguments = abi.encode(oracle, feedId, maxAge);
        return Create2.computeAddress(0, keccak256(bytes.concat(type(ChainlinkAdapter).creationCode, arguments)));
    }
}
