// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {WaitingPrice} from "../../../contracts/guard/WaitingPrice.sol";
import {LatestPrice} from "../../../contracts/LatestPrice.sol";
import {TestBase} from "../TestBase.sol";

/// @dev Words are random as a whole.
contract WaitingPriceTest is TestBase {
    uint256 private constant CONTENT_BITS = 176;

    /// @dev Whatever is above the content of the price that is to wait stays outside.
    function testFuzzWhatIsPackedIsRead(uint256 word, uint256 latestWord, uint256 since) external pure {
        since %= 1 << 34;
        WaitingPrice waiting = WaitingPrice.wrap(word).replacedBy(LatestPrice.wrap(latestWord), since);
        vm.assertEq(LatestPrice.unwrap(waiting.content()), latestWord % (1 << CONTENT_BITS), "content");
        vm.assertEq(waiting.since(), since, "since");
        vm.assertEq(waiting.vetoedUpToMs(), WaitingPrice.wrap(word).vetoedUpToMs(), "veto as before");
        vm.assertEq(waiting.isWaiting(), LatestPrice.wrap(latestWord).price() != 0, "waits");
    }

    function testFuzzAVetoIsOfWhatHasWaited(uint256 word) external pure {
        WaitingPrice vetoed = WaitingPrice.wrap(word).vetoed();
        vm.assertEq(vetoed.vetoedUpToMs(), WaitingPrice.wrap(word).content().publishTimeMs(), "its publish time");
        vm.assertFalse(vetoed.isWaiting(), "nothing waits");
        vm.assertEq(vetoed.since(), 0, "since never");
        vm.assertEq(LatestPrice.unwrap(vetoed.content()), 0, "no content");
    }

    function testFuzzWhatIsVetoedWasPublishedByThen(uint256 word, uint256 publishTimeMs) external pure {
        WaitingPrice waiting = WaitingPrice.wrap(word);
        publishTimeMs = within(publishTimeMs, 1, 1 << 44);
        uint256 upToMs = waiting.vetoedUpToMs();
        vm.assertEq(waiting.hasVetoed(publishTimeMs), publishTimeMs <= upToMs, "published by then");
        vm.assertEq(waiting.hasVetoed(upToMs), upToMs != 0, "0: nothing has been vetoed");
        vm.assertFalse(waiting.hasVetoed(upToMs + 1), "published later");
    }

    function testFuzzTheEndOfAWaitKeepsTheVeto(uint256 word) external pure {
        WaitingPrice ended = WaitingPrice.wrap(word).ended();
        vm.assertEq(ended.vetoedUpToMs(), WaitingPrice.wrap(word).vetoedUpToMs(), "veto as before");
        vm.assertFalse(ended.isWaiting(), "nothing waits");
        vm.assertEq(ended.since(), 0, "since never");
        vm.assertEq(LatestPrice.unwrap(ended.content()), 0, "no content");
    }

    function testFuzzReadsOfAnyWord(uint256 word) external pure {
        WaitingPrice waiting = WaitingPrice.wrap(word);
        vm.assertEq(LatestPrice.unwrap(waiting.content()), word % (1 << CONTENT_BITS), "content: bits 0 to 175");
        vm.assertEq(waiting.since(), (word >> 176) % (1 << 34), "since: bits 176 to 209");
        vm.assertEq(waiting.vetoedUpToMs(), (word >> 210) % (1 << 44), "veto: bits 210 to 253");
        vm.assertEq(waiting.isWaiting(), word % (1 << 60) != 0, "waits if there is a price");
    }
}
