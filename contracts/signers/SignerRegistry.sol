// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEd25519Verifier} from "../ed25519/IEd25519Verifier.sol";
import {IEd25519VerifierFactory} from "../ed25519/IEd25519VerifierFactory.sol";
import {ISignerRegistry, SignerInfo, SignerStatus} from "../interfaces/ISignerRegistry.sol";
import {PackedLayout, PackedLayoutLibrary} from "../message/PackedLayout.sol";
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
    struct SignerRecord {
        // slot 0
        address verifier;
        uint40 usableFrom; // seconds
        uint32 revokedSinceDay;
        bool cancelled;
        // slot 1: all that is needed to find out whether an update is new
        PackedLayout messageLayout;
        uint48 validFromMs;
        uint48 validUntilMs; // 0: no retirement set
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

    /// @notice Deploys and computes the verifier of a key.
    IEd25519VerifierFactory public immutable VERIFIER_FACTORY;
    /// @inheritdoc ISignerRegistry
    uint256 public immutable override SIGNER_DELAY;

    mapping(uint256 signer => SignerRecord record) internal _signers;

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
        return _addSigner(publicKey, messageLayout, validFrom, block.timestamp + SIGNER_DELAY);
    }

    /// @inheritdoc ISignerRegistry
    function cancelSigner(uint8 signer) external override onlyGuardianOrOwner {
        SignerStatus status = _signerStatus(signer);
        if (status != SignerStatus.Pending) revert SignerStatusIs(signer, status);
        _signers[signer].cancelled = true;
        _dropFromLive(signer);
        emit SignerCancelled(signer);
    }

    /// @inheritdoc ISignerRegistry
    function retireSigner(uint8 signer, uint64 retirement) external override onlyOwner {
        SignerStatus status = _signerStatus(signer);
        if (status != SignerStatus.Pending && status != SignerStatus.Usable) revert SignerStatusIs(signer, status);
        SignerRecord storage record = _signers[signer];
        uint48 retirementMs = _toMs(retirement);
        if (retirement < block.timestamp || (record.validUntilMs != 0 && retirementMs > record.validUntilMs))
            revert InvalidRetirement(signer, retirement);
        record.validUntilMs = retirementMs;
        emit SignerRetired(signer, retirement);
    }

    /// @inheritdoc ISignerRegistry
    /// @dev What has leaked is the key, so every record of it is revoked.
    function revokeSigner(uint8 signer, uint32 sinceDay) external override onlyOwner {
        SignerStatus status = _signerStatus(signer);
        if (status == SignerStatus.Unknown || status == SignerStatus.Revoked) revert SignerStatusIs(signer, status);
        address verifier = _signers[signer].verifier;
        uint256 count = _state.signerCount();
        for (uint256 number = 1; number <= count; ++number) {
            if (_signers[number].verifier != verifier) continue;
            _signers[number].revokedSinceDay = sinceDay;
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
        SignerRecord memory record = _signers[signer];
        SignerStatus status = _signerStatus(signer);
        return
            SignerInfo({
                publicKey: status == SignerStatus.Unknown ? bytes32(0) : IEd25519Verifier(record.verifier).publicKey(),
                verifier: record.verifier,
                status: status,
                usableFrom: record.usableFrom,
                validFrom: record.validFromMs / 1000,
                retirement: record.validUntilMs / 1000,
                revokedSinceDay: record.revokedSinceDay,
                messageLayout: record.messageLayout,
                constantsHash: record.constantsHash
            });
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
        (PackedLayout packed, bytes32 constantsHash) = PackedLayoutLibrary.pack(messageLayout, _largestFeedId());
        address verifier = VERIFIER_FACTORY.deploy(publicKey);
        uint48 validFromMs = _toMs(validFrom);
        _refuseOverlap(publicKey, verifier, validFrom, validFromMs);

        _dropLapsedFromLive();
        OracleState state = _state;
        uint256 number = state.signerCount() + 1;
        if (number > MAX_SIGNERS) revert SignerNumbersExhausted();
        if (state.liveSigners() >> (8 * (OracleStateLibrary.MAX_LIVE_SIGNERS - 1)) != 0) revert TooManyUsableSigners();
        _state = state.withNewSigner(number);

        signer = uint8(number);
        _signers[signer] = SignerRecord({
            verifier: verifier,
            usableFrom: uint40(usableFrom),
            revokedSinceDay: 0,
            cancelled: false,
            messageLayout: packed,
            validFromMs: validFromMs,
            validUntilMs: 0,
            constantsHash: constantsHash
        });
        _compareFormats();
        emit SignerProposed(signer, publicKey, verifier, uint64(usableFrom), validFrom, messageLayout);
    }

    function _signerStatus(uint256 signer) internal view returns (SignerStatus) {
        OracleState state = _state;
        if (signer == 0 || signer > state.signerCount()) return SignerStatus.Unknown;
        if (state.isRevoked(signer)) return SignerStatus.Revoked;
        SignerRecord storage record = _signers[signer];
        if (record.cancelled) return SignerStatus.Cancelled;
        if (block.timestamp < record.usableFrom) return SignerStatus.Pending;
        uint256 validUntilMs = record.validUntilMs;
        if (validUntilMs != 0 && block.timestamp >= validUntilMs / 1000 + RETIREMENT_GRACE) return SignerStatus.Retired;
        return SignerStatus.Usable;
    }

    function _governanceDelay() internal view override returns (uint256) {
        return SIGNER_DELAY;
    }

    /// @dev 2 · rental offset − 1: what a layout's feed id field must have room for.
    function _largestFeedId() internal view virtual returns (uint256);

    /// @dev Two records of one key must not share a publish time, or a price's layout would be a matter of choice. The
    ///      new record is open towards the future, so an older one must end before it begins.
    function _refuseOverlap(bytes32 publicKey, address verifier, uint64 validFrom, uint48 validFromMs) private view {
        OracleState state = _state;
        uint256 count = state.signerCount();
        for (uint256 number = 1; number <= count; ++number) {
            SignerRecord storage record = _signers[number];
            if (record.verifier != verifier) continue;
            if (state.isRevoked(number)) revert PublicKeyRevoked(publicKey, uint8(number));
            if (record.cancelled) continue;
            uint256 validUntilMs = record.validUntilMs;
            // Retired before it began: it never had a publish time of its own.
            if (validUntilMs != 0 && validUntilMs <= record.validFromMs) continue;
            if (validUntilMs == 0 || validUntilMs > validFromMs) revert SignerOverlap(uint8(number), validFrom);
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

    /// @dev Notes whether the live signers' messages are all of one format, so that updates need not find out.
    function _compareFormats() private {
        uint256 live = _state.liveSigners();
        SignerRecord storage newest = _signers[live & 0xff];
        bool several;
        for (live >>= 8; live != 0; live >>= 8) {
            SignerRecord storage other = _signers[live & 0xff];
            bool same =
                PackedLayout.unwrap(other.messageLayout) == PackedLayout.unwrap(newest.messageLayout) &&
                    other.constantsHash == newest.constantsHash;
            several = several || !same;
        }
        _state = _state.withSeveralFormats(several);
    }

    /// @dev Takes the signers whose retirement is long past off the list of live ones.
    function _dropLapsedFromLive() private {
        for (uint256 live = _state.liveSigners(); live != 0; live >>= 8) {
            uint256 number = live & 0xff;
            if (_signerStatus(number) == SignerStatus.Retired) _dropFromLive(number);
        }
    }

    function _toMs(uint64 time) private pure returns (uint48) {
        if (time > type(uint48).max / 1000) revert TimeOutOfRange(time);
        return uint48(uint256(time) * 1000);
    }
}
