// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice How much is lent on collateral; all in basis points.
/// @param borrowing Of the value: most that may be owed when value is taken out.
/// @param liquidating Of the value: more than that may be liquidated.
/// @param bonus Of what a liquidator pays: what the collateral is worth that they get above it.
struct LoanLimits {
    uint16 borrowing;
    uint16 liquidating;
    uint16 bonus;
}

/// @title The arithmetic of loans
/// @notice "Tokens" and "usd" are the price: so many base units of the collateral token are worth so many of the debt
///         token.
library LoanLimitsLibrary {
    using Math for uint256;

    uint256 private constant WHOLE = 10_000;

    /// @notice The limits do not rise (0 < borrowing < liquidating), or a liquidator's bonus would not be covered by
    ///         the collateral of who has just come over the limit.
    error InvalidLoanLimits(uint16 borrowing, uint16 liquidating, uint16 bonus);

    function requireSound(LoanLimits memory limits) internal pure {
        (uint256 liquidating, uint256 withBonus) = (limits.liquidating, WHOLE + limits.bonus);
        if (limits.borrowing == 0 || limits.borrowing >= liquidating || liquidating * withBonus > WHOLE * WHOLE) {
            revert InvalidLoanLimits(limits.borrowing, limits.liquidating, limits.bonus);
        }
    }

    /// @return Most that may be owed when value is taken out, rounded down.
    function borrowLimit(LoanLimits storage limits, uint256 value) internal view returns (uint256) {
        return value.mulDiv(limits.borrowing, WHOLE);
    }

    /// @return Most that may be owed without being liquidated, rounded down.
    function liquidationLimit(LoanLimits storage limits, uint256 value) internal view returns (uint256) {
        return value.mulDiv(limits.liquidating, WHOLE);
    }

    /// @return The collateral that a liquidator gets for a payment, rounded down.
    function collateralFor(
        LoanLimits storage limits,
        uint256 payment,
        uint256 tokens,
        uint256 usd
    ) internal view returns (uint256) {
        return payment.mulDiv(tokens * (WHOLE + limits.bonus), usd * WHOLE);
    }

    /// @return The payment for which a liquidator gets so much collateral, rounded up.
    function paymentFor(
        LoanLimits storage limits,
        uint256 collateral,
        uint256 tokens,
        uint256 usd
    ) internal view returns (uint256) {
        return collateral.mulDiv(usd * WHOLE, tokens * (WHOLE + limits.bonus), Math.Rounding.Ceil);
    }
}
