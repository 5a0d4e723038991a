// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {DailyPrice} from "./Price.sol";

/// @title The prices of past dates
/// @notice One price a date and feed: the last that the oracle took for it. A date stays open for SETTLEMENT_DELAY after
///         its 00:00 UTC and never changes afterwards; nothing is filled in later. What a revoked signer signed for dates
///         from the revocation's `sinceDay` on counts as absent. History is not paused.
interface IPriceHistory {
    /// @notice An update newer than the latest price, but of an earlier date, has changed that date's price alone.
    /// @param price 8 decimals.
    event PastPriceRecorded(
        uint64 indexed feedId,
        uint32 indexed day,
        uint64 price,
        uint64 publishTimeMs,
        uint8 signer
    );
    /// @notice Such an update has been passed over, because its price lies outside the feed's band.
    /// @param price 8 decimals.
    event PastPriceOutOfBand(
        uint64 indexed feedId,
        uint32 indexed day,
        uint64 price,
        uint64 publishTimeMs,
        uint8 signer
    );

    /// @notice The feed has no price for this date.
    error NoPriceOn(uint64 feedId, uint32 day);
    /// @notice The price of this date can still change.
    /// @param finalFrom Unix seconds.
    error DayNotFinal(uint64 feedId, uint32 day, uint64 finalFrom);
    /// @notice The first date is after the last, or the span is longer than 366 dates.
    error InvalidDaySpan(uint32 fromDay, uint32 toDay);

    /// @notice The price of a date, which can change until the date is final. Reverts when there is none.
    /// @param day Days since 1970-01-01.
    function priceOn(uint64 feedId, uint32 day) external view returns (DailyPrice memory);

    /// @notice The same; all zero but the day when there is none. Never reverts.
    function priceOnUnsafe(uint64 feedId, uint32 day) external view returns (DailyPrice memory);

    /// @notice The price of a date for good. Reverts before SETTLEMENT_DELAY after 00:00 UTC of the date, and when there
    ///         is none. From then on no update can change it; only the revocation of its signer voids it.
    function settlementPrice(uint64 feedId, uint32 day) external view returns (DailyPrice memory);

    /// @notice The prices of a span of dates, 8 decimals, 0 where there is none.
    /// @param toDay Included; at most 365 after `fromDay`.
    function pricesBetween(uint64 feedId, uint32 fromDay, uint32 toDay) external view returns (uint64[] memory);

    /// @notice How many dates of a span have no price, those that have not come yet included.
    /// @param toDay Included; at most 365 after `fromDay`.
    function missedDays(uint64 feedId, uint32 fromDay, uint32 toDay) external view returns (uint256);

    /// @notice Seconds from 00:00 UTC of a date until its price is final: 72 hours.
    function SETTLEMENT_DELAY() external view returns (uint256);
}
