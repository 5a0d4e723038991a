// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

// What Hardhat runs: Foundry runs it too, because it is imported.
// solhint-disable-next-line no-unused-import
import {HomePriceTestTest} from "../solidity/HomePriceTest.t.sol";
// solhint-disable-next-line no-unused-import
import {SignedPriceFactoryTest} from "../solidity/SignedPriceFactory.t.sol";
