// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {PackedLayout} from "../message/PackedLayout.sol";
import {PriceMessageLayout} from "../message/PriceMessageLayout.sol";

/// @notice Where a signer stands now.
/// @param Unknown No signer has this number.
/// @param Pending Proposed; usable when its delay is over.
/// @param Usable What it signed for its span of publish times is accepted (a planned retirement may be set).
/// @param Retired Its retirement was more than RETIREMENT_GRACE ago: no longer usable at all.
/// @param Revoked Its key has leaked: nothing it signed is accepted or served.
/// @param Cancelled Withdrawn before it became usable.
enum SignerStatus {
    Unknown,
    Pending,
    Usable,
    Retired,
    Revoked,
    Cancelled
}

/// @notice Everything that is known of a signer.
/// @param publicKey Ed25519 public key, RFC 8032 encoding.
/// @param verifier The contract that verifies signatures of this key; derived from the key on-chain.
/// @param status Where it stands now.
/// @param usableFrom Block time in seconds from which it is usable.
/// @param validFrom Publish times from here on, in seconds, are its own.
/// @param retirement Publish times from here on, in seconds, are no longer; 0 when no retirement is set.
/// @param revokedSinceDay Prices it signed for days from this one on are void; meaningful when revoked.
/// @param messageLayout Packed layout of its messages.
/// @param constantsHash keccak256 of a message's 74 bytes with zero under every field.
struct SignerInfo {
    bytes32 publicKey;
    address verifier;
    SignerStatus status;
    uint64 usableFrom;
    uint64 validFrom;
    uint64 retirement;
    uint32 revokedSinceDay;
    PackedLayout messageLayout;
    bytes32 constantsHash;
}

/// @title Who may sign prices, and how that changes
/// @notice A signer is an Ed25519 key with the layout of its messages and a span of publish times. Its number is never
///         used again. A change of key or of format is a new signer, added with a delay, so that the oracle's address
///         and everything built on it survive the change.
interface ISignerRegistry {
    /// @notice A signer has been added.
    /// @param usableFrom Block time in seconds from which it is usable.
    /// @param validFrom Publish times from here on, in seconds, are its own.
    event SignerProposed(
        uint8 indexed signer,
        bytes32 indexed publicKey,
        address verifier,
        uint64 usableFrom,
        uint64 validFrom,
        PriceMessageLayout messageLayout
    );
    /// @notice A pending signer has been withdrawn.
    event SignerCancelled(uint8 indexed signer);
    /// @notice A signer's publish times end at `retirement` (seconds).
    event SignerRetired(uint8 indexed signer, uint64 retirement);
    /// @notice A signer's key is void, and so is every price that it signed for days from `sinceDay` on.
    event SignerRevoked(uint8 indexed signer, uint32 sinceDay);

    /// @notice The delay is neither within 1 hour to 14 days nor, on a local chain, 0.
    error InvalidSignerDelay(uint256 signerDelay);
    /// @notice There is no contract at the verifier factory's address.
    error InvalidVerifierFactory(address factory);
    /// @notice All 63 signer numbers have been used.
    error SignerNumbersExhausted();
    /// @notice Four signers are usable or about to be: one has to be retired, revoked or cancelled first.
    error TooManyUsableSigners();
    /// @notice This key belongs to a revoked signer; it can never sign again.
    error PublicKeyRevoked(bytes32 publicKey, uint8 signer);
    /// @notice A signer of the same key already has publish times from `validFrom` on.
    error SignerOverlap(uint8 signer, uint64 validFrom);
    /// @notice A time in seconds that is further away than a signer's record can hold.
    error TimeOutOfRange(uint64 time);
    /// @notice The signer is not in a state in which this can be done.
    error SignerStatusIs(uint8 signer, SignerStatus status);
    /// @notice A retirement lies in the past, or after one already set.
    error InvalidRetirement(uint8 signer, uint64 retirement);

    /// @notice Adds a signer, usable after SIGNER_DELAY. Owner only. Deploys the key's verifier where it is missing.
    /// @param publicKey Canonical, on the curve and of prime order, or the factory's error says what is wrong.
    /// @param messageLayout Layout of this signer's messages.
    /// @param validFrom First publish time, in seconds, that is accepted from it.
    /// @return signer Its number.
    function proposeSigner(
        bytes32 publicKey,
        PriceMessageLayout calldata messageLayout,
        uint64 validFrom
    ) external returns (uint8 signer);

    /// @notice Withdraws a pending signer. Guardian or owner.
    function cancelSigner(uint8 signer) external;

    /// @notice Plans the end of a signer: publish times from `retirement` on are not accepted, and RETIREMENT_GRACE
    ///         later nothing is. Owner only. A retirement can be moved earlier, never later; one at or
    ///         before the first publish time leaves the signer none.
    /// @param retirement In seconds; not in the past.
    function retireSigner(uint8 signer, uint64 retirement) external;

    /// @notice Voids a signer at once and for ever, because its key has leaked. Owner only.
    /// @param sinceDay Prices for days before this one keep their place in the history.
    function revokeSigner(uint8 signer, uint32 sinceDay) external;

    /// @notice Seconds between the proposal of a signer and its use.
    function SIGNER_DELAY() external view returns (uint256);

    /// @notice How many signers have ever been added; the newest has this number.
    function signerCount() external view returns (uint8);

    /// @notice Everything that is known of a signer.
    function signerInfo(uint8 signer) external view returns (SignerInfo memory);

    /// @notice The signers that are usable now, newest first.
    function usableSigners() external view returns (uint8[] memory);
}
