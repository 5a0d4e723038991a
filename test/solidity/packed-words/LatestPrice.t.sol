// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Price} from "../../../contracts/interfaces/Price.sol";
import {LatestPrice, LatestPriceLibrary} from "../../../contracts/LatestPrice.sol";
import {TestBase} from "../TestBase.sol";

/// @dev Words are random as a whole where a function takes one: every other bit may be anything.
contract LatestPriceTest is TestBase {
    struct Fields {
        uint256 price;
        uint256 publishTimeMs;
        uint256 expiryMs;
        uint256 day;
        uint256 signer;
    }

    uint256 private constant CONTENT_BITS = 176;

    function testFuzzWhatIsPackedIsRead(Fields memory fields) external pure {
        fields = _fitting(fields);
        LatestPrice latest = _pack(fields);
        _expectContent(latest, fields);
        vm.assertEq(LatestPrice.unwrap(latest) >> CONTENT_BITS, 0, "nothing else");
    }

    function testFuzzAPriceIsServedInSeconds(Fields memory fields, uint256 dirt) external pure {
        fields = _fitting(fields);
        Price memory price = LatestPrice.wrap(LatestPrice.unwrap(_pack(fields)) | (dirt << CONTENT_BITS)).toPrice();
        vm.assertEq(price.price, fields.price, "price");
        vm.assertEq(price.publishTime, fields.publishTimeMs / 1000, "publish time");
        vm.assertEq(price.expiry, fields.expiryMs / 1000, "expiry");
        vm.assertEq(price.day, fields.day, "day");
    }

    function testFuzzTimesThatDoNotFitAreRefused(Fields memory fields, uint8 which, uint256 tooLarge) external {
        fields = _fitting(fields);
        which %= 3;
        if (which == 0) fields.publishTimeMs = within(tooLarge, 1 << 44, type(uint256).max);
        if (which == 1) fields.expiryMs = within(tooLarge, 1 << 44, type(uint256).max);
        if (which == 2) fields.day = within(tooLarge, 1 << 22, type(uint256).max);
        vm.expectRevert(
            abi.encodeWithSelector(
                LatestPriceLibrary.LatestPriceOverflow.selector,
                fields.publishTimeMs,
                fields.expiryMs,
                fields.day
            )
        );
        this.pack(fields);
    }

    function testFuzzPausing(uint256 word) external pure {
        LatestPrice latest = LatestPrice.wrap(word);
        vm.assertTrue(latest.withPaused(true).isPaused(), "paused");
        vm.assertFalse(latest.withPaused(false).isPaused(), "not paused");
        _expectOnly(latest.withPaused(true), word, 176, 1);
        _expectOnly(latest.withPaused(false), word, 176, 1);
        vm.assertEq(LatestPrice.unwrap(latest.withPaused(latest.isPaused())), word, "as it was");
    }

    function testFuzzWaiting(uint256 word) external pure {
        LatestPrice latest = LatestPrice.wrap(word);
        vm.assertTrue(latest.withWaiting().isWaitedFor(), "waited for");
        vm.assertEq(latest.isWaitedFor(), (word >> 177) & 1 == 1, "as the bit says");
        _expectOnly(latest.withWaiting(), word, 177, 1);
    }

    function testFuzzBands(uint256 word, uint256 band) external pure {
        LatestPrice latest = LatestPrice.wrap(word);
        band = within(band, 0, LatestPriceLibrary.NO_BAND);
        vm.assertEq(latest.withBand(band).band(), band, "band");
        _expectOnly(latest.withBand(band), word, 178, 14);
    }

    /// @dev For a price of a later date: the latest one's own. The same date's: what that was compared with.
    function testFuzzReferences(uint256 word, uint256 newerWord, uint256 daysLater) external pure {
        LatestPrice latest = LatestPrice.wrap(word);
        daysLater = within(daysLater, 0, (1 << 22) - 1 - latest.day());
        uint256 day = latest.day() + daysLater;
        (uint256 referencePrice, uint256 distance) = latest.referenceFor(day);
        if (daysLater == 0) {
            vm.assertEq(referencePrice, (word << 4) >> 196, "the reference that is stored");
            vm.assertEq(distance, (word << 1) >> 253, "the distance that is stored");
        } else {
            vm.assertEq(referencePrice, latest.price(), "the latest price");
            vm.assertEq(distance, daysLater < 7 ? daysLater : 7, "the days between, 7 for more");
        }

        // What takes its place has them for revisions.
        newerWord = (_content(newerWord) & ~(uint256((1 << 22) - 1) << 148)) | (day << 148);
        LatestPrice next = latest.replacedBy(LatestPrice.wrap(newerWord));
        (uint256 nextReference, uint256 nextDistance) = next.referenceFor(day);
        vm.assertEq(nextReference, referencePrice, "reference of a revision");
        vm.assertEq(nextDistance, distance, "its distance");
        _expectReplaced(next, word, newerWord);
    }

    function testFuzzTheFirstPriceHasNoReference(uint256 word, uint256 newerWord) external pure {
        newerWord = _content(newerWord);
        LatestPrice next = LatestPrice.wrap(word).replacedByFirst(LatestPrice.wrap(newerWord));
        (uint256 referencePrice, uint256 distance) = next.referenceFor(next.day());
        vm.assertEq(referencePrice, 0, "no reference");
        vm.assertEq(distance, 0, "no distance");
        _expectReplaced(next, word, newerWord);
    }

    function testFuzzAPriceThatHasWaitedIsTheReferenceOfItsDate(uint256 word, uint256 newerWord) external pure {
        newerWord = _content(newerWord);
        LatestPrice next = LatestPrice.wrap(word).replacedByReference(LatestPrice.wrap(newerWord));
        (uint256 referencePrice, uint256 distance) = next.referenceFor(next.day());
        vm.assertEq(referencePrice, next.price(), "itself");
        vm.assertEq(distance, 1, "as if it were the day before");
        _expectReplaced(next, word, newerWord);
    }

    function pack(Fields calldata fields) external pure returns (LatestPrice) {
        return _pack(fields);
    }

    /// @dev The newer one's content; paused and band of the feed; nothing waits.
    function _expectReplaced(LatestPrice next, uint256 word, uint256 newerWord) private pure {
        uint256 nextWord = LatestPrice.unwrap(next);
        vm.assertEq(_content(nextWord), newerWord, "content of the newer one");
        vm.assertEq(next.isPaused(), LatestPrice.wrap(word).isPaused(), "paused as before");
        vm.assertEq(next.band(), LatestPrice.wrap(word).band(), "band as before");
        vm.assertFalse(next.isWaitedFor(), "nothing waits");
        vm.assertEq(nextWord >> 255, 0, "the highest bit stays free");
    }

    function _expectContent(LatestPrice latest, Fields memory fields) private pure {
        vm.assertEq(latest.price(), fields.price, "price");
        vm.assertEq(latest.publishTimeMs(), fields.publishTimeMs, "publish time");
        vm.assertEq(latest.expiryMs(), fields.expiryMs, "expiry");
        vm.assertEq(latest.day(), fields.day, "day");
        vm.assertEq(latest.signer(), fields.signer, "signer");
    }

    /// @dev Whether only the bits of a field differ.
    function _expectOnly(LatestPrice changed, uint256 word, uint256 shift, uint256 bits) private pure {
        uint256 mask = ((1 << bits) - 1) << shift;
        vm.assertEq(LatestPrice.unwrap(changed) & ~mask, word & ~mask, "the other bits stay");
    }

    /// @dev A newer price is nothing but content: that is how updates and waiting prices hold it.
    function _content(uint256 word) private pure returns (uint256) {
        return word % (1 << CONTENT_BITS);
    }

    function _fitting(Fields memory fields) private pure returns (Fields memory) {
        fields.price %= 1 << 60;
        fields.publishTimeMs %= 1 << 44;
        fields.expiryMs %= 1 << 44;
        fields.day %= 1 << 22;
        fields.signer %= 64;
        return fields;
    }

    function _pack(Fields memory fields) private pure returns (LatestPrice) {
        return LatestPriceLibrary.pack(fields.price, fields.publishTimeMs, fields.expiryMs, fields.day, fields.signer);
    }
}
