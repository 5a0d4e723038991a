// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict} from "./ed25519/Ed25519.sol";
import {IEd25519Verifier} from "./ed25519/IEd25519Verifier.sol";
import {FeedIds} from "./FeedIds.sol";
import {IHomePriceOracle} from "./interfaces/IHomePriceOracle.sol";
import {SignerStatus} from "./interfaces/ISignerRegistry.sol";
import {CalendarDate} from "./message/CalendarDate.sol";
import {PriceMessage} from "./message/PriceMessage.sol";
import {PackedLayout} from "./message/PackedLayout.sol";
import {MESSAGE_LENGTH} from "./message/PriceMessageLayout.sol";
import {OracleState} from "./signers/OracleState.sol";
import {SignerRegistry} from "./signers/SignerRegistry.sol";

/// @title From the bytes of an update to a price that a usable signer has signed
/// @dev Checks run in this order: length; ids; not newer than what is stored (skipped, the signature is not looked at);
///      constant bytes; price, date, windows, signer, signature. What is wrong is a value, an ABI-encoded custom error
///      that is empty when nothing is, because a batch may have to go on after an invalid update.
abstract contract UpdateChecks is IHomePriceOracle, SignerRegistry {
    /// @dev What came out of checking an update.
    enum Verdict {
        Refused,
        NotNewer,
        Accepted
    }

    /// @dev What an accepted update says. Price at 8 decimals, 1 … 2^60 − 1; times in Unix milliseconds.
    struct CheckedUpdate {
        uint256 feedId;
        uint256 price;
        uint256 publishTimeMs;
        uint256 expiryMs;
        uint256 day;
        uint256 signer;
    }

    /// @dev The signature part of an update.
    struct SignaturePart {
        bytes32 r;
        bytes32 s;
        bool hinted;
        uint256 xOfR;
    }

    /// @notice Expiry at most this long after now.
    uint256 public constant MAX_EXPIRY_AHEAD_MS = 25 hours * 1000;
    /// @notice Publish time at most this long before now.
    uint256 public constant MAX_PUBLISH_AGE_MS = 48 hours * 1000;
    /// @notice Publish time at most this long after now.
    uint256 public constant MAX_PUBLISH_AHEAD_MS = 1 hours * 1000;

    uint256 private constant SIGNATURE_LENGTH = 64;
    uint256 private constant PLAIN_LENGTH = MESSAGE_LENGTH + SIGNATURE_LENGTH;
    uint256 private constant HINTED_LENGTH = PLAIN_LENGTH + 1 + 32;
    uint256 private constant HIGHEST_RENTAL_OFFSET = 1 << 62;
    uint256 private constant HIGHEST_EXPIRY_AFTER_DATE = 72 hours;

    /// @notice The rental offset is 0, 1, or so large that feed ids would not fit 64 bits.
    error InvalidRentalOffset(uint256 rentalOffset);
    /// @notice The longest time from a date to its price's expiry is 0 or more than 72 hours (seconds).
    error InvalidExpiryAfterDate(uint256 maxExpiryAfterDate);

    /// @inheritdoc IHomePriceOracle
    uint64 public immutable override RENTAL_OFFSET;
    /// @notice Expiry at most this long after 00:00 UTC of the date.
    uint256 public immutable MAX_EXPIRY_AFTER_DATE_MS;

    /// @param maxExpiryAfterDate In seconds.
    constructor(uint256 rentalOffset, uint256 maxExpiryAfterDate) {
        if (rentalOffset < 2 || rentalOffset > HIGHEST_RENTAL_OFFSET) revert InvalidRentalOffset(rentalOffset);
        if (maxExpiryAfterDate == 0 || maxExpiryAfterDate > HIGHEST_EXPIRY_AFTER_DATE) {
            revert InvalidExpiryAfterDate(maxExpiryAfterDate);
        }
        RENTAL_OFFSET = uint64(rentalOffset);
        MAX_EXPIRY_AFTER_DATE_MS = maxExpiryAfterDate * 1000;
    }

    /// @dev Whether an update is not newer than what is stored, found out as cheaply as can be: most updates of a busy
    ///      oracle are brought by several people. False where it takes more to tell; _checkUpdate then finds out.
    function _isSkipped(bytes calldata update, OracleState state) internal view returns (bool) {
        uint256 signer;
        if (update.length == HINTED_LENGTH) {
            signer = uint8(update[PLAIN_LENGTH]);
        } else if (update.length == PLAIN_LENGTH && !state.hasSeveralFormats()) {
            signer = state.liveSigners() & 0xff;
        }
        // A signer that does not exist has an empty layout, which reads 0 for a feed id.
        PackedLayout messageLayout = _signers[signer].messageLayout;
        uint256 feedId = PriceMessage.feedId(update, messageLayout);
        if (!FeedIds.isFeedId(feedId, RENTAL_OFFSET)) return false;
        return _isNotNewer(feedId, PriceMessage.publishTimeMs(update, messageLayout), state);
    }

    /// @dev Checks one update.
    /// @param againstNow Whether to apply what depends on now and on the stored price; parsePrices does not.
    function _checkUpdate(
        bytes calldata update,
        bool againstNow
    ) internal view returns (Verdict verdict, bytes memory reason, CheckedUpdate memory checked) {
        if (update.length == HINTED_LENGTH) return _checkHinted(update, againstNow);
        if (update.length == PLAIN_LENGTH) return _checkPlain(update, againstNow);
        reason = abi.encodeWithSelector(InvalidUpdateLength.selector, update.length);
    }

    /// @dev Whether a feed has a latest price at least as new; one of a revoked signer counts as absent.
    function _isNotNewer(uint256 feedId, uint256 publishTimeMs, OracleState state) internal view virtual returns (bool);

    function _largestFeedId() internal view override returns (uint256) {
        return 2 * uint256(RENTAL_OFFSET) - 1;
    }

    /// @dev 171 bytes: the signer is named, so its layout is known.
    function _checkHinted(
        bytes calldata update,
        bool againstNow
    ) private view returns (Verdict verdict, bytes memory reason, CheckedUpdate memory checked) {
        uint8 signer = uint8(update[PLAIN_LENGTH]);
        if (signer == 0 || signer > _state.signerCount()) {
            return (Verdict.Refused, abi.encodeWithSelector(UnknownSigner.selector, signer), checked);
        }
        SignaturePart memory signature = _signaturePart(update);
        signature.hinted = true;
        signature.xOfR = uint256(bytes32(update[PLAIN_LENGTH + 1:HINTED_LENGTH]));
        return _checkFor(signer, update[:MESSAGE_LENGTH], signature, againstNow);
    }

    /// @dev 138 bytes: the usable signers are tried, newest first, each with its own layout. Where they have several
    ///      formats, the constant bytes tell which it is, so that no message is read by another's layout.
    function _checkPlain(
        bytes calldata update,
        bool againstNow
    ) private view returns (Verdict verdict, bytes memory reason, CheckedUpdate memory checked) {
        bytes calldata message = update[:MESSAGE_LENGTH];
        SignaturePart memory signature = _signaturePart(update);
        OracleState state = _state;
        uint256 usable;
        uint256 recognised;
        bool isSomeSignatureInvalid;
        bool isNotNewer;
        for (uint256 live = state.liveSigners(); live != 0; live >>= 8) {
            uint256 signer = live & 0xff;
            if (_signerStatus(signer) != SignerStatus.Usable) continue;
            ++usable;
            if (state.hasSeveralFormats() && !_hasConstantsOf(signer, message)) continue;
            ++recognised;
            bytes memory refusal;
            (verdict, refusal, checked) = _checkFor(signer, message, signature, againstNow);
            if (verdict == Verdict.Accepted) return (verdict, "", checked);
            if (verdict == Verdict.NotNewer) {
                isNotNewer = true;
                continue;
            }
            if (bytes4(refusal) == InvalidSignature.selector) isSomeSignatureInvalid = true;
            if (reason.length == 0) reason = refusal;
        }
        // Only when it is nobody else's: formats without constant bytes can take one another's messages for old ones.
        if (isNotNewer) return (Verdict.NotNewer, "", checked);
        verdict = Verdict.Refused;
        if (usable == 0) reason = abi.encodeWithSelector(NoUsableSigner.selector);
        else if (recognised == 0) reason = abi.encodeWithSelector(UnexpectedConstantBytes.selector, 0);
        else if (recognised > 1 && isSomeSignatureInvalid) {
            // Somebody's publish times it is of, and it is not signed by them: that says more than whose it is not.
            reason = abi.encodeWithSelector(InvalidSignature.selector, 0);
        }
    }

    /// @dev Everything from the ids on, for one signer and its layout.
    function _checkFor(
        uint256 signer,
        bytes calldata message,
        SignaturePart memory signature,
        bool againstNow
    ) private view returns (Verdict verdict, bytes memory reason, CheckedUpdate memory checked) {
        PackedLayout messageLayout = _signers[signer].messageLayout;
        uint256 feedId = PriceMessage.feedId(message, messageLayout);
        if (!FeedIds.isFeedId(feedId, RENTAL_OFFSET)) {
            return (Verdict.Refused, abi.encodeWithSelector(InvalidFeedId.selector, feedId), checked);
        }
        uint256 publishTimeMs = PriceMessage.publishTimeMs(message, messageLayout);
        if (againstNow && _isNotNewer(feedId, publishTimeMs, _state)) return (Verdict.NotNewer, "", checked);

        checked.feedId = feedId;
        checked.publishTimeMs = publishTimeMs;
        checked.signer = signer;
        reason = _checkContent(message, messageLayout, checked);
        if (reason.length == 0) reason = _checkTimes(checked, againstNow);
        if (reason.length == 0) reason = _checkSigner(checked);
        if (reason.length == 0) reason = _checkSignature(signer, message, signature);
        if (reason.length == 0) verdict = Verdict.Accepted;
    }

    /// @dev Constant bytes, price, date; fills in what it reads.
    function _checkContent(
        bytes calldata message,
        PackedLayout messageLayout,
        CheckedUpdate memory checked
    ) private view returns (bytes memory) {
        if (!_hasConstantsOf(checked.signer, message)) {
            return abi.encodeWithSelector(UnexpectedConstantBytes.selector, checked.signer);
        }
        (uint256 mantissa, int256 exponent) = PriceMessage.price(message, messageLayout);
        checked.price = PriceMessage.scale(mantissa, exponent);
        if (checked.price == 0) return abi.encodeWithSelector(ZeroPrice.selector, mantissa, exponent);
        if (checked.price == PriceMessage.PRICE_LIMIT) {
            return abi.encodeWithSelector(PriceTooLarge.selector, mantissa, exponent);
        }
        bytes10 date = PriceMessage.date(message, messageLayout);
        bool valid;
        (valid, checked.day) = CalendarDate.parse(date);
        if (!valid) return abi.encodeWithSelector(InvalidDate.selector, date);
        checked.expiryMs = PriceMessage.expiryMs(message, messageLayout);
        return "";
    }

    /// @dev The time rules of the specification (pre-signing checks 2 to 5), bounds inclusive.
    function _checkTimes(CheckedUpdate memory checked, bool againstNow) private view returns (bytes memory) {
        uint256 publishTimeMs = checked.publishTimeMs;
        uint256 expiryMs = checked.expiryMs;
        if (againstNow) {
            uint256 nowMs = block.timestamp * 1000;
            if (expiryMs < nowMs) return abi.encodeWithSelector(ExpiryPassed.selector, expiryMs, nowMs);
            if (expiryMs > nowMs + MAX_EXPIRY_AHEAD_MS) {
                return abi.encodeWithSelector(ExpiryTooFarAhead.selector, expiryMs, nowMs);
            }
            if (publishTimeMs + MAX_PUBLISH_AGE_MS < nowMs) {
                return abi.encodeWithSelector(PublishTimeTooOld.selector, publishTimeMs, nowMs);
            }
            if (publishTimeMs > nowMs + MAX_PUBLISH_AHEAD_MS) {
                return abi.encodeWithSelector(PublishTimeTooFarAhead.selector, publishTimeMs, nowMs);
            }
        }
        uint256 day = checked.day;
        uint256 startMs = CalendarDate.startMs(day);
        if (publishTimeMs < startMs) return abi.encodeWithSelector(PublishedBeforeDate.selector, publishTimeMs, day);
        if (expiryMs <= startMs) return abi.encodeWithSelector(ExpiryNotAfterDate.selector, expiryMs, day);
        if (expiryMs > startMs + MAX_EXPIRY_AFTER_DATE_MS) {
            return abi.encodeWithSelector(ExpiryTooFarFromDate.selector, expiryMs, day);
        }
        return "";
    }

    function _checkSigner(CheckedUpdate memory checked) private view returns (bytes memory) {
        uint8 signer = uint8(checked.signer);
        SignerStatus status = _signerStatus(signer);
        if (status != SignerStatus.Usable) return abi.encodeWithSelector(SignerNotUsable.selector, signer, status);
        uint256 validFromMs = _signers[signer].validFromMs;
        uint256 validUntilMs = _signers[signer].validUntilMs;
        uint256 publishTimeMs = checked.publishTimeMs;
        if (publishTimeMs < validFromMs || (validUntilMs != 0 && publishTimeMs >= validUntilMs)) {
            return
                abi.encodeWithSelector(
                    PublishTimeOutsideSigner.selector,
                    signer,
                    publishTimeMs,
                    validFromMs,
                    validUntilMs
                );
        }
        return "";
    }

    /// @dev Reverts when the verifier fails instead of answering: nothing may be concluded from that.
    function _checkSignature(
        uint256 signer,
        bytes calldata message,
        SignaturePart memory signature
    ) private view returns (bytes memory) {
        address verifier = _signers[signer].verifier;
        (bool success, bytes memory answer) = verifier.staticcall(
            signature.hinted
                ? abi.encodeCall(IEd25519Verifier.verifyWithHint, (message, signature.r, signature.s, signature.xOfR))
                : abi.encodeCall(IEd25519Verifier.verify, (message, signature.r, signature.s))
        );
        uint256 verdict = answer.length == 32 ? uint256(bytes32(answer)) : type(uint256).max;
        if (!success || verdict > uint256(type(Ed25519Verdict).max)) revert VerifierFailed(uint8(signer), verifier);
        if (verdict == uint256(Ed25519Verdict.Valid)) return "";
        if (verdict == uint256(Ed25519Verdict.WrongHint)) {
            return abi.encodeWithSelector(WrongHint.selector, signer, signature.xOfR);
        }
        return abi.encodeWithSelector(InvalidSignature.selector, signer);
    }

    function _hasConstantsOf(uint256 signer, bytes calldata message) private view returns (bool) {
        return PriceMessage.constantsHash(message, _signers[signer].messageLayout) == _signers[signer].constantsHash;
    }

    function _signaturePart(bytes calldata update) private pure returns (SignaturePart memory signature) {
        signature.r = bytes32(update[MESSAGE_LENGTH:MESSAGE_LENGTH + 32]);
        signature.s = bytes32(update[MESSAGE_LENGTH + 32:PLAIN_LENGTH]);
    }
}
