// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {PackedField} from "./PackedField.sol";
import {PackedLayout} from "./PackedLayout.sol";

/// @dev The numbers of a message that has been read at once: feed id, price, publish time, expiry, highest first, each in
///      the lowest bits of a lane of 64.
type FourNumbers is uint256;

using FourNumbersLibrary for FourNumbers global;

/// @notice How the numbers of a format's messages are read all at once.
/// @param positions One byte for each lane, highest first: where the 8 bytes that hold the number begin, counted from 8
///        bytes before the message.
/// @param littleEndian Ones over the bytes of the numbers whose lowest byte comes first, as they are after reversing.
/// @param bigEndian Ones over the bytes of the other numbers.
struct ReadingPlan {
    uint256 positions;
    uint256 littleEndian;
    uint256 bigEndian;
}

/// @title Reads the four numbers of a message at once
/// @notice Numbers of 8 bytes or less, as most formats have them, fit one word together, and reversing the bytes of all
///         four takes no more operations than reversing those of one. For formats with a wider number or with times in
///         seconds there is no plan; PriceMessage reads their fields one by one.
library FourNumbersLibrary {
    uint256 private constant LANE_BYTES = 8;
    uint256 private constant LANE_MASK = type(uint64).max;

    /// @dev Every other byte, pair of bytes, and four bytes of all lanes.
    uint256 private constant BYTES = 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff;
    uint256 private constant PAIRS = 0x0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff;
    uint256 private constant FOURS = 0x00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff;

    /// @return Whether a format's numbers can be read at once.
    function isPossible(PackedLayout messageLayout) internal pure returns (bool) {
        return
            messageLayout.feedId().width() <= LANE_BYTES &&
            messageLayout.price().width() <= LANE_BYTES &&
            messageLayout.publishTime().width() <= LANE_BYTES &&
            messageLayout.expiry().width() <= LANE_BYTES &&
            !messageLayout.publishTime().isInSeconds() &&
            !messageLayout.expiry().isInSeconds();
    }

    /// @notice Makes the plan of a format, once for many messages.
    function makePlan(ReadingPlan memory plan, PackedLayout messageLayout) internal pure {
        (uint256 positions, uint256 littleEndian, uint256 bigEndian) = _withLane(0, 0, 0, messageLayout.feedId());
        (positions, littleEndian, bigEndian) = _withLane(positions, littleEndian, bigEndian, messageLayout.price());
        (positions, littleEndian, bigEndian) = _withLane(
            positions,
            littleEndian,
            bigEndian,
            messageLayout.publishTime()
        );
        (positions, littleEndian, bigEndian) = _withLane(positions, littleEndian, bigEndian, messageLayout.expiry());
        (plan.positions, plan.littleEndian, plan.bigEndian) = (positions, littleEndian, bigEndian);
    }

    /// @notice Reads a message. At least 8 bytes of calldata stand before it, and 8 bytes after the 74.
    function read(bytes calldata message, ReadingPlan memory plan) internal pure returns (FourNumbers) {
        uint256 positions = plan.positions;
        uint256 lanes;
        assembly ("memory-safe") {
            // stack: message.offset, positions, lanes. A word of calldata, of which the highest 8 bytes count, for each
            // lane. No memory.
            let start := sub(message.offset, 8)
            lanes := shr(192, calldataload(add(start, byte(28, positions))))
            lanes := or(shl(64, lanes), shr(192, calldataload(add(start, byte(29, positions)))))
            lanes := or(shl(64, lanes), shr(192, calldataload(add(start, byte(30, positions)))))
            lanes := or(shl(64, lanes), shr(192, calldataload(add(start, byte(31, positions)))))
        }
        uint256 reversed = ((lanes >> 8) & BYTES) | ((lanes & BYTES) << 8);
        reversed = ((reversed >> 16) & PAIRS) | ((reversed & PAIRS) << 16);
        reversed = ((reversed >> 32) & FOURS) | ((reversed & FOURS) << 32);
        return FourNumbers.wrap((reversed & plan.littleEndian) | (lanes & plan.bigEndian));
    }

    function feedId(FourNumbers numbers) internal pure returns (uint256) {
        return FourNumbers.unwrap(numbers) >> 192;
    }

    function price(FourNumbers numbers) internal pure returns (uint256) {
        return (FourNumbers.unwrap(numbers) >> 128) & LANE_MASK;
    }

    function publishTime(FourNumbers numbers) internal pure returns (uint256) {
        return (FourNumbers.unwrap(numbers) >> 64) & LANE_MASK;
    }

    function expiry(FourNumbers numbers) internal pure returns (uint256) {
        return FourNumbers.unwrap(numbers) & LANE_MASK;
    }

    /// @dev Appends a lane below those that are there. 8 bytes that begin with a little-endian number end with it once
    ///      they are reversed; a big-endian one is taken from 8 bytes that end with it. The mask drops what else there is.
    function _withLane(
        uint256 positions,
        uint256 littleEndian,
        uint256 bigEndian,
        PackedField field
    ) private pure returns (uint256, uint256, uint256) {
        unchecked {
            uint256 width = field.width();
            uint256 mask = (1 << (8 * width)) - 1;
            positions = (positions << 8) | field.offset();
            if (field.isBigEndian()) return (positions + width, littleEndian << 64, (bigEndian << 64) | mask);
            return (positions + LANE_BYTES, (littleEndian << 64) | mask, bigEndian << 64);
        }
    }
}
