import { scryptSync } from "node:crypto";
import * as Keystore from "ox/Keystore";
import { type Hex, hexToBytes } from "viem";
import { describe, expect, test } from "vitest";
import { UnusableKeyError } from "../../relayer/keys/keyErrors.ts";
import { keystoreSigner } from "../../relayer/keys/keystoreSigner.ts";
import { privateKeySigner } from "../../relayer/keys/privateKeySigner.ts";
import { PBKDF2_VECTOR, SCRYPT_VECTOR, VECTOR_ADDRESS, VECTOR_KEY, VECTOR_PASSWORD } from "./keystoreVectors.ts";
import { recoveredSender, TRANSACTION } from "./unsignedTransaction.ts";

/** A file as today's wallets write it, with other parameters than the vectors, and quick to open. */
function writtenByAWallet(key: Hex, password: string) {
  const salt = "0b".repeat(32);
  const kdfparams = { dklen: 32, n: 1_024, r: 8, p: 1, salt };
  const derived = scryptSync(password, hexToBytes(`0x${salt}`), 32, { N: 1_024, r: 8, p: 1 });
  const iv = hexToBytes(`0x${"0c".repeat(16)}`);
  return Keystore.encrypt(key, `0x${derived.toString("hex")}`, { iv, kdf: "scrypt", kdfparams });
}

const FILE = writtenByAWallet(VECTOR_KEY, VECTOR_PASSWORD);

function open(file: unknown, password = VECTOR_PASSWORD, address?: Hex) {
  return keystoreSigner({ json: typeof file === "string" ? file : JSON.stringify(file), password, address });
}

async function problemOf(opening: Promise<unknown>): Promise<UnusableKeyError> {
  const problem = await opening.catch((error: unknown) => error);
  if (!(problem instanceof UnusableKeyError)) throw new Error(`opened, or ${String(problem)}`);
  return problem;
}

describe("a keystore file", () => {
  test.each([
    ["of the definition, with pbkdf2,", PBKDF2_VECTOR],
    ["of the definition, with scrypt,", SCRYPT_VECTOR],
    ["of today's wallets", FILE],
    ["with a capital in Crypto", { ...FILE, crypto: undefined, Crypto: FILE.crypto }],
    ["with an address", { ...FILE, address: VECTOR_ADDRESS.slice(2).toLowerCase() }],
    ["with an address that begins with 0x", { ...FILE, address: VECTOR_ADDRESS }],
    ["without an id", { ...FILE, id: undefined }],
  ])("%s opens and signs", async (_, file) => {
    const signer = await open(file);
    expect(signer.address).toBe(VECTOR_ADDRESS);
    const signed = await signer.signTransaction(TRANSACTION);
    expect(await recoveredSender(signed)).toBe(VECTOR_ADDRESS);
    expect(signed).toBe(await privateKeySigner(VECTOR_KEY).signTransaction(TRANSACTION));
  });

  test("with another password does not open", async () => {
    for (const password of ["testpasswore", "", `${VECTOR_PASSWORD}\n`]) {
      const problem = await problemOf(open(FILE, password));
      expect(problem).toMatchObject({ code: "KEYSTORE_NOT_OPENED", kind: "configuration" });
      expect(problem.hint).toContain("password");
    }
  });

  test.each([
    ["ciphertext", { ...FILE, crypto: { ...FILE.crypto, ciphertext: `00${FILE.crypto.ciphertext.slice(2)}` } }],
    ["mac", { ...FILE, crypto: { ...FILE.crypto, mac: `00${FILE.crypto.mac.slice(2)}` } }],
  ])("with another %s does not open", async (_, file) => {
    expect((await problemOf(open(file))).code).toBe("KEYSTORE_NOT_OPENED");
  });

  test.each([
    ["no JSON", "{", "no JSON"],
    ["no object", "[]", "no JSON object"],
    ["without crypto", { ...FILE, crypto: undefined }, "see crypto"],
    ["with a ciphertext cut short", { ...FILE, crypto: { ...FILE.crypto, ciphertext: "00" } }, "crypto.ciphertext"],
    ["with another cipher", { ...FILE, crypto: { ...FILE.crypto, cipher: "aes-128-cbc" } }, "crypto.cipher"],
    ["with another derivation", { ...FILE, crypto: { ...FILE.crypto, kdf: "argon2id" } }, "crypto"],
    [
      "with parameters that would take hours",
      {
        ...PBKDF2_VECTOR,
        crypto: { ...PBKDF2_VECTOR.crypto, kdfparams: { ...PBKDF2_VECTOR.crypto.kdfparams, c: 1e15 } },
      },
      "crypto.kdfparams.c",
    ],
    [
      "with parameters that would take all memory",
      { ...FILE, crypto: { ...FILE.crypto, kdfparams: { ...SCRYPT_VECTOR.crypto.kdfparams, n: 2 ** 40 } } },
      "crypto.kdfparams",
    ],
  ])("%s is told as damaged, with the place and nothing of its content", async (_, file, place) => {
    const problem = await problemOf(open(file));
    expect(problem.code).toBe("KEYSTORE_DAMAGED");
    expect(problem.message).toContain(place);
    for (const text of [problem.message, problem.hint, String(problem.cause)]) {
      expect(text).not.toContain(FILE.crypto.ciphertext);
      expect(text).not.toContain(VECTOR_PASSWORD);
      expect(text).not.toContain(VECTOR_KEY.slice(2));
    }
  });

  test("of another version is told as such", async () => {
    expect((await problemOf(open({ ...FILE, version: 1 }))).code).toBe("KEYSTORE_UNSUPPORTED");
    expect((await problemOf(open({ ...FILE, version: undefined }))).code).toBe("KEYSTORE_UNSUPPORTED");
  });

  test("of another address is told with both", async () => {
    const other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const named = { ...FILE, address: other.slice(2) };
    for (const [file, address] of [[FILE, other] as const, [named, undefined] as const]) {
      const problem = await problemOf(open(file, VECTOR_PASSWORD, address));
      expect(problem.code).toBe("KEYSTORE_ADDRESS_DIFFERS");
      expect(problem.message).toContain(VECTOR_ADDRESS);
      expect(problem.message.toLowerCase()).toContain(other.toLowerCase());
    }
    expect((await open(FILE, VECTOR_PASSWORD, VECTOR_ADDRESS)).address).toBe(VECTOR_ADDRESS);
  });
});

describe("a private key", () => {
  test("signs, with or without 0x", async () => {
    for (const key of [VECTOR_KEY, VECTOR_KEY.slice(2), VECTOR_KEY.toUpperCase().replace("0X", "0x")]) {
      const signer = privateKeySigner(key);
      expect(signer.address).toBe(VECTOR_ADDRESS);
      expect(await recoveredSender(await signer.signTransaction(TRANSACTION))).toBe(VECTOR_ADDRESS);
    }
  });

  test.each([
    "",
    "0x",
    "secret",
    VECTOR_KEY.slice(0, -1),
    `${VECTOR_KEY}00`,
    `${VECTOR_KEY}\n`,
    `0x${"00".repeat(32)}`,
    `0x${"ff".repeat(32)}`,
  ])("that is none is told as such, and not shown (%#)", (key) => {
    let problem: unknown;
    try {
      privateKeySigner(key);
    } catch (error) {
      problem = error;
    }
    expect(problem).toMatchObject({ code: "PRIVATE_KEY_INVALID", kind: "configuration" });
    expect(problem).not.toHaveProperty("cause");
    if (key.length > 2) expect(`${String(problem)}${(problem as UnusableKeyError).hint}`).not.toContain(key);
  });
});
