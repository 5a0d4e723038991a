// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEd25519Verifier} from "../ed25519/IEd25519Verifier.sol";
import {IEd25519VerifierFactory} from "../ed25519/IEd25519VerifierFactory.sol";
import {ISignerRegistry, SignerInfo, SignerStatus} from "../interfaces/ISignerRegistry.sol";
import {LayoutPacker} from "../message/LayoutPacker.sol";
import {PackedLayout} from "../message/PackedLayout.sol";
import {PriceMessageLayout} from "../message/PriceMessageLayout.sol";
import {Guarded} from "./Guarded.sol";
import {OracleState, OracleStateLibrary} from "./OracleState.sol";

/// @notice A signer that the oracle starts with: usable at once.
/// @param validFrom First publish time, in seconds, that is accepted from it.
struct InitialSigner {
    bytes32 publicKey;
    PriceMessageLayout messageLayout;
    uint64 validFrom;
}

/// @title Who may sign prices
/// @dev Records live in `_signers`, by number from 1 to 63. What every update needs besides (which are revoked, which
///      may be usable) is in the packed state. A signer's verifier is a contract that the factory derives from its key,
///      so that two records are of one key exactly when their verifiers are the same.
abstract contract SignerRegistry is ISignerRegistry, Guarded {
    /// @dev An update of a live signer needs the first slot only, as long as all live signers share a format.
    struct SignerRecord {
        // slot 0; times in seconds
        address verifier;
        uint32 usableFrom;
        uint32 validFrom;
        uint32 validUntil; // 0: no retirement set
        // slot 1
        PackedLayout messageLayout;
        uint32 revokedSinceDay;
        bool cancelled;
        uint40 revokedAt; // block time, seconds
        // slot 2
        bytes32 constantsHash;
    }

    /// @notice Signer numbers end here: a stored price holds its signer in six bits.
    uint256 public constant MAX_SIGNERS = 63;
    /// @notice Seconds after its retirement during which a signer's earlier prices can still be brought: the span of
    ///         publish times that the windows accept.
    uint256 public constant RETIREMENT_GRACE = 48 hours;

    uint256 private constant MIN_SIGNER_DELAY = 1 hours;
    uint256 private constant MAX_SIGNER_DELAY = 14 days;
    /// @dev Chain id of local development chains, the only ones without a delay.
    uint256 private constant LOCAL_CHAIN_ID = 31_337;

    /// @notice Checks and packs the layouts of new signers.
    LayoutPacker public immutable LAYOUT_PACKER = new LayoutPacker();
    /// @notice Deploys and computes the verifier of a key.
    IEd25519VerifierFactory public immutable VERIFIER_FACTORY;
    /// @inheritdoc ISignerRegistry
    uint256 public immutable override SIGNER_DELAY;

    /// @dev By number; there is no signer 0.
    SignerRecord[MAX_SIGNERS + 1] private _signers;

    constructor(IEd25519VerifierFactory factory, uint256 signerDelay) {
        bool delayed = signerDelay >= MIN_SIGNER_DELAY && signerDelay <= MAX_SIGNER_DELAY;
        bool localWithout = signerDelay == 0 && block.chainid == LOCAL_CHAIN_ID;
        if (!delayed && !localWithout) revert InvalidSignerDelay(signerDelay);
        if (address(factory).code.length == 0) revert InvalidVerifierFactory(address(factory));
        VERIFIER_FACTORY = factory;
        SIGNER_DELAY = signerDelay;
    }

    /// @inheritdoc ISignerRegistry
    function proposeSigner(
        bytes32 publicKey,
        PriceMessageLayout calldata messageLayout,
        uint64 validFrom
    ) external override onlyOwner returns (uint8 signer) {
        return _addSigner(publicKey, messageLayout, validFrom, _afterGovernanceDelay());
    }

    /// @inheritdoc ISignerRegistry
    function cancelSigner(uint8 signer) external override onlyGuardianOrOwner {
        SignerStatus status = _signerStatus(signer);
        if (status != SignerStatus.Pending) revert SignerStatusIs(signer, status);
        _signerRecord(signer).cancelled = true;
        _dropFromLive(signer);
        emit SignerCancelled(signer);
    }

    /// @inheritdoc ISignerRegistry
    function retireSigner(uint8 signer, uint64 retirement) external override onlyOwner {
        SignerStatus status = _signerStatus(signer);
        if (status != SignerStatus.Pending && status != SignerStatus.Usable) revert SignerStatusIs(signer, status);
        SignerRecord storage record = _signerRecord(signer);
        uint32 validUntil = _toRecorded(retirement);
        if (retirement < block.timestamp || (record.validUntil != 0 && validUntil > record.validUntil))
            revert InvalidRetirement(signer, retirement);
        record.validUntil = validUntil;
        emit SignerRetired(signer, retirement);
    }

    /// @inheritdoc ISignerRegistry
    /// @dev What has leaked is the key, so every record of it is revoked.
    function revokeSigner(uint8 signer, uint32 sinceDay) external override onlyOwner {
        SignerStatus status = _signerStatus(signer);
        if (status == SignerStatus.Unknown || status == SignerStatus.Revoked) revert SignerStatusIs(signer, status);
        address verifier = _signerRecord(signer).verifier;
        uint256 count = _state.signerCount();
        for (uint256 number = 1; number <= count; ++number) {
            if (_signerRecord(number).verifier != verifier) continue;
            _signerRecord(number).revokedSinceDay = sinceDay;
            _signerRecord(number).revokedAt = uint40(block.timestamp);
            _dropFromLive(number);
            _state = _state.withRevoked(number);
            emit SignerRevoked(uint8(number), sinceDay);
        }
    }

    /// @inheritdoc ISignerRegistry
    function signerCount() external view override returns (uint8) {
        return uint8(_state.signerCount());
    }

    /// @inheritdoc ISignerRegistry
    function signerInfo(uint8 signer) external view override returns (SignerInfo memory) {
        SignerStatus status = _signerStatus(signer);
        SignerInfo memory info;
        if (status == SignerStatus.Unknown) return info;
        SignerRecord storage record = _signerRecord(signer);
        info.publicKey = IEd25519Verifier(record.verifier).publicKey();
        info.verifier = record.verifier;
        info.status = status;
        info.usableFrom = record.usableFrom;
        info.validFrom = record.validFrom;
        info.retirement = record.validUntil;
        info.revokedSinceDay = record.revokedSinceDay;
        info.messageLayout = record.messageLayout;
        info.constantsHash = record.constantsHash;
        return info;
    }

    /// @inheritdoc ISignerRegistry
    function usableSigners() external view override returns (uint8[] memory numbers) {
        numbers = new uint8[](OracleStateLibrary.MAX_LIVE_SIGNERS);
        uint256 count;
        for (uint256 live = _state.liveSigners(); live != 0; live >>= 8) {
            if (_signerStatus(live & 0xff) == SignerStatus.Usable) numbers[count++] = uint8(live);
        }
        assembly ("memory-safe") {
            // stack: numbers, count. Shortens the array, allocated above with at least `count` places, to what it holds.
            mstore(numbers, count)
        }
    }

    /// @dev Adds a signer; for the constructor and for proposals alike.
    /// @param usableFrom Block time in seconds.
    function _addSigner(
        bytes32 publicKey,
        PriceMessageLayout memory messageLayout,
        uint64 validFrom,
        uint256 usableFrom
    ) internal returns (uint8 signer) {
        (PackedLayout packed, bytes32 constantsHash) = LAYOUT_PACKER.pack(messageLayout, _largestFeedId());
        address verifier = VERIFIER_FACTORY.deploy(publicKey);
        uint32 recordedValidFrom = _toRecorded(validFrom);
        _refuseOverlap(publicKey, verifier, validFrom);

        _dropLapsedFromLive();
        OracleState state = _state;
        uint256 number = state.signerCount() + 1;
        if (number > MAX_SIGNERS) revert SignerNumbersExhausted();
        if (state.liveSigners() >> (8 * (OracleStateLibrary.MAX_LIVE_SIGNERS - 1)) != 0) revert TooManyUsableSigners();
        _state = state.withNewSigner(number);

        signer = uint8(number);
        _signers[signer] = SignerRecord({
            verifier: verifier,
            usableFrom: _toRecorded(usableFrom),
            validFrom: recordedValidFrom,
            validUntil: 0,
            messageLayout: packed,
            revokedSinceDay: 0,
            cancelled: false,
            revokedAt: 0,
            constantsHash: constantsHash
        });
        _compareFormats();
        emit SignerProposed(signer, publicKey, verifier, uint64(usableFrom), validFrom, messageLayout);
    }

    function _signerStatus(uint256 signer) internal view returns (SignerStatus) {
        return _signerStatus(signer, _state);
    }

    /// @dev For callers that have the state at hand.
    function _signerStatus(uint256 signer, OracleState state) internal view returns (SignerStatus) {
        if (signer == 0 || signer > state.signerCount()) return SignerStatus.Unknown;
        if (state.isRevoked(signer)) return SignerStatus.Revoked;
        SignerRecord storage record = _signerRecord(signer);
        // A live signer is not cancelled: that spares updates the second slot.
        if (!state.isLive(signer) && record.cancelled) return SignerStatus.Cancelled;
        if (block.timestamp < record.usableFrom) return SignerStatus.Pending;
        uint256 validUntil = record.validUntil;
        if (validUntil != 0 && block.timestamp >= validUntil + RETIREMENT_GRACE) return SignerStatus.Retired;
        return SignerStatus.Usable;
    }

    /// @param signer At most MAX_SIGNERS: one that has been given out, as stored words and checked arguments hold it.
    function _signerRecord(uint256 signer) internal pure returns (SignerRecord storage record) {
        assembly ("memory-safe") {
            // stack: signer, record. The place of an array's element without a check of its index, which cannot be beyond
            // the end. A record has three slots. No memory.
            record.slot := add(_signers.slot, mul(3, signer))
        }
    }

    function _afterGovernanceDelay() internal view override returns (uint256) {
        unchecked {
            // A block's time and at most two weeks.
            return block.timestamp + SIGNER_DELAY;
        }
    }

    /// @dev 2 · rental offset − 1: what a layout's feed id field must have room for.
    function _largestFeedId() internal view virtual returns (uint256);

    /// @dev Two records of one key must not share a publish time, or a price's layout would be a matter of choice. The
    ///      new record is open towards the future, so an older one must end before it begins.
    function _refuseOverlap(bytes32 publicKey, address verifier, uint64 validFrom) private view {
        OracleState state = _state;
        uint256 count = state.signerCount();
        for (uint256 number = 1; number <= count; ++number) {
            SignerRecord storage record = _signerRecord(number);
            if (record.verifier != verifier) continue;
            if (state.isRevoked(number)) revert PublicKeyRevoked(publicKey, uint8(number));
            if (record.cancelled) continue;
            uint256 validUntil = record.validUntil;
            // Retired before it began: it never had a publish time of its own.
            if (validUntil != 0 && validUntil <= record.validFrom) continue;
            if (validUntil == 0 || validUntil > validFrom) revert SignerOverlap(uint8(number), validFrom);
        }
    }

    /// @dev Takes one signer off the list of live ones, keeping the order of the others.
    function _dropFromLive(uint256 signer) private {
        uint256 kept;
        uint256 shift;
        for (uint256 live = _state.liveSigners(); live != 0; live >>= 8) {
            uint256 number = live & 0xff;
            if (number == signer) continue;
            kept |= number << shift;
            shift += 8;
        }
        _state = _state.withLiveSigners(kept);
        _compareFormats();
    }

    /// @dev Notes the format of the live signers' messages, or that it is not one, so that updates need not find out.
    function _compareFormats() private {
        OracleState state = _state;
        uint256 live = state.liveSigners();
        if (live == 0) {
            _state = state.withoutSharedFormat(false);
            return;
        }
        SignerRecord storage newest = _signerRecord(live & 0xff);
        for (live >>= 8; live != 0; live >>= 8) {
            SignerRecord storage other = _signerRecord(live & 0xff);
            if (
                PackedLayout.unwrap(other.messageLayout) != PackedLayout.unwrap(newest.messageLayout) ||
                other.constantsHash != newest.constantsHash
            ) {
                _state = state.withoutSharedFormat(true);
                return;
            }
        }
        _state = state.withSharedFormat(newest.messageLayout, newest.constantsHash);
    }

    /// @dev Takes the signers whose retirement is long past off the list of live ones.
    function _dropLapsedFromLive() private {
        for (uint256 live = _state.liveSigners(); live != 0; live >>= 8) {
            uint256 number = live & 0xff;
            if (_signerStatus(number) == SignerStatus.Retired) _dropFromLive(number);
        }
    }

    function _toRecorded(uint256 time) private pure returns (uint32) {
        if (time > type(uint32).max) revert TimeOutOfRange(uint64(time));
        return uint32(time);
    }
}
