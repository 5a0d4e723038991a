// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IGuardian} from "../interfaces/IGuardian.sol";
import {OracleState} from "./OracleState.sol";

/// @title Owner and guardian of the oracle
/// @dev The owner (two steps to hand over, meant to be a timelock) decides; the guardian stops, and judges prices that
///      wait. A new guardian takes over after the signer delay, so that whatever an owner's stolen key proposes meets the
///      guardian of today.
abstract contract Guarded is IGuardian, Ownable2Step {
    /// @dev The whole oracle's packed state; inheriting contracts read and change it too.
    OracleState internal _state;

    address private _guardian;
    address private _nextGuardian;
    /// @dev Block time from which `_nextGuardian` is the guardian; 0 when no change is under way.
    uint64 private _nextGuardianFrom;

    constructor(address initialOwner, address initialGuardian) Ownable(initialOwner) {
        _guardian = initialGuardian;
        emit GuardianProposed(initialGuardian, uint64(block.timestamp));
    }

    modifier onlyGuardian() {
        if (msg.sender != guardian()) revert NotGuardian(msg.sender);
        _;
    }

    modifier onlyGuardianOrOwner() {
        if (msg.sender != guardian() && msg.sender != owner()) revert NotGuardianOrOwner(msg.sender);
        _;
    }

    /// @inheritdoc IGuardian
    function setGuardian(address newGuardian) external override onlyOwner {
        _guardian = guardian();
        _nextGuardian = newGuardian;
        _nextGuardianFrom = uint64(_afterGovernanceDelay());
        emit GuardianProposed(newGuardian, _nextGuardianFrom);
    }

    /// @inheritdoc IGuardian
    function pause() external override onlyGuardian {
        _state = _state.withPaused(true);
        emit PausedSet(true);
    }

    /// @inheritdoc IGuardian
    function unpause() external override onlyOwner {
        _state = _state.withPaused(false);
        emit PausedSet(false);
    }

    /// @inheritdoc IGuardian
    function guardian() public view override returns (address) {
        bool changed = _nextGuardianFrom != 0 && block.timestamp >= _nextGuardianFrom;
        return changed ? _nextGuardian : _guardian;
    }

    /// @inheritdoc IGuardian
    function paused() public view override returns (bool) {
        return _state.isPaused();
    }

    /// @notice Disabled: without an owner no signer could ever be replaced.
    function renounceOwnership() public view override onlyOwner {
        revert RenouncingDisabled();
    }

    /// @dev Block time, in seconds, from which a widening of powers holds that is decided now.
    function _afterGovernanceDelay() internal view virtual returns (uint256);
}
