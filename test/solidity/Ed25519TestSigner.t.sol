// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Ed25519Verdict, IEd25519Verifier} from "../../contracts/ed25519/IEd25519Verifier.sol";
import {IEd25519VerifierFactory} from "../../contracts/ed25519/IEd25519VerifierFactory.sol";
import {Ed25519TestSigner} from "../../contracts/testing-kit/Ed25519TestSigner.sol";
import {Ed25519TestSignature} from "../../contracts/testing-kit/IEd25519TestSigner.sol";
import {TestHomePriceOracle} from "../../contracts/testing-kit/TestHomePriceOracle.sol";
import {TestBase} from "./TestBase.sol";

contract Ed25519TestSignerTest is TestBase {
    Ed25519TestSigner private signer;
    IEd25519Verifier private verifier;

    function setUp() external {
        signer = new Ed25519TestSigner(keccak256("a test key"));
        IEd25519VerifierFactory factory = IEd25519VerifierFactory(TestHomePriceOracle.deployVerifierFactory(ARTIFACTS));
        verifier = IEd25519Verifier(factory.deploy(signer.PUBLIC_KEY()));
    }

    /// @dev RFC 8032, section 7.1, TEST 1 to 3.
    function testVectorsOfTheRfc() external {
        _expect(
            0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,
            0xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,
            "",
            0xe5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155,
            0x5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
        );
        _expect(
            0x4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,
            0x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,
            hex"72",
            0x92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da,
            0x085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
        );
        _expect(
            0xc5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,
            0xfc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,
            hex"af82",
            0x6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac,
            0x18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
        );
    }

    function testFuzzVerifiersAcceptWhatItSigns(bytes calldata message) external view {
        Ed25519TestSignature memory signature = signer.sign(message);
        vm.assertTrue(verifier.verify(message, signature.r, signature.s) == Ed25519Verdict.Valid, "without hint");
        vm.assertTrue(
            verifier.verifyWithHint(message, signature.r, signature.s, signature.xOfR) == Ed25519Verdict.Valid,
            "with hint"
        );
    }

    function testFuzzVerifiersAcceptNothingElse(bytes calldata message, uint256 position, uint8 flipped) external view {
        vm.assume(flipped != 0);
        Ed25519TestSignature memory signature = signer.sign(message);
        bytes memory all = bytes.concat(message, signature.r, signature.s);
        position %= all.length;
        all[position] = bytes1(uint8(all[position]) ^ flipped);
        (bytes memory otherMessage, bytes32 r, bytes32 s) = _split(all);
        vm.assertTrue(verifier.verify(otherMessage, r, s) == Ed25519Verdict.InvalidSignature, "changed");
    }

    function testFuzzSignsAlikeForTheSameSeedOnly(bytes32 seed, bytes32 otherSeed, bytes calldata message) external {
        vm.assume(seed != otherSeed);
        bytes32 signature = keccak256(abi.encode(new Ed25519TestSigner(seed).sign(message)));
        vm.assertEq(signature, keccak256(abi.encode(new Ed25519TestSigner(seed).sign(message))), "same seed");
        vm.assertFalse(
            signature == keccak256(abi.encode(new Ed25519TestSigner(otherSeed).sign(message))),
            "other seed"
        );
    }

    function _expect(bytes32 seed, bytes32 publicKey, bytes memory message, bytes32 r, bytes32 s) private {
        Ed25519TestSigner rfcSigner = new Ed25519TestSigner(seed);
        vm.assertEq(rfcSigner.SEED(), seed, "seed");
        vm.assertEq(rfcSigner.PUBLIC_KEY(), publicKey, "public key");
        Ed25519TestSignature memory signature = rfcSigner.sign(message);
        vm.assertEq(signature.r, r, "first half");
        vm.assertEq(signature.s, s, "second half");
    }

    function _split(bytes memory all) private pure returns (bytes memory message, bytes32 r, bytes32 s) {
        message = new bytes(all.length - 64);
        for (uint256 i = 0; i < message.length; ++i) message[i] = all[i];
        uint256 end = message.length;
        assembly ("memory-safe") {
            // stack: all, message, r, s, end. Reads the two words behind the message, inside the array.
            r := mload(add(add(all, 32), end))
            s := mload(add(add(all, 64), end))
        }
    }
}
