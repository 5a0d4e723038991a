// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {Freshness, Price} from "../interfaces/Price.sol";

/// @title What adapters of one feed have in common
/// @notice An adapter serves a price by its age and not by its expiry, as the interfaces do that it speaks: at most MAX_AGE
///         seconds after the service published it. So one missed day need not stop a protocol that allows it.
abstract contract FeedAdapter {
    uint256 private constant LONGEST_MAX_AGE = 31 days;

    /// @notice The oracle that is read.
    IHomePriceOracle public immutable ORACLE;
    /// @notice Market id for sales, market id + rental offset for rental.
    uint64 public immutable FEED_ID;
    /// @notice Staleness bound: a price published more than so many seconds ago is not served.
    uint256 public immutable MAX_AGE;

    /// @notice The staleness bound is 0 or more than 31 days (seconds).
    error InvalidMaxAge(uint256 maxAge);

    constructor(IHomePriceOracle oracle, uint64 feedId, uint256 maxAge) {
        if (oracle.freshness(feedId) == Freshness.UnknownFeed) revert IHomePriceOracle.UnknownFeed(feedId);
        if (maxAge == 0 || maxAge > LONGEST_MAX_AGE) revert InvalidMaxAge(maxAge);
        ORACLE = oracle;
        FEED_ID = feedId;
        MAX_AGE = maxAge;
    }

    /// @dev The price, or the oracle's error that says why there is none.
    function _servedPrice() internal view returns (Price memory) {
        return ORACLE.priceNoOlderThan(FEED_ID, MAX_AGE);
    }
}
