// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";

/// @title What a feed is, in words
/// @notice Follows from the feed id and the oracle's rental offset, so that nobody can deploy an adapter under a wrong
///         name. Claims no unit: that is the service's metadata.
library FeedDescription {
    using Strings for uint256;

    /// @notice For example "Home sales price, market 5826765".
    /// @param feedId A feed id of this oracle.
    function describe(IHomePriceOracle oracle, uint64 feedId) internal view returns (string memory) {
        uint256 rentalOffset = oracle.RENTAL_OFFSET();
        if (feedId < rentalOffset) return string.concat("Home sales price, market ", uint256(feedId).toString());
        return string.concat("Home rental price, market ", (feedId - rentalOffset).toString());
    }
}
