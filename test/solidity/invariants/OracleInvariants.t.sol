// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {DailyPrice, PendingPrice, Price} from "../../../contracts/interfaces/Price.sol";
import {ITestHomePriceOracle} from "../../../contracts/testing-kit/TestHomePriceOracle.sol";
import {TestBase} from "../TestBase.sol";
import {OracleHandler} from "./OracleHandler.sol";

/// @dev What holds after whatever anybody has done. Besides, the handler compares everything with its model after every
///      step.
contract OracleInvariantsTest is TestBase {
    /// @dev Functions of a contract that the runner is to call, as both runners know it.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    /// @dev Publishing for a whole quarantine costs as much as many steps, so that it is done after one of so many.
    uint256 private constant STEPS_A_PUBLICATION = 16;

    OracleHandler private handler;
    ITestHomePriceOracle private oracle;

    function setUp() external {
        handler = new OracleHandler();
        oracle = handler.ORACLE();
    }

    /// @dev What the runner calls, and nothing else.
    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        targets[0].selectors = new bytes4[](8);
        targets[0].selectors[0] = handler.bring.selector;
        targets[0].selectors[1] = handler.bringTame.selector;
        targets[0].selectors[2] = handler.bringBatch.selector;
        targets[0].selectors[3] = handler.bringJunk.selector;
        targets[0].selectors[4] = handler.passTime.selector;
        targets[0].selectors[5] = handler.guard.selector;
        targets[0].selectors[6] = handler.govern.selector;
        targets[0].selectors[7] = handler.trespass.selector;
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev One function, as runners make runs of their own for each.
    function invariantTheRulesHold() external {
        _everyPriceWasSignedByASignerUsableThen();
        _aSettledDateNeverChanges();
        _aWaitingPriceIsNotInTheHistory();
        _noSequenceFreezesAFeed();
    }

    /// @dev Never a price without a valid signature by a signer that was usable for it then, for this very feed:
    ///      neither the latest, nor one that waits, nor one of a date.
    function _everyPriceWasSignedByASignerUsableThen() private view {
        for (uint256 i = 0; i < handler.FEEDS(); ++i) {
            uint64 feedId = handler.feedAt(i);
            Price memory latest = oracle.priceUnsafe(feedId);
            if (latest.price != 0) _requireSanctioned(feedId, latest.price, latest.publishTime, latest.day);
            PendingPrice memory pending = oracle.pendingPrice(feedId);
            if (pending.waitingSince != 0) {
                uint256 signers = _requireSanctioned(
                    feedId,
                    pending.price.price,
                    pending.price.publishTime,
                    pending.price.day
                );
                vm.assertTrue((signers >> pending.signer) & 1 == 1, "signer of a pending price");
            }
            for (uint256 day = handler.START() / 1 days - 3; day <= vm.getBlockTimestamp() / 1 days + 1; ++day) {
                DailyPrice memory daily = oracle.priceOnUnsafe(feedId, uint32(day));
                if (daily.price == 0) continue;
                uint256 signers = _requireSanctioned(feedId, daily.price, daily.publishTime, daily.day);
                vm.assertTrue((signers >> daily.signer) & 1 == 1, "signer of a past price");
            }
        }
    }

    /// @dev From when a date is final, its price never changes; it is voided by the revocation of its signer for this
    ///      date, and by nothing else.
    function _aSettledDateNeverChanges() private view {
        for (uint256 i = 0; i < handler.FEEDS(); ++i) {
            uint64 feedId = handler.feedAt(i);
            for (uint256 day = handler.START() / 1 days - 3; day < handler.settledBefore(); ++day) {
                (bool isThere, bytes memory answer) = address(oracle).staticcall(
                    abi.encodeCall(oracle.settlementPrice, (feedId, uint32(day)))
                );
                uint8 signer = handler.settledSigner(feedId, day);
                bool isVoided = handler.isRevoked(signer) && day >= handler.revokedSinceDay(signer);
                vm.assertEq(isThere, signer != 0 && !isVoided, "whether a settled date has a price");
                if (isThere) vm.assertEq(keccak256(answer), handler.settled(feedId, day), "a settled date has changed");
            }
        }
    }

    /// @dev A price that waits has never been the price of its date, or of any.
    function _aWaitingPriceIsNotInTheHistory() private view {
        for (uint256 i = 0; i < handler.FEEDS(); ++i) {
            uint64 feedId = handler.feedAt(i);
            PendingPrice memory pending = oracle.pendingPrice(feedId);
            if (pending.waitingSince == 0) continue;
            Price memory price = pending.price;
            bytes32 content = handler.contentOf(feedId, price.price, price.publishTime, price.day);
            vm.assertFalse(handler.wasTaken(content), "a waiting price was taken");
        }
    }

    /// @dev Whatever has been brought before: a consistent level is served.
    function _noSequenceFreezesAFeed() private {
        uint256 steps = handler.steps();
        if (steps % STEPS_A_PUBLICATION != STEPS_A_PUBLICATION - 1) return;
        uint256 random = uint256(keccak256(abi.encode(steps, vm.getBlockTimestamp())));
        handler.publishConsistently(random, uint64(random >> 64) >> (random % 60));
    }

    function _requireSanctioned(
        uint64 feedId,
        uint64 price,
        uint64 publishTime,
        uint32 day
    ) private view returns (uint256 signers) {
        signers = handler.sanctionedBy(handler.contentOf(feedId, price, publishTime, day));
        vm.assertTrue(signers != 0, "a price that nobody has signed");
    }
}
