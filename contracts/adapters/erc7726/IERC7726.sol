// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title Common Quote Oracle
/// @notice ERC-7726, https://eips.ethereum.org/EIPS/eip-7726. Assets without an address that have an ISO 4217 code are
///         named by it: `address(840)` is USD.
interface IERC7726 {
    /// @notice This pair is not quoted at all.
    error OracleUnsupportedPair(address base, address quote);
    /// @notice This pair is quoted, but there are no data now that can be trusted.
    error OracleUntrustedData(address base, address quote);

    /// @notice What an amount of one asset is worth in another, rounded down.
    /// @param baseAmount In the smallest unit of `base`.
    /// @return quoteAmount In the smallest unit of `quote`. Reverts where it would not fit in 256 bits.
    function getQuote(uint256 baseAmount, address base, address quote) external view returns (uint256 quoteAmount);
}
