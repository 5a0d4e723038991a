// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EdwardsCurve} from "../ed25519/EdwardsCurve.sol";
import {LittleEndian} from "../ed25519/LittleEndian.sol";
import {CalendarDate} from "../message/CalendarDate.sol";
import {NumberField, PriceMessageLayout, TimeField} from "../message/PriceMessageLayout.sol";
import {DateText} from "./DateText.sol";
import {Ed25519TestSignature, IEd25519TestSigner} from "./IEd25519TestSigner.sol";

/// @notice What a price message says.
/// @param feedId Market id for sales, market id + rental offset for rental.
/// @param price 8 decimals.
/// @param publishTimeMs Unix milliseconds.
/// @param expiryMs Unix milliseconds.
/// @param day Days since 1970-01-01.
struct PriceToSign {
    uint64 feedId;
    uint64 price;
    uint64 publishTimeMs;
    uint64 expiryMs;
    uint32 day;
}

/// @notice Ways to make an update false after it has been signed.
/// @param FeedId The next id.
/// @param Price A price that is higher by the smallest step.
/// @param PublishTime A millisecond earlier.
/// @param Expiry A millisecond earlier.
/// @param Date The day before.
/// @param R Another first half of the signature.
/// @param S Another second half.
/// @param SPlusOrder The second half plus L: the same signature to those who forget that S has to be below L.
/// @param OneByteLess The last byte is missing.
/// @param OneByteMore There is a byte too many.
enum Forgery {
    FeedId,
    Price,
    PublishTime,
    Expiry,
    Date,
    R,
    S,
    SPlusOrder,
    OneByteLess,
    OneByteMore
}

/// @title Makes updates that are really signed, for tests
/// @notice Messages are in the default layout:
///
///      | offset | bytes | field        | encoding                                                           |
///      |--------|-------|--------------|--------------------------------------------------------------------|
///      | 0      | 32    | constant     | SHA-256 of the ASCII text `home-price-oracle/price-message/v1`     |
///      | 32     | 8     | feed id      | little-endian                                                      |
///      | 40     | 8     | price        | little-endian, 8 decimals                                          |
///      | 48     | 8     | publish time | little-endian, Unix milliseconds                                   |
///      | 56     | 8     | expiry       | little-endian, Unix milliseconds                                   |
///      | 64     | 10    | date         | ASCII, YYYY-MM-DD                                                  |
library SignedPriceFactory {
    /// @notice SHA-256 of the ASCII text `home-price-oracle/price-message/v1`.
    bytes32 internal constant DOMAIN = 0xf2300b11ee892955bafa8749406daffa6970cb01b498f7705eda21a3a71825f6;
    /// @notice A price lives as long as the specification allows: yesterday's has not expired when today's appears.
    uint256 internal constant LIFE = 25 hours;

    uint256 private constant FEED_ID_OFFSET = 32;
    uint256 private constant PRICE_OFFSET = 40;
    uint256 private constant PUBLISH_TIME_OFFSET = 48;
    uint256 private constant EXPIRY_OFFSET = 56;
    uint256 private constant DATE_OFFSET = 64;
    uint256 private constant R_OFFSET = 74;
    uint256 private constant S_OFFSET = 106;

    /// @notice A price that is published at a time, for its date.
    /// @param time Unix seconds; as a rule the block time.
    /// @param price 8 decimals.
    function publishedAt(uint256 time, uint64 feedId, uint64 price) internal pure returns (PriceToSign memory) {
        return
            PriceToSign({
                feedId: feedId,
                price: price,
                publishTimeMs: uint64(time * 1000),
                expiryMs: uint64((time + LIFE) * 1000),
                day: uint32(time / 1 days)
            });
    }

    /// @notice An update of 138 bytes.
    function update(IEd25519TestSigner signer, PriceToSign memory price) internal view returns (bytes memory) {
        return updateOf(signer, message(price));
    }

    /// @notice An update of 171 bytes, which costs less to verify.
    /// @param signerNumber The number that the oracle has given to the signer.
    function hintedUpdate(
        IEd25519TestSigner signer,
        uint8 signerNumber,
        PriceToSign memory price
    ) internal view returns (bytes memory) {
        return hintedUpdateOf(signer, signerNumber, message(price));
    }

    /// @notice An update of any message, which need not be one of a price.
    function updateOf(IEd25519TestSigner signer, bytes memory signedMessage) internal view returns (bytes memory) {
        Ed25519TestSignature memory signature = signer.sign(signedMessage);
        return abi.encodePacked(signedMessage, signature.r, signature.s);
    }

    /// @notice The same with signer number and hint.
    function hintedUpdateOf(
        IEd25519TestSigner signer,
        uint8 signerNumber,
        bytes memory signedMessage
    ) internal view returns (bytes memory) {
        Ed25519TestSignature memory signature = signer.sign(signedMessage);
        return abi.encodePacked(signedMessage, signature.r, signature.s, signerNumber, signature.xOfR);
    }

    /// @notice The 74 bytes that are signed.
    function message(PriceToSign memory price) internal pure returns (bytes memory) {
        return
            abi.encodePacked(
                DOMAIN,
                _littleEndian(price.feedId),
                _littleEndian(price.price),
                _littleEndian(price.publishTimeMs),
                _littleEndian(price.expiryMs),
                DateText.write(price.day)
            );
    }

    /// @notice An update in which one thing is not what has been signed. Everything else about it stays right.
    /// @param genuine 138 or 171 bytes; at the outermost values of a field there is no next one, and this reverts.
    function forged(bytes memory genuine, Forgery forgery) internal pure returns (bytes memory) {
        if (forgery == Forgery.OneByteLess) return _resized(genuine, genuine.length - 1);
        if (forgery == Forgery.OneByteMore) return _resized(genuine, genuine.length + 1);
        bytes memory copy = _resized(genuine, genuine.length);
        if (forgery == Forgery.FeedId) _writeNumber(copy, FEED_ID_OFFSET, _number(copy, FEED_ID_OFFSET) + 1);
        if (forgery == Forgery.Price) _writeNumber(copy, PRICE_OFFSET, _number(copy, PRICE_OFFSET) + 1);
        if (forgery == Forgery.PublishTime) {
            _writeNumber(copy, PUBLISH_TIME_OFFSET, _number(copy, PUBLISH_TIME_OFFSET) - 1);
        }
        if (forgery == Forgery.Expiry) _writeNumber(copy, EXPIRY_OFFSET, _number(copy, EXPIRY_OFFSET) - 1);
        if (forgery == Forgery.Date) {
            (, uint32 day) = CalendarDate.parse(bytes10(_word(copy, DATE_OFFSET)));
            bytes10 dayBefore = DateText.write(day - 1);
            for (uint256 i = 0; i < 10; ++i) copy[DATE_OFFSET + i] = dayBefore[i];
        }
        if (forgery == Forgery.R) _writeWord(copy, R_OFFSET, _word(copy, R_OFFSET) ^ bytes32(uint256(1)));
        if (forgery == Forgery.S) _writeWord(copy, S_OFFSET, _word(copy, S_OFFSET) ^ bytes32(uint256(1) << 248));
        if (forgery == Forgery.SPlusOrder) {
            uint256 s = LittleEndian.decode(_word(copy, S_OFFSET));
            _writeWord(copy, S_OFFSET, LittleEndian.encode(s + EdwardsCurve.ORDER));
        }
        return copy;
    }

    /// @notice The default layout, as proposeSigner takes it.
    function defaultLayout() internal pure returns (PriceMessageLayout memory) {
        return
            PriceMessageLayout({
                feedId: NumberField({offset: uint8(FEED_ID_OFFSET), width: 8, bigEndian: false}),
                price: NumberField({offset: uint8(PRICE_OFFSET), width: 8, bigEndian: false}),
                priceDecimals: 8,
                priceExponent: NumberField({offset: 0, width: 0, bigEndian: false}),
                publishTime: TimeField({
                    offset: uint8(PUBLISH_TIME_OFFSET),
                    width: 8,
                    bigEndian: false,
                    inSeconds: false
                }),
                expiry: TimeField({offset: uint8(EXPIRY_OFFSET), width: 8, bigEndian: false, inSeconds: false}),
                dateOffset: uint8(DATE_OFFSET),
                constantBytes: abi.encodePacked(DOMAIN, new bytes(R_OFFSET - FEED_ID_OFFSET))
            });
    }

    function _littleEndian(uint64 number) private pure returns (bytes8) {
        // The lowest byte comes first, so the eight of the number are the first of the 32.
        return bytes8(LittleEndian.encode(number));
    }

    function _resized(bytes memory source, uint256 length) private pure returns (bytes memory copy) {
        copy = new bytes(length);
        for (uint256 i = 0; i < length && i < source.length; ++i) copy[i] = source[i];
    }

    function _number(bytes memory source, uint256 offset) private pure returns (uint64 number) {
        for (uint256 i = 8; i != 0; --i) number = (number << 8) | uint8(source[offset + i - 1]);
    }

    function _word(bytes memory source, uint256 offset) private pure returns (bytes32 word) {
        for (uint256 i = 0; i < 32 && offset + i < source.length; ++i) word |= bytes32(source[offset + i]) >> (8 * i);
    }

    function _writeWord(bytes memory target, uint256 offset, bytes32 word) private pure {
        for (uint256 i = 0; i < 32; ++i) target[offset + i] = word[i];
    }

    function _writeNumber(bytes memory target, uint256 offset, uint64 number) private pure {
        bytes8 encoding = _littleEndian(number);
        for (uint256 i = 0; i < 8; ++i) target[offset + i] = encoding[i];
    }
}
