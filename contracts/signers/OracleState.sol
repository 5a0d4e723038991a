// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @dev What every read and every update needs to know of the whole oracle, in one slot:
///
///      | bits    | what                                                                      |
///      |---------|---------------------------------------------------------------------------|
///      | 0-63    | revoked signers: bit n for signer n                                       |
///      | 64-95   | signers that are usable or may become so: four numbers, newest in the lowest byte, 0 for none |
///      | 96-103  | how many signers have ever been added                                     |
///      | 104     | paused                                                                    |
///      | 105     | the live signers do not all have the same message format                  |
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

    function withSeveralFormats(OracleState state, bool several) internal pure returns (OracleState) {
        uint256 rest = OracleState.unwrap(state) & ~SEVERAL_FORMATS_BIT;
        return OracleState.wrap(several ? rest | SEVERAL_FORMATS_BIT : rest);
    }

    function withPaused(OracleState state, bool paused) internal pure returns (OracleState) {
        uint256 rest = OracleState.unwrap(state) & ~PAUSED_BIT;
        return OracleState.wrap(paused ? rest | PAUSED_BIT : rest);
    }
}
