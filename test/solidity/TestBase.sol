// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev The cheat codes that these tests use; Foundry and Hardhat's Solidity tests answer them at the same address.
interface Vm {
    function warp(uint256 newTimestamp) external;
    function getBlockTimestamp() external view returns (uint256 timestamp);
    function prank(address msgSender) external;
    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes calldata revertData) external;
    function toString(uint256 value) external pure returns (string memory text);
    function assertTrue(bool condition, string calldata reason) external pure;
    function assertFalse(bool condition, string calldata reason) external pure;
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata reason) external pure;
    function assertEq(address left, address right, string calldata reason) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata reason) external pure;
    function assertEq(bool left, bool right, string calldata reason) external pure;
}

/// @title Base of all tests here
abstract contract TestBase {
    /// @dev bytes20(uint160(uint256(keccak256("hevm cheat code"))))
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @dev From the root of the repository.
    string internal constant ARTIFACTS = "artifacts/contracts/";

    /// @dev Maps a random number into a range, bounds included; small ranges evenly enough.
    function within(uint256 random, uint256 lowest, uint256 highest) internal pure returns (uint256) {
        if (random >= lowest && random <= highest) return random;
        return lowest + (random % (highest - lowest + 1));
    }
}
