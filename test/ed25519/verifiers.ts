import { network } from "hardhat";
import { BaseError, ContractFunctionRevertedError } from "viem";
import type { InvalidPublicKeyCode } from "../../relayer/message/ed25519.ts";
import { deployFactory } from "./deployFactory.ts";
import { toHex } from "./hex.ts";

/** The contracts' enum, in its order. */
export const VERDICTS = ["InvalidSignature", "Valid", "WrongHint"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The errors of the two implementations that mean the same. */
export const CONTRACT_ERROR_OF_CODE: Record<Exclude<InvalidPublicKeyCode, "PUBLIC_KEY_LENGTH">, string> = {
  PUBLIC_KEY_NOT_CANONICAL: "NonCanonicalPublicKey",
  PUBLIC_KEY_NOT_ON_CURVE: "PublicKeyNotOnCurve",
  PUBLIC_KEY_NOT_PRIME_ORDER: "PublicKeyNotPrimeOrder",
};

export const LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";

/** How often a property is tried. */
export const PROPERTY_RUNS = LONG ? 10_000 : 100;

/** A chain with a factory on it, and a verifier for each key that is asked for. */
export async function startVerifiers() {
  const connection = await network.create();
  const { viem } = connection;
  const publicClient = await viem.getPublicClient();
  const { factory, parts } = await deployFactory(viem);

  const open = async (publicKey: Uint8Array) => {
    const argument = [toHex(publicKey)] as const;
    try {
      await factory.simulate.deploy(argument);
    } catch (error) {
      return errorNameOf(error);
    }
    await factory.write.deploy(argument);
    return await viem.getContractAt("IEd25519Verifier", await factory.read.verifierAddress(argument));
  };

  const opened = new Map<string, ReturnType<typeof open>>();
  return {
    connection,
    viem,
    publicClient,
    factory,
    /** The addresses that the factory was made with. */
    parts,
    /** The verifier contract of a key, or the name of the error with which the factory refuses the key. */
    verifierOf: (publicKey: Uint8Array) => {
      const hex = toHex(publicKey);
      const verifier = opened.get(hex) ?? open(publicKey);
      opened.set(hex, verifier);
      return verifier;
    },
  };
}

export type Verifiers = Awaited<ReturnType<typeof startVerifiers>>;
export type Verifier = Exclude<Awaited<ReturnType<Verifiers["verifierOf"]>>, string>;

/** A 64-byte signature as the contracts take it. */
export function halves(signature: Uint8Array): readonly [r: `0x${string}`, s: `0x${string}`] {
  return [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32, 64))];
}

/** The contract's verdict; without a hint if xOfR is undefined. */
export async function verdictOf(
  verifier: Verifier,
  message: Uint8Array,
  signature: Uint8Array,
  xOfR?: bigint,
): Promise<Verdict> {
  const [r, s] = halves(signature);
  const number =
    xOfR === undefined
      ? await verifier.read.verify([toHex(message), r, s])
      : await verifier.read.verifyWithHint([toHex(message), r, s, xOfR]);
  return verdictNamed(number);
}

export function verdictNamed(number: number): Verdict {
  const verdict = VERDICTS[number];
  if (verdict === undefined) throw new Error(`there is no verdict ${number}`);
  return verdict;
}

/** The custom error with which a contract call reverted. */
export function errorNameOf(error: unknown): string {
  const revert = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (revert instanceof ContractFunctionRevertedError && revert.data !== undefined) return revert.data.errorName;
  throw error;
}
