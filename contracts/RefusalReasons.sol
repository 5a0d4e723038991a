// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {blockTimeMs} from "./BlockTime.sol";
import {Finding, Findings} from "./Finding.sol";
import {IHomePriceOracle} from "./interfaces/IHomePriceOracle.sol";
import {ISignerRegistry, SignerInfo, SignerStatus} from "./interfaces/ISignerRegistry.sol";
import {CalendarDate} from "./message/CalendarDate.sol";
import {PackedLayout} from "./message/PackedLayout.sol";
import {PriceMessage} from "./message/PriceMessage.sol";
import {UpdateBytes} from "./message/UpdateBytes.sol";

/// @title Puts what is wrong with an update into the words of IHomePriceOracle
/// @dev A contract of its own because it is needed for invalid updates only: in the oracle it would take the place of code
///      that every update runs. It has no state; an oracle deploys its own.
contract RefusalReasons {
    using UpdateBytes for bytes;

    /// @notice The custom error, ABI-encoded, that a finding stands for. The caller is the oracle that has made it.
    /// @param finding From INVALID_LENGTH on.
    /// @param update The invalid update.
    /// @param signer In whose layout it was read; matters for findings that are about a signer or come after these.
    /// @param messageLayout The signer's.
    function reasonFor(
        Finding finding,
        bytes calldata update,
        uint256 signer,
        PackedLayout messageLayout
    ) external view returns (bytes memory) {
        // What is wrong with an update as such.
        if (finding == Findings.INVALID_LENGTH)
            return _error(IHomePriceOracle.InvalidUpdateLength.selector, update.length);
        if (finding == Findings.UNKNOWN_SIGNER) return _error(IHomePriceOracle.UnknownSigner.selector, update.signer());
        if (finding == Findings.NO_USABLE_SIGNER)
            return abi.encodeWithSelector(IHomePriceOracle.NoUsableSigner.selector);
        if (finding == Findings.CONSTANTS_OF_NO_SIGNER) {
            return _error(IHomePriceOracle.UnexpectedConstantBytes.selector, 0);
        }
        if (finding == Findings.SIGNED_BY_NO_SIGNER) return _error(IHomePriceOracle.InvalidSignature.selector, 0);
        // What does not fit the signer.
        if (finding == Findings.UNEXPECTED_CONSTANTS) {
            return _error(IHomePriceOracle.UnexpectedConstantBytes.selector, signer);
        }
        if (finding == Findings.INVALID_SIGNATURE) return _error(IHomePriceOracle.InvalidSignature.selector, signer);
        if (finding == Findings.WRONG_HINT) return _error(IHomePriceOracle.WrongHint.selector, signer, update.xOfR());
        uint256 publishTimeMs = PriceMessage.publishTimeMs(update, messageLayout);
        if (finding == Findings.SIGNER_NOT_ENTITLED) return _notEntitled(signer, publishTimeMs);
        // What it says.
        if (finding == Findings.INVALID_FEED_ID) {
            return _error(IHomePriceOracle.InvalidFeedId.selector, PriceMessage.feedId(update, messageLayout));
        }
        if (finding == Findings.ZERO_PRICE || finding == Findings.PRICE_TOO_LARGE) {
            uint256 mantissa = PriceMessage.mantissa(update, messageLayout);
            int256 exponent = PriceMessage.exponent(update, messageLayout);
            bool isZero = finding == Findings.ZERO_PRICE;
            bytes4 selector = isZero ? IHomePriceOracle.ZeroPrice.selector : IHomePriceOracle.PriceTooLarge.selector;
            return _error(selector, mantissa, uint256(exponent));
        }
        bytes10 date = PriceMessage.date(update, messageLayout);
        if (finding == Findings.INVALID_DATE)
            return _error(IHomePriceOracle.InvalidDate.selector, uint256(bytes32(date)));
        uint256 expiryMs = PriceMessage.expiryMs(update, messageLayout);
        return _wrongTime(finding, publishTimeMs, expiryMs, date);
    }

    function _wrongTime(
        Finding finding,
        uint256 publishTimeMs,
        uint256 expiryMs,
        bytes10 date
    ) private view returns (bytes memory) {
        uint256 nowMs = blockTimeMs();
        if (finding == Findings.EXPIRY_PASSED) return _error(IHomePriceOracle.ExpiryPassed.selector, expiryMs, nowMs);
        if (finding == Findings.EXPIRY_TOO_FAR_AHEAD) {
            return _error(IHomePriceOracle.ExpiryTooFarAhead.selector, expiryMs, nowMs);
        }
        if (finding == Findings.PUBLISH_TIME_TOO_OLD) {
            return _error(IHomePriceOracle.PublishTimeTooOld.selector, publishTimeMs, nowMs);
        }
        if (finding == Findings.PUBLISH_TIME_TOO_FAR_AHEAD) {
            return _error(IHomePriceOracle.PublishTimeTooFarAhead.selector, publishTimeMs, nowMs);
        }
        (, uint256 day) = CalendarDate.parse(date);
        if (finding == Findings.PUBLISHED_BEFORE_DATE) {
            return _error(IHomePriceOracle.PublishedBeforeDate.selector, publishTimeMs, day);
        }
        if (finding == Findings.EXPIRY_NOT_AFTER_DATE) {
            return _error(IHomePriceOracle.ExpiryNotAfterDate.selector, expiryMs, day);
        }
        // EXPIRY_TOO_FAR_FROM_DATE
        return _error(IHomePriceOracle.ExpiryTooFarFromDate.selector, expiryMs, day);
    }

    function _notEntitled(uint256 signer, uint256 publishTimeMs) private view returns (bytes memory) {
        SignerInfo memory info = ISignerRegistry(msg.sender).signerInfo(uint8(signer));
        if (info.status != SignerStatus.Usable) {
            return _error(IHomePriceOracle.SignerNotUsable.selector, signer, uint256(info.status));
        }
        return
            abi.encodeWithSelector(
                IHomePriceOracle.PublishTimeOutsideSigner.selector,
                signer,
                publishTimeMs,
                uint256(info.validFrom) * 1000,
                uint256(info.retirement) * 1000
            );
    }

    function _error(bytes4 selector, uint256 value) private pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, value);
    }

    function _error(bytes4 selector, uint256 first, uint256 second) private pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, first, second);
    }
}
