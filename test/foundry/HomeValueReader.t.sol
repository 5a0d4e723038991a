// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {HomeValueReader} from "home-price-oracle/contracts/examples/HomeValueReader.sol";
import {IHomePriceOracle} from "home-price-oracle/contracts/interfaces/IHomePriceOracle.sol";
import {HomePriceTest, PriceKind} from "home-price-oracle/contracts/testing-kit/HomePriceTest.sol";

/// @dev As forge-std declares it.
interface Vm {
    function expectRevert(bytes calldata revertData) external;
    function assertEq(uint256 left, uint256 right) external pure;
}

/// @dev What a project has from forge-std: the kit has to go together with it.
abstract contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
}

/// @dev The test of a consumer's contract, as a consumer writes it.
contract HomeValueReaderTest is Test, HomePriceTest {
    uint64 private constant MARKET = 5_826_765;

    HomeValueReader private reader;

    function setUp() public override {
        super.setUp();
        reader = new HomeValueReader(homePriceOracle);
    }

    /// @dev A project that has installed the package needs no such override.
    function homePriceArtifacts() internal pure override returns (string memory) {
        return "artifacts/contracts/";
    }

    function testFuzzValueFollowsThePrice(uint64 price, uint64 tomorrowsPrice, uint32 squareFeet) external {
        (price, tomorrowsPrice) = ((price % (1 << 59)) + 1, (tomorrowsPrice % (1 << 59)) + 1);
        bring(MARKET, PriceKind.Sales, price);
        vm.assertEq(reader.valueOf(MARKET, squareFeet), uint256(price) * squareFeet);
        nextDay();
        bring(MARKET, PriceKind.Sales, tomorrowsPrice);
        vm.assertEq(reader.valueOf(MARKET, squareFeet), uint256(tomorrowsPrice) * squareFeet);
    }

    function testRentIsApart() external {
        bring(MARKET, PriceKind.Rental, 1_52000000);
        vm.assertEq(reader.monthlyRentOf(MARKET, 1_000), 1_520_00000000);
        vm.expectRevert(abi.encodeWithSelector(IHomePriceOracle.NoPrice.selector, MARKET));
        reader.valueOf(MARKET, 1_000);
    }

    function testNothingIsComputedFromAnExpiredPrice() external {
        bring(MARKET, PriceKind.Sales, 216_94000000);
        uint64 expiry = homePriceOracle.latestPrice(MARKET).expiry;
        waitUntilExpired(MARKET);
        vm.expectRevert(abi.encodeWithSelector(IHomePriceOracle.PriceExpired.selector, MARKET, expiry));
        reader.valueOf(MARKET, 1_000);
    }
}
