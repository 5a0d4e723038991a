// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {FeedIds} from "../FeedIds.sol";
import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {Price} from "../interfaces/Price.sol";

/// @title Base of contracts whose callers bring the price that the call needs
/// @notice A function of the deriving contract takes `updates` (signed prices, from a gateway or the service) and hands
///         them on; what it gets back is at least of the day that it asks for, or the call reverts:
///
///             function borrow(bytes[] calldata updates, uint32 minDay, uint256 amount) external {
///                 Price memory price = _pullSalesPrice(updates, MARKET_ID, minDay);
///
///         Nobody makes a call revert by being faster. If the oracle serves a price of `minDay` or later by then, it is
///         taken and `updates` are not looked at; else they are brought, and the oracle passes over those of them that
///         are not newer than what it has. `updates` may be empty when the oracle has what is needed. When they are
///         brought, invalid bytes revert with the oracle's InvalidUpdate(index, reason). All of it works inside a
///         multicall.
///
///         **To ask first, or always to bring.** `_pull…` functions ask first: an update that is not needed costs next
///         to nothing. But what is needed is said by `minDay` alone: a correction within the day, or a newer day than
///         `minDay`, is left in the calldata although the caller has shown it. This gives nobody a choice that they
///         would not have anyway: who wants the older price shows no newer one, and who wants the newer price brings it
///         to the oracle beforehand. It matters for honest callers: a keeper who shows a lower price wants the loan to
///         be judged by that. So who lends money calls `_bring` and then `_served…`: what has been shown always counts.
///         The first update that turns out not to be needed then costs about 7,000 gas (10,000 in the form without a
///         hint), a further one 2,300, or 4,400 if nothing else in the call reads its feed.
///
///         **Two prices are alive at once.** Yesterday's price has not expired yet when today's appears, and everybody
///         can read today's before it is on-chain. Whoever sends a transaction decides which of them it goes by. They
///         can even act at yesterday's price, bring today's, and act again at that, in one transaction, with money
///         borrowed for its duration and no risk: buy low and sell high; or draw a loan on value that is known to be
///         lost, and then liquidate themselves to get the collateral back. `minDay` alone does not prevent it, as both
///         prices can be of days that it allows, and neither does a rule for each account, as one person has many. A
///         protocol needs:
///
///         1. The newest day that everybody can have by now for whatever gives value away. It computes `minDay` from
///            block.timestamp, and does not let the caller choose it.
///         2. One price in a block for what can be played against one another. Who has taken value out of a position (a
///            pool, an order) at one price does not meet another price there in the same block.
///         3. A margin for the hours between the publication of a price and its arrival: what is given at the older
///            price has to be covered at the newer one. That is a gap between the limit of loans and that of their
///            liquidation, or a fee, or orders that are executed only at the first price published after them.
///
///         The lending market in `examples/lending` has all three.
abstract contract HomePriceConsumer {
    using FeedIds for uint256;

    /// @notice The oracle that is read.
    IHomePriceOracle public immutable ORACLE;
    /// @dev The oracle's RENTAL_OFFSET.
    uint64 private immutable _RENTAL_OFFSET;

    /// @notice The oracle serves a price, but of too early a day. Bring a newer one; if one has been brought and waits
    ///         in quarantine, the call has to wait, too.
    /// @param day Of the price that is served, days since 1970-01-01.
    /// @param minDay The earliest that will do.
    error PriceDayTooEarly(uint64 feedId, uint32 day, uint32 minDay);

    constructor(IHomePriceOracle oracle) {
        ORACLE = oracle;
        _RENTAL_OFFSET = oracle.RENTAL_OFFSET();
    }

    // --------------------------------------------------------------------------------- brings only what is needed

    /// @dev The price of a feed, unexpired and of `minDay` or later; brings `updates` if the oracle has none.
    ///      Reverts with PriceDayTooEarly; with the oracle's UnknownFeed, FeedPaused, NoPrice, PriceSignerRevoked,
    ///      PriceExpired or FeedQuarantined; with InvalidUpdate.
    /// @param minDay Days since 1970-01-01; 0 for any.
    function _pullPrice(bytes[] calldata updates, uint64 feedId, uint32 minDay) internal returns (Price memory price) {
        if (updates.length != 0) {
            price = _askForPrice(feedId);
            if (price.price != 0 && price.day >= minDay) return price;
            _bring(updates);
        }
        return _servedPrice(feedId, minDay);
    }

    /// @dev The same for the sales price of a market. Reverts with the oracle's InvalidMarketId, too.
    function _pullSalesPrice(
        bytes[] calldata updates,
        uint64 marketId,
        uint32 minDay
    ) internal returns (Price memory price) {
        return _pullPrice(updates, _salesFeed(marketId), minDay);
    }

    /// @dev The same for the rental price of a market. Reverts with the oracle's InvalidMarketId, too.
    function _pullRentalPrice(
        bytes[] calldata updates,
        uint64 marketId,
        uint32 minDay
    ) internal returns (Price memory price) {
        return _pullPrice(updates, _rentalFeed(marketId), minDay);
    }

    /// @dev The same for several feeds; prices are in the order of the ids. Brings all updates if one price is missing.
    function _pullPrices(
        bytes[] calldata updates,
        uint64[] memory feedIds,
        uint32 minDay
    ) internal returns (Price[] memory prices) {
        if (updates.length != 0) {
            prices = _askForPrices(feedIds);
            uint256 enough;
            while (enough < prices.length && prices[enough].day >= minDay) ++enough;
            if (enough == feedIds.length) return prices;
            _bring(updates);
        }
        prices = ORACLE.latestPrices(feedIds);
        for (uint256 i = 0; i < prices.length; ++i) _requireDay(feedIds[i], prices[i].day, minDay);
    }

    /// @dev The price of a feed if it was published at most `maxAgeSeconds` ago, whether it has expired or not: for
    ///      what has to go on when the service misses a day. Reverts like `_pullPrice`, with PriceTooOld for
    ///      PriceExpired.
    /// @param minDay Days since 1970-01-01; 0 to bound the age alone.
    function _pullPriceNoOlderThan(
        bytes[] calldata updates,
        uint64 feedId,
        uint32 minDay,
        uint256 maxAgeSeconds
    ) internal returns (Price memory price) {
        if (updates.length != 0) {
            price = _askForPriceNoOlderThan(feedId, maxAgeSeconds);
            if (price.price != 0 && price.day >= minDay) return price;
            _bring(updates);
        }
        return _servedPriceNoOlderThan(feedId, minDay, maxAgeSeconds);
    }

    // --------------------------------------------------------------------------------------------- always brings

    /// @dev Brings updates of any feeds. Those that are not newer than what the oracle has are passed over.
    function _bring(bytes[] calldata updates) internal {
        if (updates.length != 0) ORACLE.updatePrices(updates);
    }

    /// @dev As `_pullPrice`, of what the oracle has.
    function _servedPrice(uint64 feedId, uint32 minDay) internal view returns (Price memory price) {
        price = ORACLE.latestPrice(feedId);
        _requireDay(feedId, price.day, minDay);
    }

    /// @dev As `_pullPriceNoOlderThan`, of what the oracle has.
    function _servedPriceNoOlderThan(
        uint64 feedId,
        uint32 minDay,
        uint256 maxAgeSeconds
    ) internal view returns (Price memory price) {
        price = ORACLE.priceNoOlderThan(feedId, maxAgeSeconds);
        _requireDay(feedId, price.day, minDay);
    }

    // -------------------------------------------------------------------------------------------------- feed ids

    /// @dev The feed id of a market's sales prices. Reverts with InvalidMarketId.
    function _salesFeed(uint64 marketId) internal view returns (uint64 feedId) {
        if (!uint256(marketId).isMarketId(_RENTAL_OFFSET)) revert IHomePriceOracle.InvalidMarketId(marketId);
        return marketId;
    }

    /// @dev The feed id of a market's rental prices. Reverts with InvalidMarketId.
    function _rentalFeed(uint64 marketId) internal view returns (uint64 feedId) {
        return _salesFeed(marketId) + _RENTAL_OFFSET;
    }

    // ------------------------------------------------------------------------------------------------------- asking

    /// @return What is served; all zero if nothing is. The oracle says why when it is asked again.
    function _askForPrice(uint64 feedId) private view returns (Price memory) {
        try ORACLE.latestPrice(feedId) returns (Price memory served) {
            return served;
        } catch {
            return _nothing();
        }
    }

    /// @return What is served if it is not too old; all zero if nothing is.
    function _askForPriceNoOlderThan(uint64 feedId, uint256 maxAgeSeconds) private view returns (Price memory) {
        try ORACLE.priceNoOlderThan(feedId, maxAgeSeconds) returns (Price memory served) {
            return served;
        } catch {
            return _nothing();
        }
    }

    /// @return What is served; empty if one of them is not.
    function _askForPrices(uint64[] memory feedIds) private view returns (Price[] memory) {
        try ORACLE.latestPrices(feedIds) returns (Price[] memory served) {
            return served;
        } catch {
            return new Price[](0);
        }
    }

    function _nothing() private pure returns (Price memory) {
        return Price({price: 0, publishTime: 0, expiry: 0, day: 0});
    }

    function _requireDay(uint64 feedId, uint32 day, uint32 minDay) private pure {
        if (day < minDay) revert PriceDayTooEarly(feedId, day, minDay);
    }
}
