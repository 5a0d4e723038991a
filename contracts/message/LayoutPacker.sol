// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PackedLayout, PackedLayoutLibrary} from "./PackedLayout.sol";
import {PriceMessageLayout} from "./PriceMessageLayout.sol";

/// @title Checks and packs message layouts
/// @dev A contract of its own because it is needed for a new signer only: in the oracle it would take the place of code
///      that every update runs. It has no state; an oracle deploys its own.
contract LayoutPacker {
    /// @notice Packs a layout. Reverts with what is wrong with one that cannot be.
    /// @param largestFeedId What the layout's feed id field must have room for.
    /// @return packed The layout as updates are read by it.
    /// @return constantsHash keccak256 of a message's 74 bytes with zero under every field.
    function pack(
        PriceMessageLayout calldata messageLayout,
        uint256 largestFeedId
    ) external pure returns (PackedLayout packed, bytes32 constantsHash) {
        return PackedLayoutLibrary.pack(messageLayout, largestFeedId);
    }
}
