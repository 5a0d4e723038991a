// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict} from "../../../contracts/ed25519/IEd25519Verifier.sol";
import {LatestPrice, LatestPriceLibrary} from "../../../contracts/LatestPrice.sol";
import {PendingUpdate, PendingUpdateLibrary} from "../../../contracts/PendingUpdate.sol";
import {TestBase} from "../TestBase.sol";

contract PendingUpdateTest is TestBase {
    using PendingUpdateLibrary for PendingUpdate[];

    function testFuzzWhatIsPackedIsRead(uint64 feedId, uint256 content, bool hinted) external pure {
        content %= 1 << 176;
        PendingUpdate update = PendingUpdateLibrary.toVerify(feedId, LatestPrice.wrap(content), hinted);
        _expectParts(update, feedId, content, hinted);
        vm.assertTrue(update.isToVerify(), "to verify");
        vm.assertFalse(update.isSkipped(), "not skipped");
        vm.assertFalse(update.isLeftToItsTurn(), "not left to its turn");
        vm.assertFalse(update.isValid(), "not valid before a verdict");
        vm.assertEq(update.verdict(), uint256(Ed25519Verdict.InvalidSignature), "no verdict is the safe one");
    }

    function testFuzzAVerdictLeavesTheRest(uint64 feedId, uint256 content, bool hinted, uint8 verdict) external pure {
        content %= 1 << 176;
        verdict = uint8(within(verdict, 0, uint256(type(Ed25519Verdict).max)));
        PendingUpdate update = PendingUpdateLibrary.toVerify(feedId, LatestPrice.wrap(content), hinted);
        PendingUpdate judged = update.withVerdict(verdict);
        _expectParts(judged, feedId, content, hinted);
        vm.assertFalse(judged.isToVerify(), "no longer to verify");
        vm.assertFalse(judged.isLeftToItsTurn(), "not left to its turn");
        vm.assertEq(judged.verdict(), verdict, "verdict");
        vm.assertEq(judged.isValid(), verdict == uint256(Ed25519Verdict.Valid), "valid");
    }

    /// @dev Two are of a group if one call of a verifier can judge both.
    function testFuzzGroups(
        uint64[2] memory feedIds,
        uint256[2] memory contents,
        bool[2] memory hinted,
        bool sameSigner,
        bool isJudged
    ) external pure {
        LatestPrice one = LatestPrice.wrap(contents[0] % (1 << 176));
        LatestPrice other = LatestPrice.wrap(contents[1] % (1 << 176));
        if (sameSigner) {
            other = LatestPriceLibrary.pack(
                other.price(),
                other.publishTimeMs(),
                other.expiryMs(),
                other.day(),
                one.signer()
            );
        }
        PendingUpdate leader = PendingUpdateLibrary.toVerify(feedIds[0], one, hinted[0]);
        PendingUpdate update = PendingUpdateLibrary.toVerify(feedIds[1], other, hinted[1]);
        if (isJudged) update = update.withVerdict(uint256(Ed25519Verdict.Valid));
        bool isOfGroup = one.signer() == other.signer() && hinted[0] == hinted[1] && !isJudged;
        vm.assertEq(update.isOfGroup(leader), isOfGroup, "group");
        vm.assertFalse(PendingUpdateLibrary.LEFT_TO_ITS_TURN.isOfGroup(leader), "what is left to its turn is of none");
    }

    function testWhatIsLeftToItsTurnIsNeitherSkippedNorValid() external pure {
        PendingUpdate left = PendingUpdateLibrary.LEFT_TO_ITS_TURN;
        vm.assertTrue(left.isLeftToItsTurn(), "left to its turn");
        vm.assertFalse(left.isSkipped(), "not skipped");
        vm.assertFalse(left.isToVerify(), "not to verify");
        vm.assertFalse(left.isValid(), "not valid");
        vm.assertTrue(PendingUpdate.wrap(0).isSkipped(), "zero is skipped");
    }

    function testFuzzLists(uint256[] calldata words, uint256 index, uint256 word) external pure {
        vm.assume(words.length != 0);
        index %= words.length;
        PendingUpdate[] memory list = new PendingUpdate[](words.length);
        for (uint256 i = 0; i < words.length; ++i) list[i] = PendingUpdate.wrap(words[i]);
        bytes memory behind = abi.encode(word);
        list.write(index, PendingUpdate.wrap(word));
        for (uint256 i = 0; i < words.length; ++i) {
            uint256 expected = i == index ? word : words[i];
            vm.assertEq(PendingUpdate.unwrap(list.read(i)), expected, "read");
            vm.assertEq(PendingUpdate.unwrap(list[i]), expected, "as the compiler reads it");
        }
        vm.assertEq(list.length, words.length, "length");
        vm.assertEq(behind, abi.encode(word), "what is allocated behind it");
    }

    function _expectParts(PendingUpdate update, uint64 feedId, uint256 content, bool hinted) private pure {
        vm.assertEq(update.feedId(), feedId, "feed id");
        vm.assertEq(LatestPrice.unwrap(update.latestPrice()), content, "content");
        vm.assertEq(update.signer(), LatestPrice.wrap(content).signer(), "signer");
        vm.assertEq(update.isHinted(), hinted, "form");
    }
}
