// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {IGuardRails} from "./IGuardRails.sol";
import {IPriceHistory} from "./IPriceHistory.sol";
import {SignerStatus} from "./ISignerRegistry.sol";
import {Freshness, ParsedPrice, Price} from "./Price.sol";

/// @title Pull oracle for US home prices
/// @notice Anyone brings prices that the housing data service has signed; the oracle verifies them and keeps the newest
///         of each feed. A feed is one market's sales or rental series: feed id = market id for sales, market id +
///         rental offset for rental, so that one can never pass for the other.
///
///         An update is 138 bytes (74-byte message, 64-byte signature) or 171 bytes (the same, one byte signer number,
///         x of the signature's R as 32 bytes big-endian: an untrusted hint that spares an inversion).
///
///         Times are Unix seconds where they are returned, and milliseconds where their name ends in Ms. Windows are
///         inclusive and compared with block.timestamp · 1000. A price is served while now < expiry.
interface IHomePriceOracle is IPriceHistory, IGuardRails {
    // ------------------------------------------------------------------------------------------------------ updates

    /// @notice A feed's latest price has been replaced: by a newer day's, by a refresh of the same day, or by a revision.
    /// @param price 8 decimals.
    event PriceUpdated(
        uint64 indexed feedId,
        uint32 indexed day,
        uint64 price,
        uint64 publishTimeMs,
        uint64 expiryMs,
        uint8 signer
    );
    /// @notice The service has published another price for a date that already had one. Follows the PriceUpdated or
    ///         PastPriceRecorded of it.
    event PriceRevised(uint64 indexed feedId, uint32 indexed day, uint64 previousPrice, uint64 price);
    /// @notice tryUpdatePrices has passed over an invalid update.
    /// @param index Its position in the call.
    /// @param reason ABI-encoded custom error: one of the reasons below.
    event UpdateRefused(uint256 indexed index, bytes reason);

    /// @notice updatePrices or parsePrices has met an invalid update.
    /// @param index Its position in the call.
    /// @param reason ABI-encoded custom error: one of the reasons below.
    error InvalidUpdate(uint256 index, bytes reason);
    /// @notice A signer's verifier failed instead of answering, for want of gas, say: nothing is known of the update.
    error VerifierFailed(uint8 signer, address verifier);

    // Why an update is invalid; arrives inside InvalidUpdate or UpdateRefused.

    /// @notice An update has neither 138 nor 171 bytes.
    error InvalidUpdateLength(uint256 length);
    /// @notice The id in the message is neither a market id nor market id + rental offset.
    error InvalidFeedId(uint256 feedId);
    /// @notice Bytes that never change in this signer's messages have other values. Signer 0: in no usable signer's.
    error UnexpectedConstantBytes(uint8 signer);
    /// @notice The price mantissa · 10^exponent is 0 at 8 decimals.
    error ZeroPrice(uint256 mantissa, int256 exponent);
    /// @notice The price mantissa · 10^exponent is 2^60 or more at 8 decimals.
    error PriceTooLarge(uint256 mantissa, int256 exponent);
    /// @notice The date is not structurally YYYY-MM-DD, or no day of the calendar.
    error InvalidDate(bytes10 date);
    /// @notice The price has expired before now.
    error ExpiryPassed(uint256 expiryMs, uint256 nowMs);
    /// @notice The price expires more than 25 hours from now.
    error ExpiryTooFarAhead(uint256 expiryMs, uint256 nowMs);
    /// @notice The price was published more than 48 hours ago.
    error PublishTimeTooOld(uint256 publishTimeMs, uint256 nowMs);
    /// @notice The price claims to be published more than 1 hour from now.
    error PublishTimeTooFarAhead(uint256 publishTimeMs, uint256 nowMs);
    /// @notice The price was published before its own date began (UTC).
    error PublishedBeforeDate(uint256 publishTimeMs, uint256 day);
    /// @notice The price expires before its own date begins (UTC).
    error ExpiryNotAfterDate(uint256 expiryMs, uint256 day);
    /// @notice The price expires too long after its own date began (UTC).
    error ExpiryTooFarFromDate(uint256 expiryMs, uint256 day);
    /// @notice No signer has this number.
    error UnknownSigner(uint8 signer);
    /// @notice No signer is usable now.
    error NoUsableSigner();
    /// @notice This signer is not usable now.
    error SignerNotUsable(uint8 signer, SignerStatus status);
    /// @notice The publish time is outside the span of this signer; `validUntilMs` is 0 when the span is open.
    error PublishTimeOutsideSigner(uint8 signer, uint256 publishTimeMs, uint256 validFromMs, uint256 validUntilMs);
    /// @notice The signature is not this signer's over this message. Signer 0: not any usable signer's.
    error InvalidSignature(uint8 signer);
    /// @notice The x in the update is not the x of the signature's R.
    error WrongHint(uint8 signer, uint256 xOfR);

    /// @notice Brings prices. Reverts as a whole, with index and reason, when one of them is invalid; one that is not
    ///         newer than what is stored is skipped, so that nobody who was faster can make the call revert.
    /// @param updates 138 or 171 bytes each.
    /// @return stored Which of them are the latest price now, or their date's, or wait in quarantine; not those passed over.
    function updatePrices(bytes[] calldata updates) external returns (bool[] memory stored);

    /// @notice The same, but passes over invalid updates with an UpdateRefused event, whatever their bytes are.
    /// @param updates Bytes of any length.
    /// @return stored Which of them are the latest price now, or their date's, or wait in quarantine; not those passed over.
    function tryUpdatePrices(bytes[] calldata updates) external returns (bool[] memory stored);

    /// @notice Reads prices from updates without storing them: every check that does not depend on now, signatures
    ///         included. Whether a signer is usable is looked at as it is now.
    /// @dev Proves only that a key signed something: not that it is *the* price of that date, nor when it was signed.
    ///      Never settle on it alone.
    /// @param updates 138 or 171 bytes each.
    function parsePrices(bytes[] calldata updates) external view returns (ParsedPrice[] memory prices);

    // ------------------------------------------------------------------------------------------------------- prices

    /// @notice The id is no market's: 0, or reaching into the range of rental feeds.
    error InvalidMarketId(uint64 marketId);
    /// @notice The id is no feed's.
    error UnknownFeed(uint64 feedId);
    /// @notice The oracle or this feed is paused.
    error FeedPaused(uint64 feedId);
    /// @notice The stored price was signed by a key that has leaked since.
    error PriceSignerRevoked(uint64 feedId, uint8 signer);
    /// @notice Nobody has brought a price of this feed yet.
    error NoPrice(uint64 feedId);
    /// @notice The stored price has expired; bring a new one with updatePrices.
    /// @param expiry Unix seconds.
    error PriceExpired(uint64 feedId, uint64 expiry);
    /// @notice The stored price is older than the caller allows.
    error PriceTooOld(uint64 feedId, uint256 ageSeconds, uint256 maxAgeSeconds);

    /// @notice The current sales price of a market. Reverts when there is none or it is not served.
    function salesPrice(uint64 marketId) external view returns (Price memory);

    /// @notice The current rental price of a market. Reverts when there is none or it is not served.
    function rentalPrice(uint64 marketId) external view returns (Price memory);

    /// @notice The current price of a feed. Reverts when there is none or it is not served.
    function latestPrice(uint64 feedId) external view returns (Price memory);

    /// @notice The current prices of several feeds, in the order of the ids. Reverts when one of them is not served.
    function latestPrices(uint64[] calldata feedIds) external view returns (Price[] memory);

    /// @notice The stored price of a feed if its age is at most the bound; ignores expiry, so that one missed day does
    ///         not stop a protocol that allows it. Age is max(0, now − publish time).
    function priceNoOlderThan(uint64 feedId, uint256 maxAgeSeconds) external view returns (Price memory);

    /// @notice Whatever is stored, expired or paused as it may be; all zero when nothing is, or its signer is revoked.
    ///         Never reverts.
    function priceUnsafe(uint64 feedId) external view returns (Price memory);

    /// @notice The same for several feeds, in the order of the ids. Never reverts.
    function pricesUnsafe(uint64[] calldata feedIds) external view returns (Price[] memory);

    /// @notice Whether a feed's price is served now, and if not, why. Never reverts.
    function freshness(uint64 feedId) external view returns (Freshness);

    /// @notice Decimals of every price: 8.
    function decimals() external view returns (uint8);

    /// @notice What a rental feed id is above its market id.
    function RENTAL_OFFSET() external view returns (uint64);
}
