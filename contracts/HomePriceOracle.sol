// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {blockTimeMs} from "./BlockTime.sol";
import {IEd25519VerifierFactory} from "./ed25519/IEd25519VerifierFactory.sol";
import {FeedIds} from "./FeedIds.sol";
import {FeedRange} from "./FeedRange.sol";
import {Finding, Findings} from "./Finding.sol";
import {GuardRails} from "./guard/GuardRails.sol";
import {IHomePriceOracle} from "./interfaces/IHomePriceOracle.sol";
import {Freshness, ParsedPrice, Price} from "./interfaces/Price.sol";
import {LatestPrice, LatestPriceLibrary} from "./LatestPrice.sol";
import {HINTED_UPDATE_LENGTH} from "./message/UpdateBytes.sol";
import {PendingUpdate, PendingUpdateLibrary} from "./PendingUpdate.sol";
import {Guarded} from "./signers/Guarded.sol";
import {OracleState} from "./signers/OracleState.sol";
import {InitialSigner, SignerRegistry} from "./signers/SignerRegistry.sol";
import {UpdateChecks} from "./UpdateChecks.sol";

/// @notice What a deployment decides once.
/// @param owner Proposes, retires and revokes signers; meant to be a timelock.
/// @param guardian Pauses, and cancels pending signers; the zero address means none.
/// @param verifierFactory Deploys the verifiers of signers' keys.
/// @param signerDelay Seconds between the proposal of a signer and its use: 1 hour to 14 days, or 0 on chain id 31337.
/// @param rentalOffset What a rental feed id is above its market id.
/// @param maxExpiryAfterDate Seconds from 00:00 UTC of a date to the latest expiry of its price, at most 72 hours.
/// @param quarantineDelay Seconds that a price outside its feed's band waits: 1 to 48 hours.
/// @param defaultBand How far a price may be from its feed's price of an earlier date, in basis points a day, until the
/// owner sets another band for the feed; at most 10,000, 0 for none.
/// @param signers Usable at once. A verifier that is not there yet is deployed along, at 5.5 million gas each: deploy them
/// before, as together they exceed what a transaction may use (EIP-7825).
struct OracleConfiguration {
    address owner;
    address guardian;
    IEd25519VerifierFactory verifierFactory;
    uint256 signerDelay;
    uint256 rentalOffset;
    uint256 maxExpiryAfterDate;
    uint256 quarantineDelay;
    uint256 defaultBand;
    InitialSigner[] signers;
}

/// @title Pull oracle for US home prices
/// @dev Nobody can write a price: what is stored has passed the checks of UpdateChecks, and then GuardRails decides
///      whether it is served at once.
contract HomePriceOracle is UpdateChecks, GuardRails {
    using FeedIds for uint256;
    using PendingUpdateLibrary for PendingUpdate[];

    constructor(
        OracleConfiguration memory configuration
    )
        Guarded(configuration.owner, configuration.guardian)
        SignerRegistry(configuration.verifierFactory, configuration.signerDelay)
        FeedRange(configuration.rentalOffset)
        UpdateChecks(configuration.maxExpiryAfterDate)
        GuardRails(configuration.quarantineDelay, configuration.defaultBand)
    {
        InitialSigner[] memory signers = configuration.signers;
        for (uint256 i = 0; i < signers.length; ++i) {
            _addSigner(signers[i].publicKey, signers[i].messageLayout, signers[i].validFrom, block.timestamp);
        }
    }

    // ------------------------------------------------------------------------------------------------------ updates

    /// @inheritdoc IHomePriceOracle
    function updatePrices(bytes[] calldata updates) external override returns (bool[] memory stored) {
        return _bring(updates, true);
    }

    /// @inheritdoc IHomePriceOracle
    function tryUpdatePrices(bytes[] calldata updates) external override returns (bool[] memory stored) {
        return _bring(updates, false);
    }

    /// @inheritdoc IHomePriceOracle
    function parsePrices(bytes[] calldata updates) external view override returns (ParsedPrice[] memory prices) {
        prices = new ParsedPrice[](updates.length);
        Checks memory checks = _newChecks(false);
        PendingUpdate[] memory pending = new PendingUpdate[](updates.length);
        uint256 toVerify;
        for (uint256 i = 0; i < updates.length; ++i) {
            bytes calldata update = updates[i];
            if (_check(update, checks) != Findings.TO_VERIFY) {
                pending.write(i, PendingUpdateLibrary.LEFT_TO_ITS_TURN);
                continue;
            }
            LatestPrice signerOnly = LatestPriceLibrary.pack(0, 0, 0, 0, checks.signer);
            pending.write(i, PendingUpdateLibrary.toVerify(0, signerOnly, update.length == HINTED_UPDATE_LENGTH));
            prices[i] = _parsed(checks);
            ++toVerify;
        }
        _verifySignatures(updates, pending, toVerify);
        for (uint256 i = 0; i < updates.length; ++i) {
            if (pending.read(i).isValid()) continue;
            (Finding finding, bytes memory reason) = _decide(updates[i], pending.read(i), checks);
            if (finding != Findings.ACCEPTED) revert InvalidUpdate(i, reason);
            prices[i] = _parsed(checks);
        }
    }

    // ------------------------------------------------------------------------------------------------------- prices

    /// @inheritdoc IHomePriceOracle
    function salesPrice(uint64 marketId) external view override returns (Price memory) {
        if (!uint256(marketId).isMarketId(RENTAL_OFFSET)) revert InvalidMarketId(marketId);
        return latestPrice(marketId);
    }

    /// @inheritdoc IHomePriceOracle
    function rentalPrice(uint64 marketId) external view override returns (Price memory) {
        if (!uint256(marketId).isMarketId(RENTAL_OFFSET)) revert InvalidMarketId(marketId);
        return latestPrice(marketId + RENTAL_OFFSET);
    }

    /// @inheritdoc IHomePriceOracle
    function latestPrices(uint64[] calldata feedIds) external view override returns (Price[] memory prices) {
        prices = new Price[](feedIds.length);
        for (uint256 i = 0; i < feedIds.length; ++i) prices[i] = latestPrice(feedIds[i]);
    }

    /// @inheritdoc IHomePriceOracle
    function priceNoOlderThan(uint64 feedId, uint256 maxAgeSeconds) external view override returns (Price memory) {
        LatestPrice latest = _servedIfUnexpired(feedId);
        uint256 nowMs = blockTimeMs();
        uint256 publishTimeMs = latest.publishTimeMs();
        uint256 ageSeconds;
        unchecked {
            uint256 ageMs = nowMs > publishTimeMs ? nowMs - publishTimeMs : 0;
            // Rounded up, so that an age above the bound by less than a second is above it.
            ageSeconds = (ageMs + 999) / 1000;
        }
        if (ageSeconds > maxAgeSeconds) {
            _refuseIfQuarantined(feedId);
            revert PriceTooOld(feedId, ageSeconds, maxAgeSeconds);
        }
        return latest.toPrice();
    }

    /// @inheritdoc IHomePriceOracle
    function pricesUnsafe(uint64[] calldata feedIds) external view override returns (Price[] memory prices) {
        prices = new Price[](feedIds.length);
        for (uint256 i = 0; i < feedIds.length; ++i) prices[i] = priceUnsafe(feedIds[i]);
    }

    /// @inheritdoc IHomePriceOracle
    function freshness(uint64 feedId) external view override returns (Freshness) {
        if (!uint256(feedId).isFeedId(RENTAL_OFFSET)) return Freshness.UnknownFeed;
        OracleState state = _state;
        LatestPrice latest = _latestNow(feedId, state);
        if (state.isPaused() || latest.isPaused()) return Freshness.Paused;
        if (latest.price() == 0) return Freshness.NoPrice;
        if (state.isRevoked(latest.signer())) return Freshness.SignerRevoked;
        if (blockTimeMs() < latest.expiryMs()) return Freshness.Fresh;
        return _servedFrom(feedId, state) == 0 ? Freshness.Expired : Freshness.Quarantined;
    }

    /// @inheritdoc IHomePriceOracle
    function decimals() external pure override returns (uint8) {
        return 8;
    }

    /// @inheritdoc IHomePriceOracle
    function latestPrice(uint64 feedId) public view override returns (Price memory) {
        LatestPrice latest = _servedIfUnexpired(feedId);
        if (blockTimeMs() >= latest.expiryMs()) {
            _refuseIfQuarantined(feedId);
            revert PriceExpired(feedId, uint64(latest.expiryMs() / 1000));
        }
        return latest.toPrice();
    }

    /// @inheritdoc IHomePriceOracle
    function priceUnsafe(uint64 feedId) public view override returns (Price memory price) {
        OracleState state = _state;
        LatestPrice latest = _latestNow(feedId, state);
        if (_isPresent(latest, state)) price = latest.toPrice();
    }

    // -------------------------------------------------------------------------------------------------------- pause

    /// @notice Stops the served reads of one feed. Guardian only.
    function pauseFeed(uint64 feedId) external override onlyGuardian {
        _setFeedPaused(feedId, true);
    }

    /// @notice Serves one feed again. Owner only.
    function unpauseFeed(uint64 feedId) external override onlyOwner {
        _setFeedPaused(feedId, false);
    }

    function _setFeedPaused(uint64 feedId, bool feedPaused) private {
        _requireFeed(feedId);
        _latest[feedId] = _latest[feedId].withPaused(feedPaused);
        emit FeedPausedSet(feedId, feedPaused);
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev Checks, verifies, stores; UpdateChecks says why in this order.
    /// @param isAllOrNothing Whether an invalid update makes the call revert.
    function _bring(bytes[] calldata updates, bool isAllOrNothing) private returns (bool[] memory stored) {
        Checks memory checks = _newChecks(true);
        PendingUpdate[] memory pending = new PendingUpdate[](updates.length);
        uint256 toVerify;
        for (uint256 i = 0; i < updates.length; ++i) {
            bytes calldata update = updates[i];
            Finding finding = _check(update, checks);
            if (finding == Findings.NOT_NEWER) continue;
            if (finding == Findings.TO_VERIFY) {
                pending.write(i, _pendingUpdate(checks, update.length == HINTED_UPDATE_LENGTH));
                unchecked {
                    ++toVerify;
                }
            } else {
                pending.write(i, PendingUpdateLibrary.LEFT_TO_ITS_TURN);
            }
        }
        _verifySignatures(updates, pending, toVerify);
        stored = new bool[](updates.length);
        for (uint256 i = 0; i < updates.length; ++i) {
            PendingUpdate update = pending.read(i);
            if (update.isSkipped()) continue;
            if (!update.isValid()) {
                (Finding finding, bytes memory reason) = _decide(updates[i], update, checks);
                if (finding.isSkipped()) continue;
                if (finding != Findings.ACCEPTED) {
                    if (isAllOrNothing) revert InvalidUpdate(i, reason);
                    emit UpdateRefused(i, reason);
                    continue;
                }
                update = _pendingUpdate(checks, false);
            }
            stored[i] = _store(update.feedId(), update.latestPrice(), checks.state);
        }
    }

    /// @dev What has been checked, in the form in which it waits and is stored.
    function _pendingUpdate(Checks memory checks, bool hinted) private pure returns (PendingUpdate) {
        LatestPrice price = LatestPriceLibrary.pack(
            checks.price,
            checks.publishTimeMs,
            checks.expiryMs,
            checks.day,
            checks.signer
        );
        return PendingUpdateLibrary.toVerify(checks.feedId, price, hinted);
    }

    /// @dev What has been checked, as parsePrices returns it.
    function _parsed(Checks memory checks) private pure returns (ParsedPrice memory) {
        return
            ParsedPrice({
                feedId: uint64(checks.feedId),
                signer: uint8(checks.signer),
                price: Price({
                    price: uint64(checks.price),
                    publishTime: uint64(checks.publishTimeMs / 1000),
                    expiry: uint64(checks.expiryMs / 1000),
                    day: uint32(checks.day)
                })
            });
    }

    function _newness(
        uint256 feedId,
        uint256 publishTimeMs,
        OracleState state
    ) internal view override returns (Finding) {
        return _compareWithStored(feedId, publishTimeMs, state);
    }

    /// @dev The stored price of a feed, for a read that serves it; only its expiry is not looked at.
    function _servedIfUnexpired(uint64 feedId) private view returns (LatestPrice latest) {
        _requireFeed(feedId);
        OracleState state = _state;
        latest = _latestNow(feedId, state);
        if (state.isPaused() || latest.isPaused()) revert FeedPaused(feedId);
        if (latest.price() == 0) revert NoPrice(feedId);
        if (state.isRevoked(latest.signer())) revert PriceSignerRevoked(feedId, uint8(latest.signer()));
    }

    /// @dev For a feed that has nothing to serve: something newer may wait.
    function _refuseIfQuarantined(uint64 feedId) private view {
        uint256 servedFrom = _servedFrom(feedId, _state);
        if (servedFrom != 0) revert FeedQuarantined(feedId, uint64(servedFrom));
    }
}
