// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IPyth} from "@pythnetwork/pyth-sdk-solidity/IPyth.sol";
import {PythErrors} from "@pythnetwork/pyth-sdk-solidity/PythErrors.sol";
import {PythStructs} from "@pythnetwork/pyth-sdk-solidity/PythStructs.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {ParsedPrice, Price} from "../../interfaces/Price.sol";

/// @title All feeds of an oracle behind Pyth's interface
/// @notice A price id is the feed id as a number: bytes32(uint256(feedId)). `expo` is -8 and `publishTime` in Unix
///         seconds. `conf` is 0 and means "not given", not "certain": the service gives no confidence interval. The
///         same holds for `emaPrice` inside a PriceFeed, which is all zero, and for slots.
///
///         There is no staleness bound here, because no function of IPyth would use one: its readers either give an
///         age or ask for any. Ages are max(0, now − publish time), as everywhere in this project. A price that the
///         service's clock puts ahead of the block has age 0 (Pyth's own contract counts the difference as an age),
///         and reads give the block's time as its publish time, so that `block.timestamp - publishTime` never
///         underflows.
///
///         | the price is | getPriceUnsafe | getPriceNoOlderThan |
///         |---|---|---|
///         | older than the given age | served | StalePrice |
///         | expired, but not that old | served | served |
///         | missing: no such feed, or none ever | PriceFeedNotFound | PriceFeedNotFound |
///         | missing: none for today | serves the last | serves the last within the age, then StalePrice |
///         | quarantined | serves the price before it | the same within the age, then FeedQuarantined |
///         | paused (all or this feed) | FeedPaused | FeedPaused |
///         | of a revoked signer | PriceSignerRevoked, until a usable signer's comes | the same |
///         | revised | serves the newest | serves the newest |
///
///         "Unsafe" is a word about age alone: what the guardian has stopped, and what a leaked key has signed, is
///         not served. Where Pyth has no word for the cause, the oracle's custom error is let through: for
///         FeedPaused, PriceSignerRevoked, FeedQuarantined, and for updates that are refused (InvalidUpdate with
///         index and reason).
///
///         Pyth's events are not emitted: anybody can bring prices to the oracle itself, and a listener here would
///         miss these. The oracle's PriceUpdated tells of all.
contract PythAdapter is IPyth {
    int32 private constant EXPONENT = -8;

    /// @notice The oracle that is read and updated.
    IHomePriceOracle public immutable ORACLE;

    /// @notice There is no contract at the oracle's address.
    error NoOracle(address oracle);
    /// @notice Updates are free; a value (wei) would be lost here.
    error ValueNotAccepted(uint256 value);
    /// @notice This function of IPyth gives what the service does not publish, or cannot be proven.
    error NotSupported(bytes4 selector);

    /// @param oracle The oracle that is read and updated.
    constructor(IHomePriceOracle oracle) {
        if (address(oracle).code.length == 0) revert NoOracle(address(oracle));
        ORACLE = oracle;
    }

    modifier refusesValue() {
        if (msg.value != 0) revert ValueNotAccepted(msg.value);
        _;
    }

    // -------------------------------------------------------------------------------------------------------- reads

    /// @notice The latest price, however old. Reverts with PriceFeedNotFound, FeedPaused or PriceSignerRevoked.
    /// @param id bytes32(uint256(feedId)).
    function getPriceUnsafe(bytes32 id) external view override returns (PythStructs.Price memory price) {
        return _priceNoOlderThan(id, type(uint256).max);
    }

    /// @notice The latest price, if it is at most `age` seconds old; ignores expiry. Reverts with StalePrice,
    ///         PriceFeedNotFound, FeedPaused, PriceSignerRevoked or FeedQuarantined.
    /// @param id bytes32(uint256(feedId)).
    function getPriceNoOlderThan(
        bytes32 id,
        uint256 age
    ) external view override returns (PythStructs.Price memory price) {
        return _priceNoOlderThan(id, age);
    }

    // ------------------------------------------------------------------------------------------------------ updates

    /// @notice Brings prices, as IHomePriceOracle.updatePrices does: those that are not newer are skipped, an invalid
    ///         one makes the call revert with its index and reason.
    /// @param updateData The oracle's updates, 138 or 171 bytes each.
    function updatePriceFeeds(bytes[] calldata updateData) external payable override refusesValue {
        ORACLE.updatePrices(updateData);
    }

    /// @notice The same if the oracle lacks a price of one of the ids, or has one published before the time that is
    ///         given for it. Reverts with NoFreshUpdate otherwise, and with InvalidArgument if the lengths differ.
    /// @param updateData The oracle's updates, 138 or 171 bytes each.
    /// @param priceIds bytes32(uint256(feedId)) each.
    /// @param publishTimes Unix seconds. Of two prices of one second, the later counts as not newer here.
    function updatePriceFeedsIfNecessary(
        bytes[] calldata updateData,
        bytes32[] calldata priceIds,
        uint64[] calldata publishTimes
    ) external payable override refusesValue {
        if (priceIds.length != publishTimes.length) revert PythErrors.InvalidArgument();
        for (uint256 i = 0; i < priceIds.length; ++i) {
            if (_isOlderThan(priceIds[i], publishTimes[i])) {
                ORACLE.updatePrices(updateData);
                return;
            }
        }
        revert PythErrors.NoFreshUpdate();
    }

    /// @notice 0: updates are free.
    function getUpdateFee(bytes[] calldata) external pure override returns (uint256 feeAmount) {
        return 0;
    }

    // ------------------------------------------------------------------------------------------------------ parsing

    /// @notice Reads prices from updates without storing them, as IHomePriceOracle.parsePrices does: windows, expiry,
    ///         bands and pauses are not looked at. Proves that the service's key signed each, not that it is *the*
    ///         price of its date nor when it was signed: never settle on it alone, but on
    ///         IHomePriceOracle.settlementPrice.
    /// @param updateData The oracle's updates, 138 or 171 bytes each.
    /// @param priceIds bytes32(uint256(feedId)) each; others among the updates are left out.
    /// @param minPublishTime Unix seconds, inclusive, as is `maxPublishTime`.
    /// @return priceFeeds In the order of the ids, for each the first among the updates whose publish time, rounded
    ///         down to seconds, is within the range. Reverts with PriceFeedNotFoundWithinRange if there is none for
    ///         one id.
    function parsePriceFeedUpdates(
        bytes[] calldata updateData,
        bytes32[] calldata priceIds,
        uint64 minPublishTime,
        uint64 maxPublishTime
    ) external payable override refusesValue returns (PythStructs.PriceFeed[] memory priceFeeds) {
        return _parse(updateData, priceIds, minPublishTime, maxPublishTime);
    }

    /// @notice The same, and brings the prices on request.
    /// @param checkUniqueness Not supported: see parsePriceFeedUpdatesUnique.
    /// @param checkUpdateDataIsMinimal Whether to revert with InvalidArgument unless there are as many updates as ids.
    /// @param storeUpdatesIfFresh Whether to bring those that are fresh, as IHomePriceOracle.tryUpdatePrices does;
    ///        each signature is then verified twice.
    /// @return priceFeeds As parsePriceFeedUpdates gives them.
    /// @return slots 0 each: not given.
    function parsePriceFeedUpdatesWithConfig(
        bytes[] calldata updateData,
        bytes32[] calldata priceIds,
        uint64 minAllowedPublishTime,
        uint64 maxAllowedPublishTime,
        bool checkUniqueness,
        bool checkUpdateDataIsMinimal,
        bool storeUpdatesIfFresh
    )
        external
        payable
        override
        refusesValue
        returns (PythStructs.PriceFeed[] memory priceFeeds, uint64[] memory slots)
    {
        if (checkUniqueness) revert NotSupported(IPyth.parsePriceFeedUpdatesUnique.selector);
        if (checkUpdateDataIsMinimal && updateData.length != priceIds.length) revert PythErrors.InvalidArgument();
        priceFeeds = _parse(updateData, priceIds, minAllowedPublishTime, maxAllowedPublishTime);
        slots = new uint64[](priceIds.length);
        if (storeUpdatesIfFresh) ORACLE.tryUpdatePrices(updateData);
    }

    // ------------------------------------------------------------------------------------------------ not supported

    /// @notice Not supported: a message does not say what was published before it, so that nothing proves which price
    ///         was the first of a range. Reverts with NotSupported.
    function parsePriceFeedUpdatesUnique(
        bytes[] calldata,
        bytes32[] calldata,
        uint64,
        uint64
    ) external payable override returns (PythStructs.PriceFeed[] memory) {
        revert NotSupported(msg.sig);
    }

    /// @notice Not supported: the service publishes no moving average. Reverts with NotSupported.
    function getEmaPriceUnsafe(bytes32) external pure override returns (PythStructs.Price memory) {
        revert NotSupported(msg.sig);
    }

    /// @notice Not supported: the service publishes no moving average. Reverts with NotSupported.
    function getEmaPriceNoOlderThan(bytes32, uint256) external pure override returns (PythStructs.Price memory) {
        revert NotSupported(msg.sig);
    }

    /// @notice Not supported: the service publishes no cumulative prices. Reverts with NotSupported.
    function getTwapUpdateFee(bytes[] calldata) external pure override returns (uint256) {
        revert NotSupported(msg.sig);
    }

    /// @notice Not supported: the service publishes no cumulative prices. Reverts with NotSupported.
    function parseTwapPriceFeedUpdates(
        bytes[] calldata,
        bytes32[] calldata
    ) external payable override returns (PythStructs.TwapPriceFeed[] memory) {
        revert NotSupported(msg.sig);
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev Gives Pyth's word for what Pyth has a word for. A call that runs out of gas reverts without data, and so
    ///      does this then: it is not taken for one of the reasons.
    function _priceNoOlderThan(bytes32 id, uint256 age) private view returns (PythStructs.Price memory) {
        if (!_isFeedIdInRange(id)) revert PythErrors.PriceFeedNotFound();
        try ORACLE.priceNoOlderThan(_feedIdOf(id), age) returns (Price memory price) {
            return _toPyth(price, price.publishTime < block.timestamp ? price.publishTime : block.timestamp);
        } catch (bytes memory reason) {
            bytes4 selector = bytes4(reason);
            if (selector == IHomePriceOracle.UnknownFeed.selector || selector == IHomePriceOracle.NoPrice.selector) {
                revert PythErrors.PriceFeedNotFound();
            }
            if (selector == IHomePriceOracle.PriceTooOld.selector) revert PythErrors.StalePrice();
            LowLevelCall.bubbleRevert(reason);
        }
    }

    function _isOlderThan(bytes32 id, uint256 publishTime) private view returns (bool) {
        if (!_isFeedIdInRange(id)) return true;
        Price memory stored = ORACLE.priceUnsafe(_feedIdOf(id));
        return stored.price == 0 || stored.publishTime < publishTime;
    }

    function _parse(
        bytes[] calldata updateData,
        bytes32[] calldata priceIds,
        uint64 minPublishTime,
        uint64 maxPublishTime
    ) private view returns (PythStructs.PriceFeed[] memory priceFeeds) {
        ParsedPrice[] memory parsed = ORACLE.parsePrices(updateData);
        priceFeeds = new PythStructs.PriceFeed[](priceIds.length);
        for (uint256 i = 0; i < priceIds.length; ++i) {
            Price memory found = _firstWithin(parsed, priceIds[i], minPublishTime, maxPublishTime);
            priceFeeds[i].id = priceIds[i];
            priceFeeds[i].price = _toPyth(found, found.publishTime);
        }
    }

    function _firstWithin(
        ParsedPrice[] memory parsed,
        bytes32 id,
        uint64 minPublishTime,
        uint64 maxPublishTime
    ) private pure returns (Price memory price) {
        for (uint256 i = 0; i < parsed.length; ++i) {
            price = parsed[i].price;
            if (uint256(id) != parsed[i].feedId) continue;
            if (minPublishTime <= price.publishTime && price.publishTime <= maxPublishTime) return price;
        }
        revert PythErrors.PriceFeedNotFoundWithinRange();
    }

    /// @dev A price is below 2^60.
    function _toPyth(Price memory price, uint256 publishTime) private pure returns (PythStructs.Price memory) {
        return PythStructs.Price({price: int64(price.price), conf: 0, expo: EXPONENT, publishTime: publishTime});
    }

    function _isFeedIdInRange(bytes32 id) private pure returns (bool) {
        return uint256(id) <= type(uint64).max;
    }

    function _feedIdOf(bytes32 id) private pure returns (uint64) {
        return uint64(uint256(id));
    }
}
