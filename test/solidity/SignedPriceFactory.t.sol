// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IHomePriceOracle} from "../../contracts/interfaces/IHomePriceOracle.sol";
import {ParsedPrice} from "../../contracts/interfaces/Price.sol";
import {HomePriceTest, PriceKind} from "../../contracts/testing-kit/HomePriceTest.sol";
import {Forgery, PriceToSign, SignedPriceFactory} from "../../contracts/testing-kit/SignedPriceFactory.sol";
import {TestBase} from "./TestBase.sol";

contract SignedPriceFactoryTest is TestBase, HomePriceTest {
    uint64 private constant MARKET = 5_826_765;
    uint64 private constant OFFSET = 2_000_000_000;
    uint256 private constant LAST_DAY = 2_932_890;

    function homePriceArtifacts() internal pure override returns (string memory) {
        return ARTIFACTS;
    }

    function testTheDomainIsTheHashOfItsText() external pure {
        vm.assertEq(SignedPriceFactory.DOMAIN, sha256("home-price-oracle/price-message/v1"), "domain");
    }

    function testAMessageByteByByte() external pure {
        bytes memory message = SignedPriceFactory.message(
            PriceToSign({
                feedId: 0x0102030405060708,
                price: 0x1112131415161718,
                publishTimeMs: 0x2122232425262728,
                expiryMs: 0x3132333435363738,
                day: 20_514
            })
        );
        vm.assertEq(
            message,
            bytes.concat(
                hex"f2300b11ee892955bafa8749406daffa6970cb01b498f7705eda21a3a71825f6",
                hex"0807060504030201_1817161514131211_2827262524232221_3837363534333231",
                "2026-03-02"
            ),
            "message"
        );
    }

    /// @dev What the oracle reads is what has been signed, whatever it is, in both forms.
    function testFuzzTheOracleReadsWhatIsSigned(
        uint64 feedId,
        uint64 price,
        uint64 publishTimeMs,
        uint64 expiryMs,
        uint32 day,
        bool hinted
    ) external view {
        PriceToSign memory said = _consistent(feedId, price, publishTimeMs, expiryMs, day);
        ParsedPrice memory read = homePriceOracle.parsePrices(listOf(_signed(said, hinted)))[0];
        vm.assertEq(read.feedId, said.feedId, "feed id");
        vm.assertEq(read.signer, HOME_PRICE_SIGNER, "signer");
        vm.assertEq(read.price.price, said.price, "price");
        vm.assertEq(read.price.publishTime, said.publishTimeMs / 1000, "publish time");
        vm.assertEq(read.price.expiry, said.expiryMs / 1000, "expiry");
        vm.assertEq(read.price.day, said.day, "day");
    }

    /// @dev Neither stored nor parsed, and refused for what is wrong with it.
    function testFuzzForgeriesAreRefused(
        uint64 marketId,
        bool isRental,
        uint64 price,
        uint8 forgeryNumber,
        bool hinted
    ) external {
        Forgery forgery = Forgery(within(forgeryNumber, 0, uint256(type(Forgery).max)));
        // The next feed id and the next price exist as well.
        uint64 feedId = feedIdOf(
            uint64(within(marketId, 1, OFFSET - 2)),
            isRental ? PriceKind.Rental : PriceKind.Sales
        );
        PriceToSign memory said = SignedPriceFactory.publishedAt(
            currentTime(),
            feedId,
            uint64(within(price, 1, (1 << 60) - 2))
        );
        bytes memory genuine = _signed(said, hinted);
        bytes memory update = SignedPriceFactory.forged(genuine, forgery);

        bytes memory reason = abi.encodeWithSelector(IHomePriceOracle.InvalidSignature.selector, HOME_PRICE_SIGNER);
        if (update.length != genuine.length) {
            reason = abi.encodeWithSelector(IHomePriceOracle.InvalidUpdateLength.selector, update.length);
        }
        if (forgery == Forgery.R && hinted) {
            uint256 xOfR = homePriceSigner.sign(SignedPriceFactory.message(said)).xOfR;
            reason = abi.encodeWithSelector(IHomePriceOracle.WrongHint.selector, HOME_PRICE_SIGNER, xOfR);
        }
        bytes memory failure = abi.encodeWithSelector(IHomePriceOracle.InvalidUpdate.selector, 0, reason);
        vm.expectRevert(failure);
        homePriceOracle.updatePrices(listOf(update));
        vm.expectRevert(failure);
        homePriceOracle.parsePrices(listOf(update));
        vm.assertFalse(homePriceOracle.tryUpdatePrices(listOf(update))[0], "passed over");
        vm.assertEq(homePriceOracle.priceUnsafe(feedId).price, 0, "nothing is stored");
        vm.assertEq(homePriceOracle.priceUnsafe(feedId + 1).price, 0, "nothing is stored of the next feed");

        vm.assertTrue(bringUpdate(genuine), "the genuine one is taken");
    }

    function _signed(PriceToSign memory price, bool hinted) private view returns (bytes memory) {
        return
            hinted
                ? SignedPriceFactory.hintedUpdate(homePriceSigner, HOME_PRICE_SIGNER, price)
                : SignedPriceFactory.update(homePriceSigner, price);
    }

    /// @dev Any price that agrees with itself, at any time.
    function _consistent(
        uint64 feedId,
        uint64 price,
        uint64 publishTimeMs,
        uint64 expiryMs,
        uint32 day
    ) private pure returns (PriceToSign memory said) {
        said.feedId = uint64(within(feedId, 1, 2 * uint256(OFFSET) - 1));
        if (said.feedId == OFFSET) said.feedId = MARKET;
        said.price = uint64(within(price, 1, (1 << 60) - 1));
        said.day = uint32(within(day, 0, LAST_DAY));
        uint256 startMs = uint256(said.day) * 1 days * 1000;
        said.publishTimeMs = uint64(within(publishTimeMs, startMs, startMs + 10 * 365 days * 1000));
        said.expiryMs = uint64(within(expiryMs, startMs + 1, startMs + 72 hours * 1000));
    }
}
