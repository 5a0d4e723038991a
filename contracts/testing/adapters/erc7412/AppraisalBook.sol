// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC7412Adapter} from "../../../adapters/erc7412/ERC7412Adapter.sol";

/// @notice For tests: a protocol that reads prices through the adapter and knows nothing of who brings them.
contract AppraisalBook {
    ERC7412Adapter private immutable ADAPTER;

    /// @notice Value of the home of each owner, USD with 8 decimals.
    mapping(address owner => uint256 value) public valueOf;

    constructor(ERC7412Adapter adapter) {
        ADAPTER = adapter;
    }

    /// @notice Books a home in two markets by prices of a day or later.
    function appraise(uint64 firstFeed, uint64 secondFeed, uint32 minDay, uint256 squareFeet) external {
        uint256 sum =
            uint256(ADAPTER.getPriceSince(firstFeed, minDay).price) + ADAPTER.getPriceSince(secondFeed, minDay).price;
        valueOf[msg.sender] = (sum / 2) * squareFeet;
    }
}
