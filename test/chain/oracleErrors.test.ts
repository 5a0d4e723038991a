import { type Abi, type AbiParameter, encodeErrorResult, type Hex, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { describeOracleError } from "../../relayer/chain/oracleErrors.ts";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";

type OracleError = Extract<(typeof homePriceOracleAbi)[number], { type: "error" }>;
const ERRORS: readonly OracleError[] = homePriceOracleAbi.filter((item) => item.type === "error");
const GENERIC_HINT = "See the error's description in the contract's interface.";

/** A value of each type that errors carry. */
function sampleOf({ type, name }: AbiParameter): unknown {
  if (name?.endsWith("Ms")) return 1_772_627_400_000n;
  if (type === "bytes10") return stringToHex("2026-02-30");
  if (type === "bytes") return encode("ZeroPrice", [0n, -8n]);
  if (type.startsWith("bytes")) return `0x${"1a".repeat(Number(type.slice(5)))}`;
  if (type === "address") return "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  return /^u?int(8|16|32)$/.test(type) ? 3 : 7n;
}

function encode(errorName: string, args: readonly unknown[]): Hex {
  return encodeErrorResult({ abi: homePriceOracleAbi as Abi, errorName, args });
}

test.each(ERRORS.map((error) => [error.name, error] as const))(
  "%s is told by name, with its values",
  (name, { inputs }) => {
    const described = describeOracleError(encode(name, inputs.map(sampleOf)));
    if (name === "InvalidUpdate") {
      expect(described).toMatchObject({ name: "ZeroPrice", index: 7 });
      return;
    }
    expect(described?.name).toBe(name);
    expect(described?.index).toBeUndefined();
    expect(described?.hint).not.toBe("");
    for (const input of inputs) expect(described?.message).toContain(`${input.name} `);
    if (inputs.length === 0) expect(described?.message).toBe(name);
  },
);

test("every error of updates and reads says what to do about it", async () => {
  const { abi } = await readArtifact("interfaces/IHomePriceOracle.sol", "IHomePriceOracle");
  const names = abi.filter((item) => item.type === "error").map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  const silent = names.filter((name) => {
    const error = ERRORS.find((candidate) => candidate.name === name);
    return error === undefined || describeOracleError(encode(name, error.inputs.map(sampleOf)))?.hint === GENERIC_HINT;
  });
  expect(silent).toEqual([]);
});

describe("values are written for people", () => {
  test.each([
    ["InvalidDate", [stringToHex("2026-02-30")], 'InvalidDate (date "2026-02-30")'],
    ["InvalidDate", ["0x00ff0d0a1b5b33316d20"], "InvalidDate (date "],
    ["ZeroPrice", [0n, -8n], "ZeroPrice (mantissa 0, exponent -8)"],
    [
      "ExpiryPassed",
      [1_772_627_400_000n, 1_772_627_401_000n],
      "ExpiryPassed (expiryMs 2026-03-04T12:30:00.000Z, nowMs 2026-03-04T12:30:01.000Z)",
    ],
    [
      "PublishTimeTooFarAhead",
      [2n ** 256n - 1n, 0n],
      `PublishTimeTooFarAhead (publishTimeMs ${2n ** 256n - 1n} ms, nowMs 1970-01-01T00:00:00.000Z)`,
    ],
    ["NoUsableSigner", [], "NoUsableSigner"],
  ])("%s", (name, args, message) => {
    expect(describeOracleError(encode(name, args))?.message).toContain(message);
  });

  test("date bytes that are no text cannot write to a terminal", () => {
    const described = describeOracleError(encode("InvalidDate", ["0x00ff0d0a1b5b33316d20"]));
    expect([...(described?.message ?? "")].every((character) => character >= " ")).toBe(true);
  });
});

describe("a reason inside InvalidUpdate", () => {
  test("is told with the position of the update", () => {
    expect(describeOracleError(encode("InvalidUpdate", [4n, encode("InvalidSignature", [1])]))).toEqual({
      name: "InvalidSignature",
      message: "update 4 is invalid: InvalidSignature (signer 1)",
      hint: "The price was not signed by this signer, or has been changed on the way: do not use it.",
      index: 4,
    });
  });

  test.each<Hex>(["0x", "0x1234", "0xdeadbeef"])("%s, which nobody knows, is shown as it is", (reason) => {
    expect(describeOracleError(encode("InvalidUpdate", [0n, reason]))).toMatchObject({
      name: "InvalidUpdate",
      message: `update 0 is invalid: ${reason}`,
      index: 0,
    });
  });
});

test.each<Hex>(["0x", "0x12", "0xdeadbeef", "0x08c379a0", `0x${"ff".repeat(100)}`])("%s is none of ours", (data) => {
  expect(describeOracleError(data)).toBeUndefined();
});
