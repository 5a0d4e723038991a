// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title Gross rental yield
/// @notice A year's rent by the price, before vacancy, taxes and upkeep. Sales and rental price have to be of the same
///         unit of area, and the rent of a month, as the service's are.
library RentalYield {
    uint256 private constant ONE = 1e18;
    uint256 private constant MONTHS_PER_YEAR = 12;

    /// @notice One of the two prices is 0: there is none.
    error NoPriceToCompare(uint64 salesPrice, uint64 rentalPrice);

    /// @param salesPrice Any decimals, the same as the other's.
    /// @param rentalPrice For a month.
    /// @return grossYield 12 · rental price / sales price with 18 decimals (5 % is 5e16), rounded down.
    function gross(uint64 salesPrice, uint64 rentalPrice) internal pure returns (uint256 grossYield) {
        if (salesPrice == 0 || rentalPrice == 0) revert NoPriceToCompare(salesPrice, rentalPrice);
        unchecked {
            // Less than 2^64 · 2^4 · 2^60.
            return (uint256(rentalPrice) * MONTHS_PER_YEAR * ONE) / salesPrice;
        }
    }
}
