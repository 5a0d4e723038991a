// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";

/// @notice For tests: OpenZeppelin's smart account that executes batches (ERC-7821), open to everybody.
contract BatchAccount is ERC7821 {
    function _erc7821AuthorizedExecutor(address, bytes32, bytes calldata) internal pure override returns (bool) {
        return true;
    }
}
