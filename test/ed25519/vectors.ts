import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromHex } from "./hex.ts";

/** One case of a vector file. What the file leaves open is undefined. */
export type Vector = {
  name: string;
  publicKey: Uint8Array;
  message: Uint8Array;
  /** 64 bytes, or another number of them where a file tests that. */
  signature: Uint8Array;
  accept: boolean | undefined;
  keyError: string | null | undefined;
  /** x of R; null where R encodes no point. */
  xOfR: bigint | null | undefined;
  flags: readonly string[];
};

export type VectorSource = {
  name: string;
  load: () => Vector[];
  /** How many cases, distinct keys and accepted signatures there are, as far as it is stated beside the file. */
  counts: { cases: number; keys: number; accepted: number };
  /** How many cases come under a key that may be registered. */
  underAcceptedKeys: number;
};

/** The vectors that scripts/generateEd25519Vectors.ts writes, which every clone has. */
export const generatedSource: VectorSource = {
  name: "generated",
  load: () => {
    const { cases } = readJson(fileURLToPath(new URL("generated-vectors.json", import.meta.url))) as {
      cases: {
        name: string;
        publicKey: string;
        message: string;
        signature: string;
        accept: boolean;
        keyError: string | null;
        xOfR: string | null;
        flags: string[];
      }[];
    };
    return cases.map((given) => ({
      ...given,
      publicKey: fromHex(given.publicKey),
      message: fromHex(given.message),
      signature: fromHex(given.signature),
      xOfR: given.xOfR === null ? null : BigInt(given.xOfR),
    }));
  },
  counts: { cases: 237, keys: 57, accepted: 68 },
  underAcceptedKeys: 178,
};

/** Public vector files, which are not part of the repository. The folder is looked for; see {@link externalSources}. */
export const externalFolder: string | undefined = [
  process.env["ED25519_VECTORS_DIR"],
  fileURLToPath(new URL("../../../shared/vectors", import.meta.url)),
].find((folder) => folder !== undefined && existsSync(folder));

export const externalSources: VectorSource[] = [
  {
    name: "RFC 8032, section 7.1",
    load: () => {
      const cases = readExternal("rfc8032-ed25519.json") as { pub: string; msg: string; sig: string }[];
      return cases.map(({ pub, msg, sig }, index) => external(`test ${index + 1}`, pub, fromHex(msg), sig, true));
    },
    counts: { cases: 4, keys: 4, accepted: 4 },
    underAcceptedKeys: 4,
  },
  {
    name: "Wycheproof",
    load: () => {
      const { testGroups } = readExternal("wycheproof_ed25519_test.json") as {
        testGroups: {
          publicKey: { pk: string };
          tests: { tcId: number; comment: string; msg: string; sig: string; result: string; flags: string[] }[];
        }[];
      };
      return testGroups.flatMap(({ publicKey, tests }) =>
        tests.map(({ tcId, comment, msg, sig, result, flags }) => {
          const accept = result === "valid";
          return external(`${tcId} ${comment}`, publicKey.pk, fromHex(msg), sig, accept, flags);
        }),
      );
    },
    counts: { cases: 151, keys: 52, accepted: 88 },
    underAcceptedKeys: 151,
  },
  {
    // The file has no verdicts, as verifiers differ on all of it. Its flags give them: under a key of prime order, a
    // case satisfies the equation without the cofactor unless something of small order is left over (the residue), and
    // R has to be canonical.
    name: "CCTV",
    load: () => {
      const cases = readExternal("cctv_ed25519vectors.json") as {
        number: number;
        key: string;
        sig: string;
        msg: string;
        flags: string[] | null;
      }[];
      return cases.map(({ number, key, sig, msg, flags }) => {
        const has = (flag: string) => (flags ?? []).includes(flag);
        const isKeyUsable = !has("low_order_component_A") && !has("low_order_A") && !has("non_canonical_A");
        const accept = isKeyUsable && !has("low_order_residue") && !has("non_canonical_R");
        return external(`${number}`, key, new TextEncoder().encode(msg), sig, accept, flags ?? []);
      });
    },
    counts: { cases: 914, keys: 22, accepted: 2 },
    underAcceptedKeys: 28,
  },
];

function external(
  name: string,
  publicKey: string,
  message: Uint8Array,
  signature: string,
  accept: boolean,
  flags: readonly string[] = [],
): Vector {
  return {
    name,
    publicKey: fromHex(publicKey),
    message,
    signature: fromHex(signature),
    accept,
    keyError: undefined,
    xOfR: undefined,
    flags,
  };
}

function readExternal(file: string): unknown {
  if (externalFolder === undefined) throw new Error("there is no folder of external vectors");
  return readJson(`${externalFolder}/${file}`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
