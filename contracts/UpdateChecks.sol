// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {blockTimeMs} from "./BlockTime.sol";
import {Ed25519Verdict} from "./ed25519/IEd25519Verifier.sol";
import {FeedIds} from "./FeedIds.sol";
import {FeedRange} from "./FeedRange.sol";
import {Finding, Findings} from "./Finding.sol";
import {SignerStatus} from "./interfaces/ISignerRegistry.sol";
import {CalendarDate} from "./message/CalendarDate.sol";
import {FourNumbers, FourNumbersLibrary, ReadingPlan} from "./message/FourNumbers.sol";
import {PackedLayout} from "./message/PackedLayout.sol";
import {PriceMessage} from "./message/PriceMessage.sol";
import {HINTED_UPDATE_LENGTH, PLAIN_UPDATE_LENGTH, UpdateBytes} from "./message/UpdateBytes.sol";
import {PendingUpdate} from "./PendingUpdate.sol";
import {RefusalReasons} from "./RefusalReasons.sol";
import {OracleState, OracleStateLibrary} from "./signers/OracleState.sol";
import {SignatureChecks} from "./signers/SignatureChecks.sol";

/// @title From the bytes of an update to a price that a usable signer has signed
/// @dev Checks run in this order: length; ids; not newer than what is stored (skipped, the signature is not looked at);
///      constant bytes; price, date, windows, signer, signature. What is wrong is a value, a Finding, because a batch may
///      have to go on after an invalid update.
///
///      Signatures cost nearly everything, and less together than one by one. So a call goes through its updates three
///      times:
///      1. Each is checked but for its signature (`_check`).
///      2. The signatures of those with which nothing is wrong so far are verified, in batches (SignatureChecks).
///      3. Each is stored or refused when its turn comes. One that is not valid by then is checked anew, as if it came
///         alone (`_decide`).
///
///      The outcome is that of a call for each. What one update of a call can change for another is how new it is: from
///      newer to not newer, as publish times only grow, and whether it is what waits, either way. So what is not newer in
///      the first pass is rightly skipped; what waits in the first pass is left to its turn; a valid update's newness is
///      looked at again when it is stored; an invalid one's when it is checked anew, before anything that is wrong with
///      it.
abstract contract UpdateChecks is FeedRange, SignatureChecks {
    using UpdateBytes for bytes;

    /// @dev What the checks of one call share. It is written again for every update, so that checking allocates no memory.
    struct Checks {
        OracleState state;
        /// Whether to apply what depends on now and on the stored price; parsePrices does not.
        bool againstNow;
        /// As `liveSigners` of OracleState, of these the usable ones; UNKNOWN until an update names no signer.
        uint256 usableSigners;
        /// A signer in whose layout every update that names none can be read; 0 where formats differ.
        uint256 plainReader;
        // The signer at hand; the next update is its, too, as a rule.
        uint256 signer;
        PackedLayout messageLayout;
        /// Whether messages of this layout are read by the plan.
        bool hasReadingPlan;
        ReadingPlan readingPlan;
        /// Of this layout; empty until a message has to be compared.
        bytes constantsMask;
        /// What the hash of a message's constant bytes has to begin with.
        uint256 constantsTag;
        bool isSpanKnown;
        /// The publish times for which it is entitled to sign, bounds included; none if it is not usable.
        uint256 firstPublishTimeMs;
        uint256 lastPublishTimeMs;
        // What the update at hand says, as far as it has been read.
        uint256 feedId;
        /// The price as it is written.
        uint256 mantissa;
        /// 8 decimals, 1 … 2^60 − 1.
        uint256 price;
        uint256 publishTimeMs;
        uint256 expiryMs;
        /// The date that was parsed last, and the day that it is; the next one is the same, as a rule.
        bytes10 date;
        uint256 day;
    }

    /// @notice Expiry at most this long after now.
    uint256 public constant MAX_EXPIRY_AHEAD_MS = 25 hours * 1000;
    /// @notice Publish time at most this long before now.
    uint256 public constant MAX_PUBLISH_AGE_MS = 48 hours * 1000;
    /// @notice Publish time at most this long after now.
    uint256 public constant MAX_PUBLISH_AHEAD_MS = 1 hours * 1000;

    uint256 private constant UNKNOWN = type(uint256).max;
    uint256 private constant HIGHEST_EXPIRY_AFTER_DATE = 72 hours;

    /// @notice The longest time from a date to its price's expiry is 0 or more than 72 hours (seconds).
    error InvalidExpiryAfterDate(uint256 maxExpiryAfterDate);

    /// @notice Says why updates are refused.
    RefusalReasons public immutable REFUSAL_REASONS = new RefusalReasons();
    /// @notice Expiry at most this long after 00:00 UTC of the date.
    uint256 public immutable MAX_EXPIRY_AFTER_DATE_MS;

    /// @param maxExpiryAfterDate In seconds.
    constructor(uint256 maxExpiryAfterDate) {
        if (maxExpiryAfterDate == 0 || maxExpiryAfterDate > HIGHEST_EXPIRY_AFTER_DATE) {
            revert InvalidExpiryAfterDate(maxExpiryAfterDate);
        }
        MAX_EXPIRY_AFTER_DATE_MS = maxExpiryAfterDate * 1000;
    }

    /// @dev What the checks of one call begin with.
    function _newChecks(bool againstNow) internal view returns (Checks memory checks) {
        checks.state = _state;
        checks.againstNow = againstNow;
        checks.usableSigners = UNKNOWN;
        checks.signer = UNKNOWN;
        // Day 0: the date that is at hand is always of the day that is.
        checks.date = "1970-01-01";
    }

    /// @dev Checks one update but for its signature. What it says, and who has to have signed it, is left in `checks`.
    function _check(bytes calldata update, Checks memory checks) internal view returns (Finding) {
        if (update.length == PLAIN_UPDATE_LENGTH) return _checkPlain(update, checks);
        if (update.length != HINTED_UPDATE_LENGTH) return Findings.INVALID_LENGTH;
        uint256 signer = update.signer();
        if (checks.signer != signer) {
            if (signer == 0 || signer > checks.state.signerCount()) return Findings.UNKNOWN_SIGNER;
            _takeSigner(checks, signer);
        }
        return _checkContent(update, checks);
    }

    /// @dev What becomes of an update that is not valid when its turn comes, after all that has been stored before it.
    /// @param pending Its verdict counts for updates that have been verified. The others have none: what was wrong with
    ///        them still is, or they waited, and are verified now if they do not any more.
    /// @return finding That it is skipped, ACCEPTED, or that it is invalid.
    /// @return reason Why it is invalid: an ABI-encoded custom error.
    function _decide(
        bytes calldata update,
        PendingUpdate pending,
        Checks memory checks
    ) internal view returns (Finding finding, bytes memory reason) {
        finding = _check(update, checks);
        if (finding == Findings.SEVERAL_SIGNERS) return _trySigners(update, checks);
        if (finding == Findings.TO_VERIFY) {
            finding = _findingOf(pending.isLeftToItsTurn() ? _verdictOn(update, checks.signer) : pending.verdict());
        }
        if (finding.isInvalid()) reason = _reasonFor(finding, update, checks);
    }

    /// @dev What can be said of an update's publish time: NOT_NEWER, WAITS_ALREADY, or else TO_VERIFY. A latest price of a
    ///      revoked signer counts as absent.
    function _newness(uint256 feedId, uint256 publishTimeMs, OracleState state) internal view virtual returns (Finding);

    function _largestFeedId() internal view override returns (uint256) {
        unchecked {
            // The offset is 2 to 2^62.
            return 2 * uint256(RENTAL_OFFSET) - 1;
        }
    }

    // -------------------------------------------------------------------------------------------------- what it says

    /// @dev Everything from the ids on, but the signature, for the signer at hand.
    function _checkContent(bytes calldata update, Checks memory checks) private view returns (Finding finding) {
        finding = _checkFeed(update, checks);
        if (finding != Findings.TO_VERIFY) return finding;
        if (!_hasConstants(update, checks)) return Findings.UNEXPECTED_CONSTANTS;

        uint256 price = checks.mantissa;
        if (!checks.messageLayout.hasOracleDecimals()) {
            price = PriceMessage.scale(price, PriceMessage.exponent(update, checks.messageLayout));
        }
        if (price == 0) return Findings.ZERO_PRICE;
        if (price >= PriceMessage.PRICE_LIMIT) return Findings.PRICE_TOO_LARGE;
        checks.price = price;

        bytes10 date = PriceMessage.date(update, checks.messageLayout);
        if (date != checks.date) {
            (bool isDate, uint256 day) = CalendarDate.parse(date);
            if (!isDate) return Findings.INVALID_DATE;
            (checks.date, checks.day) = (date, day);
        }
        return _checkTimes(checks);
    }

    /// @dev The time rules of the specification (pre-signing checks 2 to 5), bounds inclusive, and the signer's span.
    function _checkTimes(Checks memory checks) private view returns (Finding) {
        (uint256 publishTimeMs, uint256 expiryMs) = (checks.publishTimeMs, checks.expiryMs);
        unchecked {
            // Times below 2^64, days of the calendar and spans of hours: nothing here comes near 2^256.
            if (checks.againstNow) {
                uint256 nowMs = blockTimeMs();
                if (expiryMs < nowMs) return Findings.EXPIRY_PASSED;
                if (expiryMs > nowMs + MAX_EXPIRY_AHEAD_MS) return Findings.EXPIRY_TOO_FAR_AHEAD;
                if (publishTimeMs + MAX_PUBLISH_AGE_MS < nowMs) return Findings.PUBLISH_TIME_TOO_OLD;
                if (publishTimeMs > nowMs + MAX_PUBLISH_AHEAD_MS) return Findings.PUBLISH_TIME_TOO_FAR_AHEAD;
            }
            uint256 startMs = CalendarDate.startMs(checks.day);
            if (publishTimeMs < startMs) return Findings.PUBLISHED_BEFORE_DATE;
            if (expiryMs <= startMs) return Findings.EXPIRY_NOT_AFTER_DATE;
            if (expiryMs > startMs + MAX_EXPIRY_AFTER_DATE_MS) return Findings.EXPIRY_TOO_FAR_FROM_DATE;
        }
        if (!checks.isSpanKnown) _learnSpan(checks);
        if (publishTimeMs < checks.firstPublishTimeMs) return Findings.SIGNER_NOT_ENTITLED;
        if (publishTimeMs > checks.lastPublishTimeMs) return Findings.SIGNER_NOT_ENTITLED;
        return Findings.TO_VERIFY;
    }

    /// @dev Ids and newness: all that a skipped update is looked at for.
    function _checkFeed(bytes calldata update, Checks memory checks) private view returns (Finding) {
        _readNumbers(update, checks);
        if (!FeedIds.isFeedId(checks.feedId, RENTAL_OFFSET)) return Findings.INVALID_FEED_ID;
        if (!checks.againstNow) return Findings.TO_VERIFY;
        return _newness(checks.feedId, checks.publishTimeMs, checks.state);
    }

    /// @dev Reads all numbers but a price's exponent, in the layout of the signer at hand.
    function _readNumbers(bytes calldata update, Checks memory checks) private pure {
        if (checks.hasReadingPlan) {
            FourNumbers numbers = FourNumbersLibrary.read(update, checks.readingPlan);
            checks.feedId = numbers.feedId();
            checks.mantissa = numbers.price();
            checks.publishTimeMs = numbers.publishTime();
            checks.expiryMs = numbers.expiry();
        } else {
            PackedLayout messageLayout = checks.messageLayout;
            checks.feedId = PriceMessage.feedId(update, messageLayout);
            checks.mantissa = PriceMessage.mantissa(update, messageLayout);
            checks.publishTimeMs = PriceMessage.publishTimeMs(update, messageLayout);
            checks.expiryMs = PriceMessage.expiryMs(update, messageLayout);
        }
    }

    /// @dev Whether a message's constant bytes are those of the signer at hand.
    function _hasConstants(bytes calldata update, Checks memory checks) private pure returns (bool) {
        if (checks.constantsMask.length == 0) {
            checks.constantsMask = PriceMessage.constantsMask(checks.messageLayout);
        }
        bytes32 constantsHash = PriceMessage.constantsHash(update, checks.constantsMask);
        return OracleStateLibrary.tagOf(constantsHash) == checks.constantsTag;
    }

    // ------------------------------------------------------------------------------------------------- whose it may be

    /// @dev Makes a signer, whose number has been given out, the one at hand. While all live signers share a format, this
    ///      reads nothing of its record: an update that is not newer is skipped without.
    function _takeSigner(Checks memory checks, uint256 number) private view {
        checks.signer = number;
        checks.isSpanKnown = false;
        PackedLayout messageLayout;
        if (!checks.state.hasSeveralFormats() && checks.state.isLive(number)) {
            messageLayout = checks.state.sharedLayout();
            checks.constantsTag = checks.state.sharedConstantsTag();
        } else {
            messageLayout = _signerRecord(number).messageLayout;
            checks.constantsTag = OracleStateLibrary.tagOf(_signerRecord(number).constantsHash);
        }
        if (PackedLayout.unwrap(messageLayout) == PackedLayout.unwrap(checks.messageLayout)) return;
        checks.messageLayout = messageLayout;
        checks.constantsMask = "";
        checks.hasReadingPlan = FourNumbersLibrary.isPossible(messageLayout);
        if (checks.hasReadingPlan) FourNumbersLibrary.makePlan(checks.readingPlan, messageLayout);
    }

    /// @dev Finds out which publish times the signer at hand is entitled to sign.
    function _learnSpan(Checks memory checks) private view {
        bool isUsable = _signerStatus(checks.signer, checks.state) == SignerStatus.Usable;
        SignerRecord storage record = _signerRecord(checks.signer);
        (uint256 validFrom, uint256 validUntil) = (record.validFrom, record.validUntil);
        unchecked {
            // Seconds of 32 bits.
            checks.firstPublishTimeMs = isUsable ? validFrom * 1000 : type(uint256).max;
            checks.lastPublishTimeMs = validUntil == 0 ? type(uint256).max : validUntil * 1000 - 1;
        }
        checks.isSpanKnown = true;
    }

    /// @dev An update of 138 bytes is some usable signer's; as a rule there is only one. Where all live signers share a
    ///      format, what the update says is known whoever has signed it, and it can be skipped for that.
    function _checkPlain(bytes calldata update, Checks memory checks) private view returns (Finding) {
        if (checks.usableSigners == UNKNOWN) _learnUsableSigners(checks);
        uint256 reader = checks.plainReader;
        if (reader == 0) return _checkPlainOfSomeFormat(update, checks);
        if (checks.signer != reader) _takeSigner(checks, reader);
        if (checks.usableSigners == reader) return _checkContent(update, checks);
        Finding finding = _checkFeed(update, checks);
        if (finding.isSkipped()) return finding;
        return checks.usableSigners == 0 ? Findings.NO_USABLE_SIGNER : Findings.SEVERAL_SIGNERS;
    }

    /// @dev The same where live signers have several formats, or there are none: nothing can be read before it is known
    ///      by its constant bytes.
    function _checkPlainOfSomeFormat(bytes calldata update, Checks memory checks) private view returns (Finding) {
        uint256 usable = checks.usableSigners;
        if (usable == 0) return Findings.NO_USABLE_SIGNER;
        if (usable > 0xff) return Findings.SEVERAL_SIGNERS;
        if (checks.signer != usable) _takeSigner(checks, usable);
        return _hasConstants(update, checks) ? _checkContent(update, checks) : Findings.CONSTANTS_OF_NO_SIGNER;
    }

    /// @dev The usable signers are tried, newest first, each with its own layout. Where they have several formats, the
    ///      constant bytes tell which it is, so that no message is read by another's layout.
    function _trySigners(
        bytes calldata update,
        Checks memory checks
    ) private view returns (Finding finding, bytes memory reason) {
        uint256 recognised;
        bool isSomeSignatureInvalid;
        bool isSkipped;
        for (uint256 usable = checks.usableSigners; usable != 0; usable >>= 8) {
            uint256 signer = usable & 0xff;
            if (checks.signer != signer) _takeSigner(checks, signer);
            if (checks.state.hasSeveralFormats() && !_hasConstants(update, checks)) continue;
            ++recognised;
            finding = _checkContent(update, checks);
            if (finding.isSkipped()) {
                isSkipped = true;
                continue;
            }
            if (finding == Findings.TO_VERIFY) {
                finding = _findingOf(_verdictOn(update, signer));
                if (finding == Findings.ACCEPTED) return (finding, "");
                isSomeSignatureInvalid = true;
            }
            if (reason.length == 0) reason = _reasonFor(finding, update, checks);
        }
        // Only when it is nobody else's: formats without constant bytes can take one another's messages for old ones.
        if (isSkipped) return (Findings.NOT_NEWER, "");
        if (recognised == 0)
            finding = Findings.CONSTANTS_OF_NO_SIGNER;
            // Somebody's publish times it is of, and it is not signed by them: that says more than whose it is not.
        else if (recognised > 1 && isSomeSignatureInvalid) finding = Findings.SIGNED_BY_NO_SIGNER;
        else return (finding, reason);
        reason = _reasonFor(finding, update, checks);
    }

    /// @dev Finds out whose an update may be that names no signer.
    function _learnUsableSigners(Checks memory checks) private view {
        uint256 usable;
        uint256 shift;
        for (uint256 live = checks.state.liveSigners(); live != 0; live >>= 8) {
            uint256 signer = live & 0xff;
            if (_signerStatus(signer, checks.state) != SignerStatus.Usable) continue;
            usable |= signer << shift;
            shift += 8;
        }
        checks.usableSigners = usable;
        if (checks.state.hasSeveralFormats()) return;
        checks.plainReader = usable != 0 ? usable & 0xff : checks.state.liveSigners() & 0xff;
    }

    // ----------------------------------------------------------------------------------------------- what is wrong

    function _findingOf(uint256 verdict) private pure returns (Finding) {
        if (verdict == uint256(Ed25519Verdict.Valid)) return Findings.ACCEPTED;
        return verdict == uint256(Ed25519Verdict.WrongHint) ? Findings.WRONG_HINT : Findings.INVALID_SIGNATURE;
    }

    /// @dev The error that a finding stands for, ABI-encoded. Right after the check that has found it: what is at hand is
    ///      the update's.
    function _reasonFor(
        Finding finding,
        bytes calldata update,
        Checks memory checks
    ) private view returns (bytes memory) {
        return REFUSAL_REASONS.reasonFor(finding, update, checks.signer, checks.messageLayout);
    }
}
