// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev What has come out of checking an update. Not an enum: an enum's range would be checked again at every step of the
///      way on which most gas is spent, that of updates with which nothing is wrong.
type Finding is uint256;

using {isSame as ==, isOther as !=, isSkipped, isInvalid} for Finding global;

function isSame(Finding a, Finding b) pure returns (bool) {
    return Finding.unwrap(a) == Finding.unwrap(b);
}

function isOther(Finding a, Finding b) pure returns (bool) {
    return Finding.unwrap(a) != Finding.unwrap(b);
}

/// @dev Whether an update is passed over without an event.
function isSkipped(Finding finding) pure returns (bool) {
    return finding == Findings.NOT_NEWER || finding == Findings.WAITS_ALREADY;
}

/// @dev Whether something is wrong with an update.
function isInvalid(Finding finding) pure returns (bool) {
    return Finding.unwrap(finding) >= Finding.unwrap(Findings.INVALID_LENGTH);
}

/// @title All that can be found out about an update
/// @notice From INVALID_LENGTH on, each says that it is invalid, and stands for an error of IHomePriceOracle.
library Findings {
    /// @dev Nothing is wrong with it but, perhaps, its signature.
    Finding internal constant TO_VERIFY = Finding.wrap(0);
    /// @dev The latest price, or what has been vetoed, is at least as new.
    Finding internal constant NOT_NEWER = Finding.wrap(1);
    /// @dev It is of the publish time of what waits, as long as that does.
    Finding internal constant WAITS_ALREADY = Finding.wrap(2);
    /// @dev It names no signer, and several may have signed it.
    Finding internal constant SEVERAL_SIGNERS = Finding.wrap(3);
    /// @dev Nothing is wrong with it.
    Finding internal constant ACCEPTED = Finding.wrap(4);

    Finding internal constant INVALID_LENGTH = Finding.wrap(5);
    Finding internal constant UNKNOWN_SIGNER = Finding.wrap(6);
    Finding internal constant NO_USABLE_SIGNER = Finding.wrap(7);
    Finding internal constant INVALID_FEED_ID = Finding.wrap(8);
    Finding internal constant CONSTANTS_OF_NO_SIGNER = Finding.wrap(9);
    Finding internal constant UNEXPECTED_CONSTANTS = Finding.wrap(10);
    Finding internal constant ZERO_PRICE = Finding.wrap(11);
    Finding internal constant PRICE_TOO_LARGE = Finding.wrap(12);
    Finding internal constant INVALID_DATE = Finding.wrap(13);
    Finding internal constant EXPIRY_PASSED = Finding.wrap(14);
    Finding internal constant EXPIRY_TOO_FAR_AHEAD = Finding.wrap(15);
    Finding internal constant PUBLISH_TIME_TOO_OLD = Finding.wrap(16);
    Finding internal constant PUBLISH_TIME_TOO_FAR_AHEAD = Finding.wrap(17);
    Finding internal constant PUBLISHED_BEFORE_DATE = Finding.wrap(18);
    Finding internal constant EXPIRY_NOT_AFTER_DATE = Finding.wrap(19);
    Finding internal constant EXPIRY_TOO_FAR_FROM_DATE = Finding.wrap(20);
    /// @dev The signer is not usable now, or not for this publish time.
    Finding internal constant SIGNER_NOT_ENTITLED = Finding.wrap(21);
    Finding internal constant SIGNED_BY_NO_SIGNER = Finding.wrap(22);
    Finding internal constant INVALID_SIGNATURE = Finding.wrap(23);
    Finding internal constant WRONG_HINT = Finding.wrap(24);
}
