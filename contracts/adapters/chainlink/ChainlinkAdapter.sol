// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AggregatorV3Interface} from "@chainlink/contracts/src/v0.8/shared/interfaces/AggregatorV3Interface.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {DailyPrice} from "../../interfaces/Price.sol";
import {FeedAdapter} from "../FeedAdapter.sol";
import {FeedDescription} from "../FeedDescription.sol";

/// @dev priceNoOlderThan of the oracle as it is encoded: a struct of four words looks like four values (Solidity
///      ABI). Those are decoded onto the stack, for 230 gas less than FeedAdapter's _servedPrice takes through
///      memory.
interface IPriceInWords {
    function priceNoOlderThan(
        uint64 feedId,
        uint256 maxAgeSeconds
    ) external view returns (uint64 price, uint64 publishTime, uint64 expiry, uint32 day);
}

/// @title One feed as a Chainlink data feed
/// @notice AggregatorV3Interface, and what Aave reads of the older AggregatorInterface. Answers have 8 decimals,
///         times are Unix seconds. A round is a date: its id is the date's days since 1970-01-01, it starts at 00:00
///         UTC of the date, and is never answered in another round. It is updated when the service published the
///         price, or at the block's time where the service's clock is ahead of it: subtracting `updatedAt` from the
///         block's time always gives an age.
///
///         | the price is | latestRoundData, latestAnswer, latestTimestamp | getRoundData |
///         |---|---|---|
///         | older than MAX_AGE | PriceTooOld | served |
///         | expired, but not that old | served | served |
///         | missing: none ever | NoPrice | "No data present" |
///         | missing: none for this date | serve the last date's, within MAX_AGE | "No data present" |
///         | quarantined | serve the price before it within MAX_AGE, then FeedQuarantined | that of before, if any |
///         | paused (all or this feed) | FeedPaused | served: history is not paused |
///         | of a revoked signer | PriceSignerRevoked, until a usable one's comes | "No data present" since sinceDay |
///         | revised | serve the newest; round id and startedAt stay, updatedAt grows | the newest, final in 72 h |
///
///         The errors by name are the oracle's custom errors, with their values: the cause is never hidden, and what
///         fails for want of gas is not called missing.
contract ChainlinkAdapter is FeedAdapter, AggregatorV3Interface {
    /// @param oracle The oracle that is read.
    /// @param feedId Market id for sales, market id + rental offset for rental.
    /// @param maxAge Staleness bound, seconds, 1 to 31 days.
    constructor(IHomePriceOracle oracle, uint64 feedId, uint256 maxAge) FeedAdapter(oracle, feedId, maxAge) {}

    /// @notice Decimals of every answer: 8.
    function decimals() external pure override returns (uint8) {
        return 8;
    }

    /// @notice Version of this adapter: 1.
    function version() external pure override returns (uint256) {
        return 1;
    }

    /// @notice What the feed is, without a unit: for example "Home sales price, market 5826765".
    function description() external view override returns (string memory) {
        return FeedDescription.describe(ORACLE, FEED_ID);
    }

    /// @notice The price of a date, whatever its age. Reverts with "No data present", as Chainlink's own do, when
    ///         there is none. It can change until IHomePriceOracle.settlementPrice calls the date final.
    /// @param _roundId Days since 1970-01-01.
    function getRoundData(
        uint80 _roundId
    )
        external
        view
        override
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        DailyPrice memory daily;
        if (_roundId <= type(uint32).max) daily = ORACLE.priceOnUnsafe(FEED_ID, uint32(_roundId));
        // solhint-disable-next-line gas-custom-errors
        if (daily.price == 0) revert("No data present"); // the string that Chainlink's consumers know
        return _round(daily.day, daily.price, daily.publishTime);
    }

    /// @notice The latest price if it is at most MAX_AGE old; ignores expiry. Otherwise reverts with the oracle's
    ///         error.
    function latestRoundData()
        external
        view
        override
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        (uint64 price, uint64 publishTime, , uint32 day) = _latest();
        return _round(day, price, publishTime);
    }

    /// @notice The answer of latestRoundData, 8 decimals; reverts when that does.
    function latestAnswer() external view returns (int256) {
        (uint64 price, , , ) = _latest();
        return int256(uint256(price));
    }

    /// @notice `updatedAt` of latestRoundData, Unix seconds; reverts when that does.
    function latestTimestamp() external view returns (uint256) {
        (, uint64 publishTime, , ) = _latest();
        return _updatedAt(publishTime);
    }

    /// @dev The price, or the oracle's error that says why there is none.
    function _latest() private view returns (uint64 price, uint64 publishTime, uint64 expiry, uint32 day) {
        return IPriceInWords(address(ORACLE)).priceNoOlderThan(FEED_ID, MAX_AGE);
    }

    function _round(
        uint256 day,
        uint256 price,
        uint256 publishTime
    ) private view returns (uint80, int256, uint256, uint256, uint80) {
        unchecked {
            // A day has 32 bits, and a price is below 2^60.
            return (uint80(day), int256(price), day * 1 days, _updatedAt(publishTime), uint80(day));
        }
    }

    function _updatedAt(uint256 publishTime) private view returns (uint256) {
        return publishTime < block.timestamp ? publishTime : block.timestamp;
    }
}
