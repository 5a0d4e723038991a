// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict} from "./ed25519/IEd25519Verifier.sol";
import {LatestPrice} from "./LatestPrice.sol";

/// @dev How far one update of a call has come, in one word:
///
///      | bits    | what                                                                                       |
///      |---------|--------------------------------------------------------------------------------------------|
///      | 0-175   | what it says and who has signed it, the content of a LatestPrice                           |
///      | 179     | it has a hint                                                                              |
///      | 180     | nothing is wrong with it, its signature is still to be verified                            |
///      | 181-182 | verdict on its signature; until there is one, and where there is none, `InvalidSignature`  |
///      | 183     | it has to be looked at by itself when its turn comes                                       |
///      | 192-255 | feed id                                                                                    |
///
///      Zero is an update that is not newer than what is stored: it is done with.
type PendingUpdate is uint256;

using PendingUpdateLibrary for PendingUpdate global;

/// @title Reads and changes the packed progress of an update, and lists of it
library PendingUpdateLibrary {
    PendingUpdate internal constant LEFT_TO_ITS_TURN = PendingUpdate.wrap(1 << 183);

    uint256 private constant LATEST_PRICE_MASK = (1 << 176) - 1;
    uint256 private constant HINTED_SHIFT = 179;
    uint256 private constant TO_VERIFY_BIT = 1 << 180;
    uint256 private constant VERDICT_SHIFT = 181;
    uint256 private constant FEED_ID_SHIFT = 192;
    uint256 private constant SIGNER_SHIFT = 170;
    /// @dev The signer's number inside the latest price, the form, and that there is something to verify.
    uint256 private constant GROUP_MASK = (0x3f << SIGNER_SHIFT) | (1 << HINTED_SHIFT) | TO_VERIFY_BIT;

    /// @dev An update with which nothing is wrong but, perhaps, its signature.
    function toVerify(
        uint256 newFeedId,
        LatestPrice newLatestPrice,
        bool hinted
    ) internal pure returns (PendingUpdate) {
        uint256 form = hinted ? TO_VERIFY_BIT | (1 << HINTED_SHIFT) : TO_VERIFY_BIT;
        return PendingUpdate.wrap(LatestPrice.unwrap(newLatestPrice) | form | (newFeedId << FEED_ID_SHIFT));
    }

    function isSkipped(PendingUpdate update) internal pure returns (bool) {
        return PendingUpdate.unwrap(update) == 0;
    }

    /// @return Whether nothing has been verified of it, because of what it said or because it waited.
    function isLeftToItsTurn(PendingUpdate update) internal pure returns (bool) {
        return PendingUpdate.unwrap(update) == PendingUpdate.unwrap(LEFT_TO_ITS_TURN);
    }

    function isToVerify(PendingUpdate update) internal pure returns (bool) {
        return PendingUpdate.unwrap(update) & TO_VERIFY_BIT != 0;
    }

    function isHinted(PendingUpdate update) internal pure returns (bool) {
        return (PendingUpdate.unwrap(update) >> HINTED_SHIFT) & 1 != 0;
    }

    /// @return Whether both are still to be verified, by the same signer's verifier and in the same form.
    function isOfGroup(PendingUpdate update, PendingUpdate leader) internal pure returns (bool) {
        return (PendingUpdate.unwrap(update) ^ PendingUpdate.unwrap(leader)) & GROUP_MASK == 0;
    }

    function withVerdict(PendingUpdate update, uint256 newVerdict) internal pure returns (PendingUpdate) {
        return PendingUpdate.wrap((PendingUpdate.unwrap(update) ^ TO_VERIFY_BIT) | (newVerdict << VERDICT_SHIFT));
    }

    function verdict(PendingUpdate update) internal pure returns (uint256) {
        return (PendingUpdate.unwrap(update) >> VERDICT_SHIFT) & 3;
    }

    function isValid(PendingUpdate update) internal pure returns (bool) {
        return update.verdict() == uint256(Ed25519Verdict.Valid);
    }

    function feedId(PendingUpdate update) internal pure returns (uint256) {
        return PendingUpdate.unwrap(update) >> FEED_ID_SHIFT;
    }

    function latestPrice(PendingUpdate update) internal pure returns (LatestPrice) {
        return LatestPrice.wrap(PendingUpdate.unwrap(update) & LATEST_PRICE_MASK);
    }

    function signer(PendingUpdate update) internal pure returns (uint256) {
        return update.latestPrice().signer();
    }

    /// @dev An element of a list, whose index the caller keeps below the list's length: loops over a list do that anyway.
    function read(PendingUpdate[] memory list, uint256 index) internal pure returns (PendingUpdate update) {
        assembly ("memory-safe") {
            // stack: list, index. Reads inside the array.
            update := mload(add(add(list, 32), shl(5, index)))
        }
    }

    /// @dev Sets an element of a list, whose index the caller keeps below the list's length.
    function write(PendingUpdate[] memory list, uint256 index, PendingUpdate update) internal pure {
        assembly ("memory-safe") {
            // stack: list, index, update. Writes inside the array.
            mstore(add(add(list, 32), shl(5, index)), update)
        }
    }
}
