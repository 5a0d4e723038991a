import { createHash } from "node:crypto";
import { artifacts } from "hardhat";
import {
  concat,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseEventLogs,
  size,
  slice,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSignature, decodePublicKey } from "../../relayer/message/ed25519.ts";
import { toHex } from "./hex.ts";
import { signerNamed } from "./signers.ts";
import { errorNameOf, startVerifiers, type Verifiers, verdictOf } from "./verifiers.ts";

/** EIP-170 and EIP-7825. */
const CODE_LIMIT = 24_576;
const TRANSACTION_GAS_LIMIT = 16_777_216n;

const P = 2n ** 255n - 19n;

/** What is on record in registrationGas.json; compared at the end. */
const figures: Record<string, string> = {};

let chain: Verifiers;
beforeAll(async () => {
  chain = await startVerifiers();
});
afterAll(() => chain.connection.close());

const codeAt = async (address: Hex) => (await chain.publicClient.getCode({ address })) ?? "0x";

describe("Ed25519VerifierFactory", () => {
  it("deploys a verifier at the address that it computes, and says so", async () => {
    const hex = toHex(signerNamed("deployed").publicKey);
    const address = await chain.factory.read.verifierAddress([hex]);
    expect(await codeAt(address)).toBe("0x");

    const hash = await chain.factory.write.deploy([hex]);
    const { logs, gasUsed } = await chain.publicClient.getTransactionReceipt({ hash });
    const events = parseEventLogs({ abi: chain.factory.abi, logs });
    expect(events.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      { eventName: "VerifierDeployed", args: { publicKey: hex, verifier: getAddress(address) } },
    ]);
    expect(await codeAt(address)).toBe(await chain.factory.read.verifierCode([hex]));

    figures["registration of a key, whole transaction"] = gasUsed.toString();
    expect(gasUsed).toBeLessThan(TRANSACTION_GAS_LIMIT / 2n);
  });

  it("puts a verifier's code together from the template and what it derives from the key", async () => {
    const { publicKey } = signerNamed("derived");
    const hex = toHex(publicKey);
    const { x, y } = decodePublicKey(publicKey).point.toAffine();
    const comb = await chain.viem.deployContract("CombTableHarness");
    const shape = { columns: 21n, teeth: 6n, tables: 2n };
    const [tables, corrections, gas] = await comb.read.derive([shape, P - x, y]);
    expect([size(tables), size(corrections)]).toEqual([10_240, 192]);
    figures["deriving the tables of a key"] = gas.toString();

    const { parts, factory } = chain;
    const parameters = parameterWords(hex, [
      await factory.read.batchTableAddress([hex, false]),
      parts.batchVerifier,
      parts.sha512Of138Bytes,
      parts.sha512OfTwo138Bytes,
      await factory.read.SHA512_OF_ANY_LENGTH(),
    ]);
    const code = await factory.read.verifierCode([hex]);
    expect(code).toBe(concat([await codeAt(parts.template), corrections, tables, parameters]));
    process.stdout.write(`size: verifier ${size(code)} bytes, ${CODE_LIMIT - size(code)} left\n`);
    expect(size(code)).toBeLessThanOrEqual(CODE_LIMIT);
  });

  it("deploys both tables for large batches, derived from the key, and finds them when asked again", async () => {
    const { factory, parts, viem, publicClient } = chain;
    const { publicKey } = signerNamed("with tables for batches");
    const hex = toHex(publicKey);
    const { x, y } = decodePublicKey(publicKey).point.toAffine();
    const comb = await viem.deployContract("CombTableHarness");
    const [tables, corrections, gas] = await comb.read.derive([{ columns: 16n, teeth: 8n, tables: 2n }, P - x, y]);
    expect([size(tables), size(corrections)]).toEqual([40_960, 0]);
    figures["deriving the tables for large batches"] = gas.toString();

    const [lower, upper] = [
      await factory.read.batchTableAddress([hex, false]),
      await factory.read.batchTableAddress([hex, true]),
    ];
    const parameters = parameterWords(hex, [
      upper,
      parts.lowerTableOfBase,
      parts.upperTableOfBase,
      parts.sha512Of138Bytes,
      parts.sha512OfTwo138Bytes,
    ]);
    const receiptOf = async (hash: Hex) => await publicClient.getTransactionReceipt({ hash });
    const deployed = await receiptOf(await factory.write.deployBatchTables([hex]));
    figures["tables for large batches, whole transaction"] = deployed.gasUsed.toString();
    const [event] = await factory.getEvents.BatchTablesDeployed();
    expect(event?.args).toEqual({ publicKey: hex, lowerTable: lower });
    const half = size(tables) / 2;
    expect(await codeAt(lower)).toBe(concat(["0x00", slice(tables, 0, half), parameters]));
    expect(await codeAt(upper)).toBe(concat(["0x00", slice(tables, half)]));
    expect(await factory.read.batchTableCode([hex, false])).toBe(await codeAt(lower));
    expect(await factory.read.batchTableCode([hex, true])).toBe(await codeAt(upper));

    const { result } = await factory.simulate.deployBatchTables([hex]);
    expect(result).toBe(lower);
    expect((await receiptOf(await factory.write.deployBatchTables([hex]))).logs).toEqual([]);
  });

  it("computes the address of EIP-1014, with salt 0, at little cost", async () => {
    const hex = toHex(signerNamed("addressed").publicKey);
    const { bytecode } = await artifacts.readArtifact("Ed25519Verifier");
    const expected = getContractAddress({
      opcode: "CREATE2",
      from: chain.factory.address,
      salt: zeroHash,
      bytecodeHash: keccak256(concat([bytecode as Hex, hex])),
    });
    expect(await chain.factory.read.verifierAddress([hex])).toBe(expected);

    const meter = await chain.viem.deployContract("ExecutionGasHarness");
    const { abi, address } = chain.factory;
    const data = encodeFunctionData({ abi, functionName: "verifierAddress", args: [hex] });
    const { result: gas } = await meter.simulate.gasOf([address, data]);
    figures["verifierAddress, with the call to a cold contract"] = gas.toString();
  });

  it("returns the existing verifier when asked again, and emits nothing", async () => {
    const hex = toHex(signerNamed("asked twice").publicKey);
    await chain.factory.write.deploy([hex]);
    const { result } = await chain.factory.simulate.deploy([hex]);
    expect(result).toBe(await chain.factory.read.verifierAddress([hex]));
    const hash = await chain.factory.write.deploy([hex]);
    const receipt = await chain.publicClient.getTransactionReceipt({ hash });
    expect(receipt.status).toBe("success");
    expect(receipt.logs).toEqual([]);
    figures["registration of a key that has a verifier, whole transaction"] = receipt.gasUsed.toString();
  });

  it.each([
    ["NonCanonicalPublicKey", `0xee${"ff".repeat(30)}7f`],
    ["NonCanonicalPublicKey", `0x01${"00".repeat(30)}80`],
    ["PublicKeyNotOnCurve", `0x02${"00".repeat(31)}`],
    ["PublicKeyNotPrimeOrder", `0x01${"00".repeat(31)}`],
    // A key of order L, plus the point of order 2.
    ["PublicKeyNotPrimeOrder", withTorsion(signerNamed("torsion").publicKey)],
  ] as const)("refuses a bad key with %s and the key", async (error, key) => {
    const { assertions } = chain.viem;
    const { factory } = chain;
    await assertions.revertWithCustomErrorWithArgs(factory.simulate.deploy([key]), factory, error, [key]);
    await assertions.revertWithCustomErrorWithArgs(factory.read.verifierCode([key]), factory, error, [key]);
    await assertions.revertWithCustomErrorWithArgs(factory.simulate.deployBatchTables([key]), factory, error, [key]);
  });

  it("takes no contract for a part but the right one", async () => {
    const { factory, parts, viem } = chain;
    const [wallet] = await viem.getWalletClients();
    if (!wallet) throw new Error("too few accounts");
    for (const [part, right] of Object.entries(parts)) {
      const contracts = [...Object.values(parts).filter((other) => other !== right), factory.address];
      const strangers = [
        ...(await Promise.all(contracts.map(async (one) => [one, keccak256(await codeAt(one))] as const))),
        // EIP-1052: an account without code has the hash of nothing, and what is no account has 0.
        [wallet.account.address, keccak256("0x")],
        ["0x00000000000000000000000000000000000a11ce", zeroHash],
      ] as const;
      for (const [stranger, codeHash] of strangers) {
        await viem.assertions.revertWithCustomErrorWithArgs(
          viem.deployContract("Ed25519VerifierFactory", [{ ...parts, [part]: stranger }]),
          factory,
          "UnexpectedCode",
          [getAddress(stranger), keccak256(await codeAt(right)), codeHash],
        );
      }
    }
  });

  it("is the same factory with the same parts, whoever deployed them, but has verifiers of its own", async () => {
    const { factory, parts, viem } = chain;
    const other = await viem.deployContract("Ed25519VerifierFactory", [parts]);
    const hex = toHex(signerNamed("deployed").publicKey);
    expect(await other.read.verifierAddress([hex])).not.toBe(await factory.read.verifierAddress([hex]));
    const [ours, theirs] = [await factory.read.verifierCode([hex]), await other.read.verifierCode([hex])];
    // Six words of parameters end it: the second is the address of a table that the factory makes itself, the last that
    // of its SHA-512 contract.
    const withoutOwn = (code: Hex) => [code.slice(0, -5 * 64), code.slice(-4 * 64, -64)];
    expect(withoutOwn(theirs)).toEqual(withoutOwn(ours));
  });

  it("reverts when starved of gas, never for the key's sake, and leaves nothing behind", async () => {
    const { factory, publicClient } = chain;
    const hex = toHex(signerNamed("starved of gas").publicKey);
    const address = await factory.read.verifierAddress([hex]);
    let [tooLittle, enough] = [21_000n, TRANSACTION_GAS_LIMIT];
    while (enough - tooLittle > 1n) {
      const gas = (tooLittle + enough) / 2n;
      const suffices = await factory.simulate.deploy([hex], { gas }).then(
        () => true,
        () => false,
      );
      if (suffices) enough = gas;
      else tooLittle = gas;
    }

    // All the way up, where something else starves at each height, and close below the least that suffices.
    const amounts: bigint[] = [];
    for (let gas = 25_000n; gas < enough; gas += gas < 600_000n ? 24_989n : 249_989n) amounts.push(gas);
    for (let gas = enough - 1n; gas > enough - 10_000n; gas -= 397n) amounts.push(gas);
    for (const gas of amounts) {
      await expect(factory.simulate.deploy([hex], { gas }), `${gas}`).rejects.toSatisfy((error) => {
        expect(nameOrNothing(error)).toBeOneOf([undefined, "ModularExponentiationFailed"]);
        return true;
      });
      await expect(factory.write.deploy([hex], { gas }), `${gas}`).rejects.toThrow();
      expect(await codeAt(address), `${gas}`).toBe("0x");
    }
    await factory.write.deploy([hex], { gas: enough });
    expect(await publicClient.getCode({ address })).toBe(await factory.read.verifierCode([hex]));
  });
});

/** The words behind the tables: the key, and addresses. */
function parameterWords(key: Hex, addresses: readonly Hex[]): Hex {
  return concat([key, ...addresses.map((address) => pad(address, { size: 32 }))]).toLowerCase() as Hex;
}

/** The custom error with which a call reverted, if it says any. */
function nameOrNothing(error: unknown): string | undefined {
  try {
    return errorNameOf(error);
  } catch {
    return undefined;
  }
}

/** A + (0, -1) = (-x, -y) of a key A. */
function withTorsion(publicKey: Uint8Array): Hex {
  const { x, y } = decodePublicKey(publicKey).point.toAffine();
  const number = (P - y) | (((P - x) & 1n) << 255n);
  return toHex(Uint8Array.from(Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse()));
}

describe("Ed25519Verifier", () => {
  it("answers for its own key only", async () => {
    const signer = signerNamed("own");
    const message = Uint8Array.from(createHash("sha512").update("message").digest()).slice(0, 60);
    const priceMessage = Uint8Array.from([...message, ...message]).slice(0, 74);
    const signature = signer.sign(priceMessage);
    const check = checkSignature(decodePublicKey(signer.publicKey), priceMessage, signature);
    if (!check.valid) throw new Error(check.reason);

    const verifier = await chain.verifierOf(signer.publicKey);
    const other = await chain.verifierOf(signerNamed("other").publicKey);
    if (typeof verifier === "string" || typeof other === "string") throw new Error("a key was refused");
    expect(await verifier.read.publicKey()).toBe(toHex(signer.publicKey));
    expect(await verdictOf(verifier, priceMessage, signature)).toBe("Valid");
    expect(await verdictOf(verifier, priceMessage, signature, check.xOfR)).toBe("Valid");
    expect(await verdictOf(other, priceMessage, signature)).toBe("InvalidSignature");
    expect(await verdictOf(other, priceMessage, signature, check.xOfR)).toBe("InvalidSignature");
  });

  it("has a readable reference, whose gas stays within bounds", async () => {
    const signer = signerNamed("own");
    const message = new Uint8Array(74).fill(3);
    const signature = signer.sign(message);
    const check = checkSignature(decodePublicKey(signer.publicKey), message, signature);
    if (!check.valid) throw new Error(check.reason);
    const harness = await chain.viem.deployContract("Ed25519Harness");
    const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))];
    const hex = toHex(signer.publicKey);
    const gas = await harness.read.gasOfVerification([hex, toHex(message), r, s, check.xOfR]);
    const [ofDecoding, plain, hinted] = gas;
    process.stdout.write(`gas: decodePublicKey ${ofDecoding}, verify ${plain}, verifyWithHint ${hinted} (74 bytes)\n`);
    expect(plain).toBeLessThan(200_000n);
    expect(hinted).toBeLessThan(200_000n);
    expect(ofDecoding).toBeLessThan(200_000n);
  });
});

it("the gas of a registration is what is on record (npx vitest run test/ed25519/factory --update)", async () => {
  await expect(`${JSON.stringify(figures, undefined, 2)}\n`).toMatchFileSnapshot("registrationGas.json");
});
