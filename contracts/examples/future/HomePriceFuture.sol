// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {IPriceHistory} from "../../interfaces/IPriceHistory.sol";
import {DailyPrice, Freshness} from "../../interfaces/Price.sol";
import {ExactTransfer} from "../ExactTransfer.sol";
import {LinearPayoff} from "./LinearPayoff.sol";

/// @notice What two parties agree on.
/// @param feedId Whose price it is about.
/// @param day The date whose price settles, days since 1970-01-01.
/// @param fallbackDays How many dates after it may take its place, one after the other; at most 30.
/// @param fundUntil Until when margins are paid in, Unix seconds; at most 00:00 UTC of the day, from when on its price
/// can be known.
/// @param agreedPrice 8 decimals.
/// @param amountPerUsd Base units of the margin token for each whole USD by which the price differs.
/// @param marginToken What margins are paid in, and payouts are paid out in.
/// @param long Gains when the price rises.
/// @param short Gains when it falls.
/// @param longMargin Most that `long` can lose.
/// @param shortMargin Most that `short` can lose.
struct FutureTerms {
    uint64 feedId;
    uint32 day;
    uint32 fallbackDays;
    uint64 fundUntil;
    uint64 agreedPrice;
    uint128 amountPerUsd;
    IERC20 marginToken;
    address long;
    address short;
    uint128 longMargin;
    uint128 shortMargin;
}

/// @title A future on a home price between two parties, settled in cash
/// @notice An example. Both pay in their margin before the day begins. Once the price of the day is final, 72 hours
///         after its 00:00 UTC, anybody may settle, and each party takes its payout.
///
///         - **The price is revised**: within those 72 hours the last one taken counts; afterwards none is taken any
///           more.
///         - **The day has no price**: the first date after it that has one settles, among `fallbackDays`. A date is
///           passed over only when it is final, so that nothing can fill it later. When the last of them is final and
///           has no price either, both get their margins back. Neither party can bring this about: anybody may bring a
///           signed price.
///         - **The price's signer is revoked**, for this date: the date has no price, as above. A revocation after the
///           settlement changes nothing; a settlement is for good, and so is the price that it went by.
///         - **The oracle is paused**: history is not; settlement goes on.
///         - **One party does not pay in**: after `fundUntil` the other gets its margin back.
contract HomePriceFuture {
    using SafeERC20 for IERC20;
    using ExactTransfer for IERC20;

    enum Stage {
        Funding,
        Running,
        Settled,
        Refunded
    }

    uint256 private constant MOST_FALLBACK_DAYS = 30;

    /// @notice The oracle whose history settles.
    IHomePriceOracle public immutable ORACLE;

    FutureTerms private _terms;
    /// @notice Where it stands. It stays Running until somebody settles, and Funding until somebody asks for a refund.
    Stage public stage;
    /// @notice Whether a party has paid in its margin.
    mapping(address party => bool hasFunded) public hasFunded;
    /// @notice What a party can take now.
    mapping(address party => uint256 amount) public payoutOf;

    event Funded(address indexed party, uint256 margin);
    /// @param day The date that settled.
    /// @param price 8 decimals.
    /// @param isRevised Whether the oracle took another price for that date before.
    event Settled(uint32 indexed day, uint64 price, bool isRevised, uint256 longPayout, uint256 shortPayout);
    /// @notice Margins go back: one was not paid in, or no date had a price.
    event Refunded(uint256 longPayout, uint256 shortPayout);
    event PaidOut(address indexed party, uint256 amount);

    /// @notice The id is no feed's.
    error UnknownFeed(uint64 feedId);
    /// @notice The parties are the same, or one is nobody.
    error InvalidParties(address long, address short);
    /// @notice Agreed price, amount or a margin is 0.
    error ZeroTerm(uint64 agreedPrice, uint128 amountPerUsd, uint128 longMargin, uint128 shortMargin);
    /// @notice Margins could be paid in when the price can be known already, or not at all.
    error InvalidFundingTime(uint64 fundUntil, uint256 dayStart);
    /// @notice More than 30 dates after the day are to take its place.
    error TooManyFallbackDays(uint32 fallbackDays);
    /// @notice Only a party may do this.
    error NotParty(address caller);
    /// @notice The margin has been paid in already.
    error AlreadyFunded(address party);
    /// @notice The time for margins is over, or (when `early`) is not over yet.
    error FundingTime(uint64 fundUntil, bool early);
    /// @notice This cannot be done at this stage.
    error WrongStage(Stage stage);
    /// @notice There is no payout, or it has been taken.
    error NothingToTake(address party);

    constructor(IHomePriceOracle oracle, FutureTerms memory terms) {
        if (oracle.freshness(terms.feedId) == Freshness.UnknownFeed) revert UnknownFeed(terms.feedId);
        if (terms.long == terms.short || terms.long == address(0) || terms.short == address(0)) {
            revert InvalidParties(terms.long, terms.short);
        }
        if (terms.agreedPrice == 0 || terms.amountPerUsd == 0 || terms.longMargin == 0 || terms.shortMargin == 0) {
            revert ZeroTerm(terms.agreedPrice, terms.amountPerUsd, terms.longMargin, terms.shortMargin);
        }
        uint256 dayStart = uint256(terms.day) * 1 days;
        if (terms.fundUntil > dayStart || terms.fundUntil <= block.timestamp) {
            revert InvalidFundingTime(terms.fundUntil, dayStart);
        }
        if (terms.fallbackDays > MOST_FALLBACK_DAYS) revert TooManyFallbackDays(terms.fallbackDays);
        ORACLE = oracle;
        _terms = terms;
    }

    /// @notice Pays in the caller's margin, from an allowance.
    function fund() external {
        if (stage != Stage.Funding) revert WrongStage(stage);
        uint64 fundUntil = _terms.fundUntil;
        if (block.timestamp >= fundUntil) revert FundingTime(fundUntil, false);
        (address long, address short) = (_terms.long, _terms.short);
        if (msg.sender != long && msg.sender != short) revert NotParty(msg.sender);
        if (hasFunded[msg.sender]) revert AlreadyFunded(msg.sender);
        hasFunded[msg.sender] = true;
        if (hasFunded[long] && hasFunded[short]) stage = Stage.Running;
        uint256 margin = msg.sender == long ? _terms.longMargin : _terms.shortMargin;
        emit Funded(msg.sender, margin);
        _terms.marginToken.take(msg.sender, margin);
    }

    /// @notice Settles by the price of the day, or of the date that takes its place. Anybody may do it.
    ///         Reverts with the oracle's DayNotFinal while a price can still change.
    function settle() external {
        if (stage != Stage.Running) revert WrongStage(stage);
        FutureTerms memory terms = _terms;
        DailyPrice memory price = _settlementPrice(terms);
        uint256 longPayout = terms.longMargin;
        uint256 shortPayout = terms.shortMargin;
        if (price.price == 0) {
            stage = Stage.Refunded;
            emit Refunded(longPayout, shortPayout);
        } else {
            stage = Stage.Settled;
            (longPayout, shortPayout) = LinearPayoff.split(
                terms.agreedPrice,
                price.price,
                terms.amountPerUsd,
                terms.longMargin,
                terms.shortMargin
            );
            emit Settled(price.day, price.price, price.isRevised, longPayout, shortPayout);
        }
        payoutOf[terms.long] = longPayout;
        payoutOf[terms.short] = shortPayout;
    }

    /// @notice Calls everything off when a margin was not paid in in time. Anybody may do it.
    function cancel() external {
        if (stage != Stage.Funding) revert WrongStage(stage);
        FutureTerms memory terms = _terms;
        if (block.timestamp < terms.fundUntil) revert FundingTime(terms.fundUntil, true);
        stage = Stage.Refunded;
        uint256 longPayout = hasFunded[terms.long] ? terms.longMargin : 0;
        uint256 shortPayout = hasFunded[terms.short] ? terms.shortMargin : 0;
        payoutOf[terms.long] = longPayout;
        payoutOf[terms.short] = shortPayout;
        emit Refunded(longPayout, shortPayout);
    }

    /// @notice Takes the caller's payout. Each party takes its own, so that neither can be in the other's way.
    function takePayout() external {
        uint256 payout = payoutOf[msg.sender];
        if (payout == 0) revert NothingToTake(msg.sender);
        payoutOf[msg.sender] = 0;
        emit PaidOut(msg.sender, payout);
        _terms.marginToken.safeTransfer(msg.sender, payout);
    }

    /// @notice What the parties have agreed on.
    function agreement() external view returns (FutureTerms memory) {
        return _terms;
    }

    /// @return price The price that settles; price 0 when no date has one and none can get one.
    function _settlementPrice(FutureTerms memory agreed) private view returns (DailyPrice memory price) {
        uint256 settlementDelay = ORACLE.SETTLEMENT_DELAY();
        for (uint256 i = 0; i <= agreed.fallbackDays; ++i) {
            uint256 day = uint256(agreed.day) + i;
            uint256 finalFrom = day * 1 days + settlementDelay;
            // From here on no price can be added, only voided: what settlementPrice refuses now, it refuses for good.
            if (block.timestamp < finalFrom) {
                revert IPriceHistory.DayNotFinal(agreed.feedId, uint32(day), uint64(finalFrom));
            }
            if (ORACLE.priceOnUnsafe(agreed.feedId, uint32(day)).price != 0) {
                return ORACLE.settlementPrice(agreed.feedId, uint32(day));
            }
        }
    }
}
