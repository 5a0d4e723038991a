// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {IGuardRails} from "../../interfaces/IGuardRails.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {PendingPrice, Price} from "../../interfaces/Price.sol";
import {IERC7412} from "./IERC7412.sol";

/// @title Home prices that ask to be brought
/// @notice For protocols whose clients speak ERC-7412: a read that lacks a fresh price reverts with OracleDataRequired,
///         and the client brings the price in the same transaction. One adapter serves all feeds of an oracle. Bringing
///         a price is free: the fee is always 0, FeeRequired is never used, and a value sent is refused.
///
///         Formats of the oracle id "HOMEPRICE":
///         - `oracleQuery` = `abi.encode(uint64 feedId, uint256 maxAge, uint32 minDay)`: the price of this feed, of
///           this day or a later one (days since 1970-01-01; 0: of any), that was published at most `maxAge` seconds
///           ago. getPriceSince does not bound the age: there `maxAge` is 2^256 − 1, and the price has to be unexpired.
///         - `signedOffchainData` = `abi.encode(bytes[] updates)`, updates as `updatePrices` of the oracle takes them:
///           138 or 171 bytes each. The signer number in the longer form is that of the oracle at `ORACLE()`.
///
///         A query says what is wanted, not what is there: when the newest price that the service has signed does not
///         meet it, the same query comes again, and the client has to give up.
///
///         | the price is | getPrice | getPriceSince |
///         |---|---|---|
///         | older than `maxAge` | OracleDataRequired | served |
///         | expired | served within `maxAge` | OracleDataRequired |
///         | missing: none ever | OracleDataRequired | OracleDataRequired |
///         | missing: none of `minDay` or later | served within `maxAge` | OracleDataRequired |
///         | missing: no such feed | UnknownFeed | UnknownFeed |
///         | quarantined | serves the one before it while that meets the query, then FeedQuarantined | the same |
///         | paused (all or this feed) | FeedPaused | FeedPaused |
///         | of a revoked signer | PriceSignerRevoked, until a usable signer's comes | the same |
///         | revised | serves the newest | serves the newest |
///
///         All but OracleDataRequired are the errors of IHomePriceOracle: they are let through, because nothing that a
///         client could be asked for does away with them. Nor is a price asked for of a day that has not come:
///         DayNotReached.
contract ERC7412Adapter is IERC7412 {
    /// @dev How far the oracle lets a publish time, and so the date of a price, be ahead of the block.
    uint256 private constant FURTHEST_AHEAD = 1 hours;
    uint256 private constant ANY_AGE = type(uint256).max;
    uint32 private constant ANY_DAY = 0;

    /// @notice The oracle that is read and brought prices to.
    IHomePriceOracle public immutable ORACLE;

    /// @notice Bringing a price costs nothing; the value (wei) would be trapped.
    error ValueNotAccepted(uint256 value);
    /// @notice No price can be of this day yet.
    error DayNotReached(uint64 feedId, uint32 minDay);
    /// @notice There is no contract at the oracle's address.
    error NoOracle(address oracle);

    constructor(IHomePriceOracle oracle) {
        if (address(oracle).code.length == 0) revert NoOracle(address(oracle));
        ORACLE = oracle;
    }

    /// @inheritdoc IERC7412
    /// @dev "HOMEPRICE" in ASCII, followed by zeros.
    function oracleId() external pure override returns (bytes32) {
        return "HOMEPRICE";
    }

    /// @inheritdoc IERC7412
    /// @dev Prices that are not newer than the stored ones are skipped, so nobody who was faster can make this revert.
    ///      Reverts with the oracle's InvalidUpdate for an invalid one, and without data for bytes that are not
    ///      `abi.encode(bytes[])`.
    function fulfillOracleQuery(bytes calldata signedOffchainData) external payable override {
        if (msg.value != 0) revert ValueNotAccepted(msg.value);
        ORACLE.updatePrices(abi.decode(signedOffchainData, (bytes[])));
    }

    /// @notice A price by its age, expired or not: one missed day need not stop a protocol that allows it.
    /// @param feedId Market id for sales, market id + rental offset for rental.
    /// @param maxAge Staleness bound, seconds since it was published.
    function getPrice(uint64 feedId, uint256 maxAge) external view returns (Price memory) {
        try ORACLE.priceNoOlderThan(feedId, maxAge) returns (Price memory price) {
            return price;
        } catch (bytes memory reason) {
            _requireCurable(reason, IHomePriceOracle.PriceTooOld.selector);
            revert OracleDataRequired(address(this), abi.encode(feedId, maxAge, ANY_DAY), 0);
        }
    }

    /// @notice A price that has not expired and is not of an earlier day than the caller allows. Yesterday's price is
    ///         unexpired when today's appears: a protocol that must not be offered the choice asks for today's.
    /// @param feedId Market id for sales, market id + rental offset for rental.
    /// @param minDay Days since 1970-01-01; 0: any day.
    function getPriceSince(uint64 feedId, uint32 minDay) external view returns (Price memory) {
        try ORACLE.latestPrice(feedId) returns (Price memory price) {
            if (price.day >= minDay) return price;
        } catch (bytes memory reason) {
            _requireCurable(reason, IHomePriceOracle.PriceExpired.selector);
        }
        if (minDay > (block.timestamp + FURTHEST_AHEAD) / 1 days) revert DayNotReached(feedId, minDay);
        PendingPrice memory pending = ORACLE.pendingPrice(feedId);
        if (pending.price.price != 0 && pending.price.day >= minDay) {
            revert IGuardRails.FeedQuarantined(feedId, pending.servedFrom);
        }
        revert OracleDataRequired(address(this), abi.encode(feedId, ANY_AGE, minDay), 0);
    }

    /// @dev Reverts with the oracle's own error unless a newer price would do away with it.
    /// @param staleness The error that says that the stored price is not fresh.
    function _requireCurable(bytes memory reason, bytes4 staleness) private pure {
        bytes4 selector = bytes4(reason);
        if (selector != IHomePriceOracle.NoPrice.selector && selector != staleness) LowLevelCall.bubbleRevert(reason);
    }
}
