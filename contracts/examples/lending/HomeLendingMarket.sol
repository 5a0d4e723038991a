// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {HomePriceConsumer} from "../../consumer/HomePriceConsumer.sol";
import {IHomePriceOracle} from "../../interfaces/IHomePriceOracle.sol";
import {Price} from "../../interfaces/Price.sol";
import {ExactTransfer} from "../ExactTransfer.sol";
import {LoanLimits, LoanLimitsLibrary} from "./LoanLimits.sol";

/// @notice What a market decides once.
/// @param marketId The market whose sales price a unit of area has, in USD.
/// @param collateralToken A whole token stands for one unit of the price's area (a square foot) in that market.
/// @param debtToken A USD stable token, taken at par.
/// @param lender Its money is lent, and what is left of it is given back to it.
/// @param limits How much may be lent.
/// @param editionLag Seconds from 00:00 UTC of a date until everybody can have its price; at most 48 hours. With prices
/// that come out at 7:30 AM Eastern and a margin, 14 hours.
/// @param maxAge Seconds for which a price is good enough to liquidate by; 1 second to 31 days.
struct MarketTerms {
    uint64 marketId;
    IERC20Metadata collateralToken;
    IERC20Metadata debtToken;
    address lender;
    LoanLimits limits;
    uint256 editionLag;
    uint256 maxAge;
}

/// @title Loans against home area, indexed to the price of homes
/// @notice An example: one collateral, one lender, no interest. A borrower deposits tokens that stand for home area,
///         and borrows USD tokens up to a part of what the area is worth. Who repays for a borrower who is over the
///         higher, second limit gets the collateral at a discount. The lender funds the market by a plain transfer of
///         debt tokens. What a borrower owes and no collateral covers any more is the lender's loss.
///
///         **When the oracle has no price.** Depositing, repaying, and withdrawing without a debt need none. Borrowing,
///         and withdrawing with a debt, need an unexpired price of the newest day that everybody can have (`minDay`),
///         and stop when there is none. Liquidating needs one that is at most MAX_AGE old, so that one missed day
///         leaves no loan to itself. All that needs a price stops while the feed is paused or its signer is revoked. A
///         liquidator goes by the newest price that anybody has brought: a borrower whom a newer one saves sees to it
///         that it is brought.
///
///         **Two prices at once.** HomePriceConsumer tells the danger. Here,
///         1. value is given out only at a price of `minDay` or later: when today's price is out for everybody,
///            yesterday's is none any more, even unexpired. And never while the oracle knows a lower one that waits in
///            quarantine.
///         2. who has taken value out of a position at one price is not liquidated at another in the same block. So
///            nobody draws a loan at the older price, brings the newer one, and gets the collateral back for less than
///            the loan, all with borrowed money and from as many accounts as they like. The liquidation is put off, not
///            refused: the price that it has brought stays, and in the next block nobody can act at the older one, so
///            that the borrower cannot put it off again.
///         3. the second limit is above the first, and with the discount at most the whole value: a price has to fall
///            by more than the gap before a loan that was drawn at the older one can be liquidated, and by more than
///            1 − first limit · (1 + bonus) before the lender loses. How far a price can move from one day to the next
///            decides what the limits may be.
///         Updates are always brought, so that a price that anybody shows counts. Whoever brings it first makes no call
///         revert.
///
///         Amounts round against who calls: values and seized collateral down, what has to be paid up.
/// @dev Effects come before transfers throughout, so that a token that calls back finds everything written.
contract HomeLendingMarket is HomePriceConsumer {
    using SafeERC20 for IERC20;
    using ExactTransfer for IERC20;
    using LoanLimitsLibrary for LoanLimits;

    /// @param collateral Base units of the collateral token.
    /// @param debt Base units of the debt token.
    /// @param takenInBlock The last block in which value was taken out at a price.
    /// @param takenAtPrice That price, 8 decimals.
    struct Position {
        uint256 collateral;
        uint256 debt;
        uint64 takenInBlock;
        uint64 takenAtPrice;
    }

    uint256 private constant LONGEST_EDITION_LAG = 48 hours;
    uint256 private constant LONGEST_MAX_AGE = 31 days;
    uint256 private constant MOST_DECIMALS = 36;
    uint256 private constant PRICE_UNIT = 1e8;

    IERC20 public immutable COLLATERAL_TOKEN;
    IERC20 public immutable DEBT_TOKEN;
    address public immutable LENDER;
    uint64 public immutable FEED_ID;
    /// @notice Seconds from 00:00 UTC of a date until its price is required.
    uint256 public immutable EDITION_LAG;
    /// @notice Seconds for which a price is good enough to liquidate by.
    uint256 public immutable MAX_AGE;
    /// @dev Base units of a whole token.
    uint256 private immutable _COLLATERAL_UNIT;
    uint256 private immutable _DEBT_UNIT;

    LoanLimits private _limits;
    mapping(address borrower => Position position) private _positions;

    event Deposited(address indexed borrower, uint256 amount);
    event Withdrawn(address indexed borrower, uint256 amount);
    event Borrowed(address indexed borrower, uint256 amount);
    event Repaid(address indexed borrower, address indexed payer, uint256 amount);
    event Liquidated(address indexed borrower, address indexed liquidator, uint256 repaid, uint256 seized);
    /// @notice The borrower has taken value out at `takenAtPrice` in this very block; try again in the next one.
    event LiquidationPutOff(address indexed borrower, uint64 takenAtPrice, uint64 price);
    event FundsReturned(uint256 amount);

    /// @notice The collateral and the debt are the same token, so that neither could be told from the other.
    error SameToken(address token);
    /// @notice A token has more than 36 decimals.
    error TooManyDecimals(address token, uint8 decimals);
    /// @notice There is no lender.
    error NoLender();
    /// @notice The lag is above 48 hours (seconds).
    error InvalidEditionLag(uint256 editionLag);
    /// @notice The bound is 0 or above 31 days (seconds).
    error InvalidMaxAge(uint256 maxAge);
    /// @notice Only the lender may do this.
    error NotLender(address caller);
    /// @notice The borrower has not deposited so much.
    error NotEnoughCollateral(uint256 collateral, uint256 amount);
    /// @notice The debt would be above what may be lent on the collateral.
    error BorrowLimitExceeded(uint256 debt, uint256 limit);
    /// @notice The oracle knows a lower price, which it does not serve yet.
    error LowerPriceWaits(uint64 price, uint64 waitingPrice);
    /// @notice The debt is not above the limit from which on it can be liquidated.
    error NotLiquidatable(uint256 debt, uint256 limit);

    constructor(IHomePriceOracle oracle, MarketTerms memory terms) HomePriceConsumer(oracle) {
        if (address(terms.collateralToken) == address(terms.debtToken)) revert SameToken(address(terms.debtToken));
        if (terms.lender == address(0)) revert NoLender();
        if (terms.editionLag > LONGEST_EDITION_LAG) revert InvalidEditionLag(terms.editionLag);
        if (terms.maxAge == 0 || terms.maxAge > LONGEST_MAX_AGE) revert InvalidMaxAge(terms.maxAge);
        terms.limits.requireSound();
        FEED_ID = _salesFeed(terms.marketId);
        COLLATERAL_TOKEN = terms.collateralToken;
        DEBT_TOKEN = terms.debtToken;
        LENDER = terms.lender;
        EDITION_LAG = terms.editionLag;
        MAX_AGE = terms.maxAge;
        _COLLATERAL_UNIT = _wholeToken(terms.collateralToken);
        _DEBT_UNIT = _wholeToken(terms.debtToken);
        _limits = terms.limits;
    }

    // ------------------------------------------------------------------------------------------ needs no price

    /// @notice Deposits collateral, from an allowance.
    function deposit(uint256 amount) external {
        _positions[msg.sender].collateral += amount;
        emit Deposited(msg.sender, amount);
        COLLATERAL_TOKEN.take(msg.sender, amount);
    }

    /// @notice Pays back, from an allowance, what somebody owes.
    /// @param amount At most the debt is taken.
    /// @return repaid Base units of the debt token.
    function repay(address borrower, uint256 amount) external returns (uint256 repaid) {
        Position storage position = _positions[borrower];
        repaid = Math.min(amount, position.debt);
        position.debt -= repaid;
        emit Repaid(borrower, msg.sender, repaid);
        DEBT_TOKEN.take(msg.sender, repaid);
    }

    /// @notice Gives the lender money back that is not lent.
    function returnFunds(uint256 amount) external {
        if (msg.sender != LENDER) revert NotLender(msg.sender);
        emit FundsReturned(amount);
        DEBT_TOKEN.safeTransfer(LENDER, amount);
    }

    // --------------------------------------------------------------------------------------------- needs a price

    /// @notice Takes collateral back. Looks at neither the oracle nor `updates` when nothing is owed.
    /// @param updates Signed prices; may be empty when the oracle has what is needed.
    function withdraw(bytes[] calldata updates, uint256 amount) external {
        Position storage position = _positions[msg.sender];
        uint256 collateral = position.collateral;
        if (amount > collateral) revert NotEnoughCollateral(collateral, amount);
        unchecked {
            position.collateral = collateral - amount;
        }
        if (position.debt != 0) _takeOutOf(position, updates);
        emit Withdrawn(msg.sender, amount);
        COLLATERAL_TOKEN.safeTransfer(msg.sender, amount);
    }

    /// @notice Borrows against the collateral.
    /// @param updates Signed prices; may be empty when the oracle has what is needed.
    function borrow(bytes[] calldata updates, uint256 amount) external {
        Position storage position = _positions[msg.sender];
        position.debt += amount;
        _takeOutOf(position, updates);
        emit Borrowed(msg.sender, amount);
        DEBT_TOKEN.safeTransfer(msg.sender, amount);
    }

    /// @notice Pays back, from an allowance, what a borrower owes who is over the limit, for collateral at a discount.
    ///         Does nothing but bring the price when that borrower has taken value out in this block at another one.
    /// @param updates Signed prices; may be empty when the oracle has what is needed.
    /// @param amount At most the debt is taken, and at most what the collateral covers.
    /// @return repaid Base units of the debt token; 0 when it is put off.
    /// @return seized Base units of the collateral token; 0 when it is put off.
    function liquidate(
        bytes[] calldata updates,
        address borrower,
        uint256 amount
    ) external returns (uint256 repaid, uint256 seized) {
        _bring(updates);
        uint64 price = _servedPriceNoOlderThan(FEED_ID, 0, MAX_AGE).price;
        Position storage position = _positions[borrower];
        (uint256 collateral, uint256 debt) = (position.collateral, position.debt);
        uint256 limit = _limits.liquidationLimit(_valueOf(collateral, price));
        if (debt <= limit) revert NotLiquidatable(debt, limit);
        if (_hasTakenAtAnotherPrice(position, price)) {
            emit LiquidationPutOff(borrower, position.takenAtPrice, price);
            return (0, 0);
        }
        (uint256 tokens, uint256 usd) = _perPrice(price);
        repaid = Math.min(amount, debt);
        seized = _limits.collateralFor(repaid, tokens, usd);
        if (seized > collateral) {
            seized = collateral;
            repaid = _limits.paymentFor(collateral, tokens, usd);
        }
        (position.collateral, position.debt) = (collateral - seized, debt - repaid);
        emit Liquidated(borrower, msg.sender, repaid, seized);
        DEBT_TOKEN.take(msg.sender, repaid);
        COLLATERAL_TOKEN.safeTransfer(msg.sender, seized);
    }

    // -------------------------------------------------------------------------------------------------------- views

    /// @notice What a borrower has deposited and owes.
    function positionOf(address borrower) external view returns (Position memory) {
        return _positions[borrower];
    }

    /// @notice How much may be lent.
    function limits() external view returns (LoanLimits memory) {
        return _limits;
    }

    /// @notice The day whose price everybody can have by now: value is given out at one of this day or later.
    function minDay() public view returns (uint32) {
        return uint32((block.timestamp - EDITION_LAG) / 1 days);
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev Whether a price differs from the one at which value was taken out of a position in this block.
    function _hasTakenAtAnotherPrice(Position storage position, uint64 price) internal view virtual returns (bool) {
        return position.takenInBlock == block.number && position.takenAtPrice != price;
    }

    /// @dev Lets value be taken out of a position, as it is written by now.
    function _takeOutOf(Position storage position, bytes[] calldata updates) private {
        _bring(updates);
        Price memory served = _servedPrice(FEED_ID, minDay());
        uint64 waitingPrice = ORACLE.pendingPrice(FEED_ID).price.price;
        if (waitingPrice != 0 && waitingPrice < served.price) revert LowerPriceWaits(served.price, waitingPrice);
        uint256 limit = _limits.borrowLimit(_valueOf(position.collateral, served.price));
        if (position.debt > limit) revert BorrowLimitExceeded(position.debt, limit);
        (position.takenInBlock, position.takenAtPrice) = (uint64(block.number), served.price);
    }

    /// @return What collateral is worth, in base units of the debt token, rounded down.
    function _valueOf(uint256 collateral, uint64 price) private view returns (uint256) {
        (uint256 tokens, uint256 usd) = _perPrice(price);
        return Math.mulDiv(collateral, usd, tokens);
    }

    /// @return tokens So many base units of the collateral token are worth
    /// @return usd so many base units of the debt token, exactly.
    function _perPrice(uint64 price) private view returns (uint256 tokens, uint256 usd) {
        return (PRICE_UNIT * _COLLATERAL_UNIT, price * _DEBT_UNIT);
    }

    function _wholeToken(IERC20Metadata token) private view returns (uint256) {
        uint8 decimals = token.decimals();
        if (decimals > MOST_DECIMALS) revert TooManyDecimals(address(token), decimals);
        return 10 ** uint256(decimals);
    }
}
