// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title What the guardian may do, and how it is replaced
/// @notice The guardian reacts faster than an owner behind a timelock: it pauses what is served, cancels a pending signer,
///         and decides about a price that waits outside its feed's band (IGuardRails). It cannot make a price. The owner
///         sets it, after a delay, and undoes a pause.
interface IGuardian {
    /// @notice Another guardian takes over at `effectiveFrom` (block time, seconds).
    event GuardianProposed(address indexed guardian, uint64 effectiveFrom);
    /// @notice Everything, or everything no longer, is paused.
    event PausedSet(bool paused);
    /// @notice One feed is, or is no longer, paused.
    event FeedPausedSet(uint64 indexed feedId, bool paused);

    /// @notice Only the guardian may do this.
    error NotGuardian(address caller);
    /// @notice Only the guardian or the owner may do this.
    error NotGuardianOrOwner(address caller);
    /// @notice Ownership cannot be renounced: without an owner no signer could ever be replaced.
    error RenouncingDisabled();

    /// @notice Names the next guardian; it takes over after SIGNER_DELAY. Owner only. The zero address means none.
    function setGuardian(address guardian) external;

    /// @notice The guardian now.
    function guardian() external view returns (address);

    /// @notice Stops every served read. Guardian only. Updates, history, parsePrices and priceUnsafe go on.
    function pause() external;

    /// @notice Serves again. Owner only.
    function unpause() external;

    /// @notice Whether every served read is stopped.
    function paused() external view returns (bool);

    /// @notice Stops the served reads of one feed. Guardian only.
    function pauseFeed(uint64 feedId) external;

    /// @notice Serves one feed again. Owner only.
    function unpauseFeed(uint64 feedId) external;
}
