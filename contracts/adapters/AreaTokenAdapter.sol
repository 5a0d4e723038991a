// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {FeedAdapter} from "./FeedAdapter.sol";

/// @title What adapters have in common that price a token of home area
/// @notice A feed's price is that of one unit, of a square foot say. What a token stands for is told as a number of
///         such units. Neither the feed nor the token can be asked whether the number is right: who relies on an
///         adapter checks it.
abstract contract AreaTokenAdapter is FeedAdapter {
    /// @dev Decimals of `_usdPerToken`: 8 of a price and 18 of the units.
    int256 internal constant USD_PER_TOKEN_DECIMALS = 26;
    /// @dev As many as leave every product below in 256 bits.
    uint256 private constant MOST_DECIMALS = 30;

    /// @notice How many of the feed's units one whole token stands for, 18 decimals: 10^18 is one square foot a token.
    uint128 public immutable UNITS_PER_TOKEN;

    /// @notice A token would stand for nothing.
    error InvalidUnitsPerToken(uint128 unitsPerToken);
    /// @notice There is no contract at this address that tells its decimals.
    error NoDecimals(address asset);
    /// @notice A token or a feed has more than 30 decimals.
    error TooManyDecimals(address asset, uint256 decimals);

    constructor(
        IHomePriceOracle oracle,
        uint64 feedId,
        uint256 maxAge,
        uint128 unitsPerToken
    ) FeedAdapter(oracle, feedId, maxAge) {
        if (unitsPerToken == 0) revert InvalidUnitsPerToken(unitsPerToken);
        UNITS_PER_TOKEN = unitsPerToken;
    }

    /// @dev The price of a whole token.
    /// @param price 8 decimals.
    /// @return 26 decimals, exact, below 2^188 as a price is below 2^60.
    function _usdPerToken(uint64 price) internal view returns (uint256) {
        unchecked {
            return uint256(price) * UNITS_PER_TOKEN;
        }
    }

    /// @dev What `decimals()` of a token or a Chainlink feed answers, at most 30.
    function _decimalsOf(address asset) internal view returns (uint8) {
        (bool success, bytes memory answer) = asset.staticcall(abi.encodeCall(IERC20Metadata.decimals, ()));
        if (!success || answer.length < 32) revert NoDecimals(asset);
        uint256 decimals = abi.decode(answer, (uint256));
        if (decimals > MOST_DECIMALS) revert TooManyDecimals(asset, decimals);
        return uint8(decimals);
    }

    /// @dev 10^exponent as a fraction; one of the two is 1.
    /// @param exponent -77 to 77.
    function _powerOfTen(int256 exponent) internal pure returns (uint256 numerator, uint256 denominator) {
        return exponent < 0 ? (uint256(1), 10 ** uint256(-exponent)) : (10 ** uint256(exponent), uint256(1));
    }
}
