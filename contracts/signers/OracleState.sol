// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PackedLayout} from "../message/PackedLayout.sol";

/// @dev What every read and every update needs to know of the whole oracle, in one slot:
///
///      | bits    | what                                                                      |
///      |---------|---------------------------------------------------------------------------|
///      | 0-63    | revoked signers: bit n for signer n                                       |
///      | 64-95   | signers that are usable or may become so: four numbers, newest in the lowest byte, 0 for none |
///      | 96-103  | how many signers have ever been added                                     |
///      | 104     | paused                                                                    |
///      | 105     | the live signers do not all have the same message format                  |
///      | 106-189 | the layout of the format that they share; nothing if there is none        |
///      | 190-253 | first 8 bytes of the hash of that format's constant bytes                 |
///
///      With the shared format in it, this slot and the feed's are all that is read for an update that is not newer, and
///      one slot of the signer's record more for one that is.
type OracleState is uint256;

using OracleStateLibrary for OracleState global;

/// @title Reads and changes the packed state of the oracle
library OracleStateLibrary {
    uint256 internal constant MAX_LIVE_SIGNERS = 4;

    uint256 private constant LIVE_SHIFT = 64;
    uint256 private constant LIVE_MASK = 0xffffffff;
    uint256 private constant COUNT_SHIFT = 96;
    uint256 private constant PAUSED_BIT = 1 << 104;
    uint256 private constant SEVERAL_FORMATS_BIT = 1 << 105;
    uint256 private constant LAYOUT_SHIFT = 106;
    uint256 private constant LAYOUT_MASK = (1 << 84) - 1;
    uint256 private constant TAG_SHIFT = 190;
    uint256 private constant TAG_MASK = type(uint64).max;
    /// @dev All that is said about formats stands from here on.
    uint256 private constant FORMAT_SHIFT = 105;

    function isRevoked(OracleState state, uint256 signer) internal pure returns (bool) {
        return (OracleState.unwrap(state) >> signer) & 1 != 0;
    }

    /// @return The live signers' numbers, one a byte, newest lowest: shift right by 8 for the next, 0 ends the list.
    function liveSigners(OracleState state) internal pure returns (uint256) {
        return (OracleState.unwrap(state) >> LIVE_SHIFT) & LIVE_MASK;
    }

    function signerCount(OracleState state) internal pure returns (uint256) {
        return (OracleState.unwrap(state) >> COUNT_SHIFT) & 0xff;
    }

    /// @return Whether a signer is usable or may become so.
    function isLive(OracleState state, uint256 signer) internal pure returns (bool) {
        for (uint256 live = state.liveSigners(); live != 0; live >>= 8) {
            if (live & 0xff == signer) return true;
        }
        return false;
    }

    /// @return Layout of the live signers' messages; meaningful when there are some and they share a format.
    function sharedLayout(OracleState state) internal pure returns (PackedLayout) {
        return PackedLayout.wrap(uint96((OracleState.unwrap(state) >> LAYOUT_SHIFT) & LAYOUT_MASK));
    }

    /// @return The tag of the shared format's constant bytes, see `tagOf`.
    function sharedConstantsTag(OracleState state) internal pure returns (uint256) {
        return (OracleState.unwrap(state) >> TAG_SHIFT) & TAG_MASK;
    }

    /// @dev The first 8 bytes of a hash of constant bytes. They are enough, because they do not keep forgers out, the
    ///      signature does: what they tell apart are formats that the same key may have signed, now or some day.
    function tagOf(bytes32 constantsHash) internal pure returns (uint256) {
        return uint256(constantsHash) >> 192;
    }

    function isPaused(OracleState state) internal pure returns (bool) {
        return OracleState.unwrap(state) & PAUSED_BIT != 0;
    }

    /// @return Whether a message has to be looked at to tell whose format it is of.
    function hasSeveralFormats(OracleState state) internal pure returns (bool) {
        return OracleState.unwrap(state) & SEVERAL_FORMATS_BIT != 0;
    }

    /// @dev The caller makes sure that the signer's number is at most 63.
    function withRevoked(OracleState state, uint256 signer) internal pure returns (OracleState) {
        return OracleState.wrap(OracleState.unwrap(state) | (1 << signer));
    }

    /// @dev The caller makes sure that there is room: the highest byte of the list is dropped.
    function withNewSigner(OracleState state, uint256 signer) internal pure returns (OracleState) {
        uint256 live = ((state.liveSigners() << 8) | signer) & LIVE_MASK;
        uint256 rest = OracleState.unwrap(state.withLiveSigners(live)) & ~(uint256(0xff) << COUNT_SHIFT);
        return OracleState.wrap(rest | (signer << COUNT_SHIFT));
    }

    function withLiveSigners(OracleState state, uint256 live) internal pure returns (OracleState) {
        return OracleState.wrap((OracleState.unwrap(state) & ~(LIVE_MASK << LIVE_SHIFT)) | (live << LIVE_SHIFT));
    }

    /// @dev The live signers' messages have more than one format, or there is no live signer.
    function withoutSharedFormat(OracleState state, bool several) internal pure returns (OracleState) {
        uint256 rest = OracleState.unwrap(state) & ((1 << FORMAT_SHIFT) - 1);
        return OracleState.wrap(several ? rest | SEVERAL_FORMATS_BIT : rest);
    }

    function withSharedFormat(
        OracleState state,
        PackedLayout messageLayout,
        bytes32 constantsHash
    ) internal pure returns (OracleState) {
        uint256 rest = OracleState.unwrap(state.withoutSharedFormat(false));
        uint256 layoutBits = uint256(PackedLayout.unwrap(messageLayout)) << LAYOUT_SHIFT;
        return OracleState.wrap(rest | layoutBits | (tagOf(constantsHash) << TAG_SHIFT));
    }

    function withPaused(OracleState state, bool paused) internal pure returns (OracleState) {
        uint256 rest = OracleState.unwrap(state) & ~PAUSED_BIT;
        return OracleState.wrap(paused ? rest | PAUSED_BIT : rest);
    }
}
