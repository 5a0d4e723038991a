// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AggregatorV3Interface} from "@chainlink/contracts/src/v0.8/shared/interfaces/AggregatorV3Interface.sol";
import {IOracle} from "@morpho-org/morpho-blue/src/interfaces/IOracle.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {AreaTokenAdapter} from "../AreaTokenAdapter.sol";

/// @notice What a MorphoAdapter is made of.
/// @param oracle The oracle that is read.
/// @param feedId Market id for sales, market id + rental offset for rental.
/// @param maxAge Staleness bound of the home price, seconds: at most 31 days, not 0.
/// @param collateralToken The ERC-20 token that stands for home area.
/// @param loanToken The ERC-20 token that is lent.
/// @param unitsPerToken How many of the feed's units one whole collateral token stands for, 18 decimals.
/// @param loanTokenFeed Chainlink feed of the loan token in USD; the zero address takes the loan token at par with USD.
/// @param loanTokenFeedMaxAge Staleness bound of that feed, seconds: at most 31 days, not 0; 0 without a feed.
struct MorphoAdapterArguments {
    IHomePriceOracle oracle;
    uint64 feedId;
    uint256 maxAge;
    address collateralToken;
    address loanToken;
    uint128 unitsPerToken;
    AggregatorV3Interface loanTokenFeed;
    uint256 loanTokenFeedMaxAge;
}

/// @title Prices a token of home area as collateral of a Morpho Blue market
/// @notice **A revert of price() blocks liquidation.** It also blocks borrowing, and withdrawing collateral from a
///         position that has debt; supplying, repaying and withdrawing what was lent go on. So bad debt can grow while
///         there is no price.
///
///         | the price is | price() |
///         |---|---|
///         | older than MAX_AGE | PriceTooOld, until somebody brings a newer one, which anybody may |
///         | expired, but not that old | served |
///         | missing: none ever | NoPrice |
///         | missing: none for today | serves the last within MAX_AGE, then PriceTooOld |
///         | quarantined | serves the price before it within MAX_AGE, then FeedQuarantined |
///         | paused (all or this feed) | FeedPaused |
///         | of a revoked signer | PriceSignerRevoked, until a usable signer's comes |
///         | revised | serves the newest |
///
///         These are errors of IHomePriceOracle; those of the loan token's feed and of scaling are below. Nothing here
///         asks whether a layer-2 sequencer has been down: while it is, nobody can bring a price or liquidate, and ages
///         go on.
///
///         How to choose MAX_AGE, then: the service publishes once a day, so a bound near 24 hours stops liquidation
///         daily, whenever a price comes a little late. Home prices move slowly. A curator takes the longest outage of
///         the service or of whoever brings its prices over which liquidating at an old price is better than not
///         liquidating at all: days, not hours, with an LLTV that leaves room for what prices can move meanwhile. That
///         room is needed anyway: a new price is public before it is on-chain, and who borrows first borrows at the
///         old.
///
///         Without a feed the loan token is taken at par with USD: if it falls below, collateral is worth more of it
///         than this says, and liquidations come early; if it rises above, they come late.
contract MorphoAdapter is AreaTokenAdapter, IOracle {
    /// @dev Morpho's prices are of one smallest unit in another, times 10^36.
    int256 private constant MORPHO_DECIMALS = 36;
    uint256 private constant LONGEST_FEED_MAX_AGE = 31 days;

    /// @notice The token that stands for home area.
    address public immutable COLLATERAL_TOKEN;
    /// @notice The token that is lent.
    address public immutable LOAN_TOKEN;
    /// @notice Chainlink feed of the loan token in USD, or the zero address.
    AggregatorV3Interface public immutable LOAN_TOKEN_FEED;
    /// @notice Staleness bound of that feed, seconds.
    uint256 public immutable LOAN_TOKEN_FEED_MAX_AGE;

    // A price is USD of a whole collateral token / the feed's answer · this fraction.
    uint256 private immutable SCALE_NUMERATOR;
    uint256 private immutable SCALE_DENOMINATOR;

    /// @notice Collateral and loan are the same token.
    error SameAsset(address asset);
    /// @notice The bound of the loan token's feed is 0 or more than 31 days (seconds), or not 0 without a feed.
    error InvalidLoanTokenFeedMaxAge(uint256 loanTokenFeedMaxAge);
    /// @notice The loan token's feed answers 0, less, or 2^128 or more.
    error InvalidLoanTokenPrice(int256 answer);
    /// @notice The loan token's feed has not been updated for too long.
    error LoanTokenPriceTooOld(uint256 ageSeconds, uint256 maxAgeSeconds);
    /// @notice The loan token's feed claims to have been updated later than now (Unix seconds).
    error LoanTokenPriceAhead(uint256 updatedAt, uint256 blockTime);
    /// @notice The price is 0 in Morpho's scale, or does not fit in 256 bits.
    /// @param usdPerToken USD of a whole collateral token, 26 decimals.
    /// @param loanTokenPrice The answer of the loan token's feed; 1 without a feed.
    error UnscalablePrice(uint256 usdPerToken, uint256 loanTokenPrice);

    constructor(
        MorphoAdapterArguments memory arguments
    ) AreaTokenAdapter(arguments.oracle, arguments.feedId, arguments.maxAge, arguments.unitsPerToken) {
        (address collateralToken, address loanToken) = (arguments.collateralToken, arguments.loanToken);
        if (collateralToken == loanToken) revert SameAsset(loanToken);
        AggregatorV3Interface feed = arguments.loanTokenFeed;
        bool hasFeed = address(feed) != address(0);
        uint256 feedMaxAge = arguments.loanTokenFeedMaxAge;
        if (hasFeed ? feedMaxAge == 0 || feedMaxAge > LONGEST_FEED_MAX_AGE : feedMaxAge != 0) {
            revert InvalidLoanTokenFeedMaxAge(feedMaxAge);
        }
        COLLATERAL_TOKEN = collateralToken;
        LOAN_TOKEN = loanToken;
        LOAN_TOKEN_FEED = feed;
        LOAN_TOKEN_FEED_MAX_AGE = feedMaxAge;
        int256 exponent = MORPHO_DECIMALS - USD_PER_TOKEN_DECIMALS;
        exponent += int256(uint256(_decimalsOf(loanToken))) - int256(uint256(_decimalsOf(collateralToken)));
        if (hasFeed) exponent += int256(uint256(_decimalsOf(address(feed))));
        (SCALE_NUMERATOR, SCALE_DENOMINATOR) = _powerOfTen(exponent);
    }

    /// @inheritdoc IOracle
    /// @dev Rounded down: 10^36 · (value of one smallest unit of collateral) / (value of one smallest unit of loan).
    function price() external view override returns (uint256 scaledPrice) {
        uint256 usdPerToken = _usdPerToken(_servedPrice().price);
        uint256 loanTokenPrice = _loanTokenPrice();
        // Below 2^195: the fraction's denominator is at most 10^20.
        uint256 denominator = SCALE_DENOMINATOR * loanTokenPrice;
        (uint256 high, ) = Math.mul512(usdPerToken, SCALE_NUMERATOR);
        if (high >= denominator) revert UnscalablePrice(usdPerToken, loanTokenPrice);
        scaledPrice = Math.mulDiv(usdPerToken, SCALE_NUMERATOR, denominator);
        if (scaledPrice == 0) revert UnscalablePrice(usdPerToken, loanTokenPrice);
    }

    /// @dev USD of a whole loan token in the feed's decimals; 1 without a feed.
    function _loanTokenPrice() private view returns (uint256) {
        if (address(LOAN_TOKEN_FEED) == address(0)) return 1;
        (, int256 answer, , uint256 updatedAt, ) = LOAN_TOKEN_FEED.latestRoundData();
        if (answer <= 0 || answer > int256(uint256(type(uint128).max))) revert InvalidLoanTokenPrice(answer);
        if (updatedAt > block.timestamp) revert LoanTokenPriceAhead(updatedAt, block.timestamp);
        uint256 age = block.timestamp - updatedAt;
        if (age > LOAN_TOKEN_FEED_MAX_AGE) revert LoanTokenPriceTooOld(age, LOAN_TOKEN_FEED_MAX_AGE);
        return uint256(answer);
    }
}
