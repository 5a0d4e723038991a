// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {Price} from "../../interfaces/Price.sol";
import {AreaTokenAdapter} from "../AreaTokenAdapter.sol";
import {IERC7726} from "./IERC7726.sol";
import {IEulerPriceOracle} from "./IEulerPriceOracle.sol";

/// @notice What a QuoteAdapter is made of.
/// @param oracle The oracle that is read.
/// @param feedId Market id for sales, market id + rental offset for rental.
/// @param maxAge Staleness bound, seconds: at most 31 days, not 0.
/// @param base An ERC-20 token that stands for home area.
/// @param quote `address(840)` for USD, or an ERC-20 token that is taken for worth one USD each.
/// @param unitsPerToken How many of the feed's units one whole token of `base` stands for, 18 decimals.
struct QuoteAdapterArguments {
    IHomePriceOracle oracle;
    uint64 feedId;
    uint256 maxAge;
    address base;
    address quote;
    uint128 unitsPerToken;
}

/// @title Quotes a token of home area in USD
/// @notice For protocols that read ERC-7726 or Euler's price oracles. Quotes BASE in QUOTE and QUOTE in BASE, rounded
///         down with a product of 512 bits; a result of 256 bits or more panics with 0x11. Bid and ask are the same.
///
///         USD as `address(840)` has 18 decimals: ERC-7726 does not say, and Euler counts 18 wherever an asset cannot
///         be asked. A token in its place is taken at par, so what is quoted is wrong by as much as that token has left
///         its peg.
///
///         | the price is | getQuote, getQuotes |
///         |---|---|
///         | older than MAX_AGE | OracleUntrustedData |
///         | expired, but not that old | served |
///         | missing: none ever | OracleUntrustedData |
///         | missing: none for today | serve the last within MAX_AGE, then OracleUntrustedData |
///         | quarantined | serve the price before it within MAX_AGE, then OracleUntrustedData |
///         | paused (all or this feed) | OracleUntrustedData |
///         | of a revoked signer | OracleUntrustedData, until a usable signer's comes |
///         | revised | serve the newest |
///
///         ERC-7726 prescribes the errors: OracleUnsupportedPair for two assets that are not BASE and QUOTE (where
///         Euler's own adapters say PriceOracle_NotSupported), OracleUntrustedData for the rest (where they say
///         PriceOracle_TooStale and PriceOracle_InvalidAnswer). The cause is the error with which
///         `ORACLE.priceNoOlderThan(FEED_ID, MAX_AGE)` reverts.
contract QuoteAdapter is AreaTokenAdapter, IEulerPriceOracle {
    /// @dev ISO 4217 code of the US dollar, as ERC-7726 names it.
    address private constant USD = address(840);
    uint8 private constant USD_DECIMALS = 18;

    /// @notice The token that stands for home area.
    address public immutable BASE;
    /// @notice `address(840)`, or the token that is taken for USD.
    address public immutable QUOTE;
    /// @notice Decimals of BASE, as they were when this was deployed.
    uint8 public immutable BASE_DECIMALS;
    /// @notice Decimals of QUOTE, as they were when this was deployed.
    uint8 public immutable QUOTE_DECIMALS;

    // An amount of QUOTE is an amount of BASE · USD of a whole token · this fraction.
    uint256 private immutable SCALE_NUMERATOR;
    uint256 private immutable SCALE_DENOMINATOR;

    /// @notice A token cannot be quoted in itself.
    error SameAsset(address asset);

    constructor(
        QuoteAdapterArguments memory arguments
    ) AreaTokenAdapter(arguments.oracle, arguments.feedId, arguments.maxAge, arguments.unitsPerToken) {
        (address base, address quote) = (arguments.base, arguments.quote);
        if (base == quote) revert SameAsset(base);
        uint8 baseDecimals = _decimalsOf(base);
        uint8 quoteDecimals = quote == USD ? USD_DECIMALS : _decimalsOf(quote);
        BASE = base;
        QUOTE = quote;
        BASE_DECIMALS = baseDecimals;
        QUOTE_DECIMALS = quoteDecimals;
        int256 exponent = int256(uint256(quoteDecimals)) - int256(uint256(baseDecimals)) - USD_PER_TOKEN_DECIMALS;
        (SCALE_NUMERATOR, SCALE_DENOMINATOR) = _powerOfTen(exponent);
    }

    /// @inheritdoc IEulerPriceOracle
    function name() external pure override returns (string memory) {
        return "HomePriceQuoteAdapter";
    }

    /// @inheritdoc IEulerPriceOracle
    function getQuotes(
        uint256 inAmount,
        address base,
        address quote
    ) external view override returns (uint256 bidOutAmount, uint256 askOutAmount) {
        bidOutAmount = getQuote(inAmount, base, quote);
        askOutAmount = bidOutAmount;
    }

    /// @inheritdoc IERC7726
    function getQuote(
        uint256 baseAmount,
        address base,
        address quote
    ) public view override returns (uint256 quoteAmount) {
        bool isInverse = base == QUOTE && quote == BASE;
        if (!isInverse && !(base == BASE && quote == QUOTE)) revert OracleUnsupportedPair(base, quote);
        // Below 2^202: the fraction's numerator is at most 10^4.
        uint256 multiplier = _usdPerToken(_trustedPrice(base, quote)) * SCALE_NUMERATOR;
        return
            isInverse
                ? Math.mulDiv(baseAmount, SCALE_DENOMINATOR, multiplier)
                : Math.mulDiv(baseAmount, multiplier, SCALE_DENOMINATOR);
    }

    /// @dev The served price, 8 decimals; the oracle's errors become the standard's.
    function _trustedPrice(address base, address quote) private view returns (uint64) {
        try ORACLE.priceNoOlderThan(FEED_ID, MAX_AGE) returns (Price memory price) {
            return price.price;
        } catch (bytes memory reason) {
            // All of the oracle's errors have a selector. Whoever forwards too little gas must not pass that off as a
            // verdict on the price.
            if (reason.length == 0) LowLevelCall.bubbleRevert(reason);
            revert OracleUntrustedData(base, quote);
        }
    }
}
