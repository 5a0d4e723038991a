// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {PendingPrice} from "./Price.sol";

/// @title Bands, and prices that wait outside them
/// @notice A price may differ from its reference, the feed's last price of an earlier date, by the feed's band for every
///         day between the dates, counted as 1 to 7. One that differs more is not served, but waits as a level: newer ones
///         inside the band around it replace it, another level begins to wait anew, and a newer one inside the band of
///         what is served ends the wait. After QUARANTINE_DELAY, or when the guardian confirms it, what waits becomes the
///         latest price, served if it has not expired, and the reference in any case: a true jump cannot freeze a feed.
///         Meanwhile the old price is served until its own expiry. A feed's first price has no reference and so no band.
interface IGuardRails {
    /// @notice A price outside its feed's band waits, alone or in the place of another of its level.
    /// @param price 8 decimals.
    /// @param servedFrom When it becomes the latest price by itself, Unix seconds.
    event PriceQuarantined(
        uint64 indexed feedId,
        uint32 indexed day,
        uint64 price,
        uint64 publishTimeMs,
        uint64 expiryMs,
        uint8 signer,
        uint64 servedFrom
    );
    /// @notice The guardian has made a waiting price the latest price. Follows the PriceUpdated of it.
    event PendingPriceConfirmed(uint64 indexed feedId, uint64 publishTimeMs);
    /// @notice The guardian has dropped a waiting price; none published then or before is taken for this feed any more.
    event PendingPriceVetoed(uint64 indexed feedId, uint64 publishTimeMs);
    /// @notice A feed's band is set.
    /// @param band Basis points a day; 0: none.
    /// @param effectiveFrom Block time, seconds: later than now when the band gets wider.
    event BandSet(uint64 indexed feedId, uint16 band, uint64 effectiveFrom);

    /// @notice The stored price has expired or is too old, and a newer one waits outside the feed's band.
    /// @param servedFrom When it becomes the latest price by itself, Unix seconds.
    error FeedQuarantined(uint64 feedId, uint64 servedFrom);
    /// @notice No price of this feed waits.
    error NoPendingPrice(uint64 feedId);
    /// @notice Another level waits than the caller means.
    error PendingPriceChanged(uint64 feedId, uint64 waitingSince);
    /// @notice A band is above 10,000 basis points a day.
    error InvalidBand(uint256 band);
    /// @notice The quarantine's delay is not within 1 to 48 hours (seconds).
    error InvalidQuarantineDelay(uint256 quarantineDelay);

    /// @notice Sets the band of feeds: at once where it gets tighter, after SIGNER_DELAY where it gets wider or is taken
    ///         away. Takes the place of a change that is under way. Owner only.
    /// @param band Basis points a day, at most 10,000; 0: none.
    function setBands(uint64[] calldata feedIds, uint16 band) external;

    /// @notice The band of a feed, and the wider one that is under way.
    /// @return band Basis points a day; 0: none.
    /// @return nextBand The same; meaningful when `nextFrom` is not 0.
    /// @return nextFrom Block time from which `nextBand` holds, seconds; 0 when no change is under way.
    function bandOf(uint64 feedId) external view returns (uint16 band, uint16 nextBand, uint64 nextFrom);

    /// @notice The price of a feed that waits; all zero when none does. Never reverts.
    function pendingPrice(uint64 feedId) external view returns (PendingPrice memory);

    /// @notice Makes the price that waits the latest price now. Guardian only.
    /// @param waitingSince As pendingPrice gives it: of this level the newest price is meant, whatever it is by now.
    function confirmPrice(uint64 feedId, uint64 waitingSince) external;

    /// @notice Drops the price that waits, and all that were published up to then. Guardian only.
    /// @param waitingSince As pendingPrice gives it: of this level the newest price is meant, whatever it is by now.
    function vetoPrice(uint64 feedId, uint64 waitingSince) external;

    /// @notice Seconds that a price outside its feed's band waits.
    function QUARANTINE_DELAY() external view returns (uint256);

    /// @notice The band of feeds for which none has been set, basis points a day; 0: none.
    function DEFAULT_BAND() external view returns (uint16);
}
