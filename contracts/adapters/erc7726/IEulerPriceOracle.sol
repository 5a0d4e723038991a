// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC7726} from "./IERC7726.sol";

/// @title What Euler's vaults and its router ask of a price oracle
/// @notice `IPriceOracle` of euler-xyz/euler-price-oracle; its getQuote is that of ERC-7726.
interface IEulerPriceOracle is IERC7726 {
    /// @notice The kind of oracle.
    function name() external view returns (string memory);

    /// @notice What an amount of one asset is worth in another, to who sells and to who buys, each rounded down.
    /// @param inAmount In the smallest unit of `base`.
    /// @return bidOutAmount In the smallest unit of `quote`.
    /// @return askOutAmount The same; not less than `bidOutAmount`.
    function getQuotes(
        uint256 inAmount,
        address base,
        address quote
    ) external view returns (uint256 bidOutAmount, uint256 askOutAmount);
}
