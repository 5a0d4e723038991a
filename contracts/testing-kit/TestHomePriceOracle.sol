// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IGuardian} from "../interfaces/IGuardian.sol";
import {IHomePriceOracle} from "../interfaces/IHomePriceOracle.sol";
import {ISignerRegistry} from "../interfaces/ISignerRegistry.sol";
import {PriceMessageLayout} from "../message/PriceMessageLayout.sol";
import {IEd25519TestSigner} from "./IEd25519TestSigner.sol";
import {SignedPriceFactory} from "./SignedPriceFactory.sol";

/// @notice All faces of the deployed oracle.
// solhint-disable-next-line no-empty-blocks
interface ITestHomePriceOracle is IHomePriceOracle, ISignerRegistry, IGuardian {}

/// @notice A key whose prices the oracle takes from the start.
/// @param validFrom First publish time, in seconds, that is accepted from it.
struct TestInitialSigner {
    bytes32 publicKey;
    PriceMessageLayout messageLayout;
    uint64 validFrom;
}

/// @notice What a deployment decides: the OracleConfiguration of HomePriceOracle.sol, field by field. That file is not
///         imported, as tests would have to compile the oracle then.
struct TestOracleConfiguration {
    address owner;
    address guardian;
    address verifierFactory;
    uint256 signerDelay;
    uint256 rentalOffset;
    uint256 maxExpiryAfterDate;
    uint256 quarantineDelay;
    uint256 defaultBand;
    TestInitialSigner[] signers;
}

/// @dev The cheat codes that read an artifact; Foundry and Hardhat's Solidity tests answer them at the same address.
interface IArtifactCheats {
    function readFile(string calldata path) external view returns (string memory content);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory value);
}

/// @title Deploys the oracle for tests
/// @notice The real one, from the artifacts of this package: the very bytecode of other chains, whatever the compiler
///         settings of the tests are. What differs is whose key signs, and that is up to the configuration.
/// @dev The test runner must be allowed to read the folder of the artifacts:
///
///      - foundry.toml: `fs_permissions = [{ access = "read", path = "node_modules/home-price-oracle/artifacts" }]`
///      - hardhat.config.ts: `test: { solidity: { fsPermissions: { readDirectory: [the same path] } } }`
library TestHomePriceOracle {
    /// @notice What a rental feed id is above its market id.
    uint64 internal constant RENTAL_OFFSET = 2_000_000_000;
    /// @notice Where the artifacts are in a project that has installed this package.
    string internal constant INSTALLED_ARTIFACTS = "node_modules/home-price-oracle/artifacts/contracts/";

    /// @dev bytes20(uint160(uint256(keccak256("hevm cheat code"))))
    IArtifactCheats private constant CHEATS = IArtifactCheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @notice An oracle with the defaults of a deployment: no band, a quarantine of 6 hours, governance delayed by 24.
    /// @param artifacts Folder of the artifacts, with a slash at its end.
    /// @param publicKey The key whose prices it takes from now on, in the default layout; as a signer its number is 1.
    function deploy(
        string memory artifacts,
        bytes32 publicKey,
        address owner,
        address guardian
    ) internal returns (ITestHomePriceOracle) {
        bytes32[] memory publicKeys = new bytes32[](1);
        publicKeys[0] = publicKey;
        return deploy(artifacts, defaultConfiguration(deployVerifierFactory(artifacts), publicKeys, owner, guardian));
    }

    /// @notice An oracle of any configuration.
    function deploy(
        string memory artifacts,
        TestOracleConfiguration memory configuration
    ) internal returns (ITestHomePriceOracle) {
        return
            ITestHomePriceOracle(
                _create(artifacts, "HomePriceOracle.sol/HomePriceOracle.json", abi.encode(configuration))
            );
    }

    /// @notice The defaults of a deployment, to be changed before it.
    /// @param publicKeys Keys whose prices it takes from the start, in the default layout; numbered from 1 on.
    function defaultConfiguration(
        address verifierFactory,
        bytes32[] memory publicKeys,
        address owner,
        address guardian
    ) internal pure returns (TestOracleConfiguration memory configuration) {
        configuration.owner = owner;
        configuration.guardian = guardian;
        configuration.verifierFactory = verifierFactory;
        configuration.signerDelay = 24 hours;
        configuration.rentalOffset = RENTAL_OFFSET;
        configuration.maxExpiryAfterDate = 72 hours;
        configuration.quarantineDelay = 6 hours;
        configuration.signers = new TestInitialSigner[](publicKeys.length);
        for (uint256 i = 0; i < publicKeys.length; ++i) {
            configuration.signers[i].publicKey = publicKeys[i];
            configuration.signers[i].messageLayout = SignedPriceFactory.defaultLayout();
        }
    }

    /// @notice The factory that makes the verifiers of keys, after its parts.
    function deployVerifierFactory(string memory artifacts) internal returns (address) {
        bytes memory parts = abi.encode(
            _createPart(artifacts, "Sha512Of138Bytes"),
            _createPart(artifacts, "Sha512OfTwo138Bytes"),
            _createPart(artifacts, "Ed25519VerifierTemplate"),
            _createPart(artifacts, "Ed25519BatchVerifier"),
            _createPart(artifacts, "LowerTableOfBase"),
            _createPart(artifacts, "UpperTableOfBase")
        );
        return _create(artifacts, "ed25519/Ed25519VerifierFactory.sol/Ed25519VerifierFactory.json", parts);
    }

    /// @notice The signer of a name: the same name is always the same key.
    function deploySigner(string memory artifacts, string memory name) internal returns (IEd25519TestSigner) {
        string memory artifact = "testing-kit/Ed25519TestSigner.sol/Ed25519TestSigner.json";
        return IEd25519TestSigner(_create(artifacts, artifact, abi.encode(keccak256(bytes(name)))));
    }

    function _createPart(string memory artifacts, string memory name) private returns (address) {
        return _create(artifacts, string.concat("ed25519/generated/", name, ".sol/", name, ".json"), "");
    }

    /// @dev Reverts as the constructor does.
    function _create(
        string memory artifacts,
        string memory artifact,
        bytes memory arguments
    ) private returns (address created) {
        string memory json = CHEATS.readFile(string.concat(artifacts, artifact));
        bytes memory initCode = bytes.concat(CHEATS.parseJsonBytes(json, ".bytecode"), arguments);
        assembly ("memory-safe") {
            // stack: initCode, created. What the constructor reverts with goes past the free memory pointer, and out.
            created := create(0, add(initCode, 0x20), mload(initCode))
            if iszero(created) {
                let data := mload(0x40)
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
        }
    }
}
