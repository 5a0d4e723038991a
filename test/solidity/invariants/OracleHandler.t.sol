// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {TestBase} from "../TestBase.sol";
import {OracleHandler} from "./OracleHandler.sol";
import {Happening} from "./OracleModel.sol";

/// @dev Whether random steps come to everything that the invariants are about.
contract OracleHandlerTest is TestBase {
    uint256 private constant RUNS = 32;
    uint256 private constant STEPS = 64;

    function testRandomStepsBringEverythingAbout() external {
        uint256[] memory times = new uint256[](uint256(type(Happening).max) + 1);
        for (uint256 run = 0; run < RUNS; ++run) {
            OracleHandler handler = new OracleHandler();
            for (uint256 step = 0; step < STEPS; ++step) _do(handler, uint256(keccak256(abi.encode(run, step))));
            for (uint256 i = 0; i < times.length; ++i) times[i] += handler.happened(Happening(i));
        }
        for (uint256 i = 0; i < times.length; ++i) {
            vm.assertTrue(times[i] != 0, string.concat("never: ", vm.toString(i)));
        }
    }

    /// @dev Each as often as a runner would do it.
    function _do(OracleHandler handler, uint256 random) private {
        uint256 action = random % 8;
        if (action == 0) handler.bring(random);
        else if (action == 1) handler.bringTame(random);
        else if (action == 2) handler.bringBatch(random);
        else if (action == 3) handler.bringJunk(random, abi.encode(random));
        else if (action == 4) handler.passTime(random);
        else if (action == 5) handler.guard(random);
        else if (action == 6) handler.govern(random);
        else handler.trespass(random, address(uint160(random >> 8)));
    }
}
