import { type Abi, type AbiParameter, encodeErrorResult, type Hex, parseAbi, stringToHex } from "viem";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import { ORACLE_ERRORS_ABI } from "../../relayer/chain/oracleErrors.ts";
import { decodeOracleError, homePriceOracleAbi, readerErrorsAbi } from "../../sdk/index.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

const GENERIC_HINT = "See the error's description in the contract's interface.";

const encode = (errorName: string, args: readonly unknown[] = []): Hex =>
  encodeErrorResult({ abi: [...ORACLE_ERRORS_ABI, ...readerErrorsAbi] as Abi, errorName, args });

function sampleOf({ type }: AbiParameter): unknown {
  if (type === "bytes") return "0x1234";
  if (type === "bytes4") return "0x12345678";
  if (type === "address") return "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  return /^u?int(8|16|32)$/.test(type) ? 3 : 7n;
}

test.each(readerErrorsAbi.map((error) => [error.name, error] as const))(
  "%s of an adapter or consumer is told with its arguments and what to do",
  (name, error) => {
    const args = (error.inputs as readonly AbiParameter[]).map(sampleOf);
    const decoded = decodeOracleError(encode(name, args));
    expect(decoded).toMatchObject({ name, args });
    expect(decoded?.message).toContain(name);
    expect(decoded?.hint).not.toBe(GENERIC_HINT);
  },
);

test("an error of the oracle, with typed arguments", () => {
  const data = encode("PriceTooOld", [7n, 100n, 60n]);
  const decoded = decodeOracleError(data);
  if (decoded?.name !== "PriceTooOld") throw new Error("not decoded");
  expectTypeOf(decoded.args).toEqualTypeOf<readonly [bigint, bigint, bigint]>();
  expect(decoded).toEqual({
    name: "PriceTooOld",
    args: [7n, 100n, 60n],
    message: "PriceTooOld (feedId 7, ageSeconds 100, maxAgeSeconds 60)",
    hint: "Bring a newer price (updatePrices), or allow a higher age.",
    data,
  });
});

test("a refused update is told by its reason, with its position", () => {
  const data = encode("InvalidUpdate", [4n, encode("InvalidDate", [stringToHex("2026-02-30")])]);
  expect(decodeOracleError(data)).toMatchObject({
    name: "InvalidDate",
    args: ["0x323032362d30322d3330"],
    message: 'update 4 is invalid: InvalidDate (date "2026-02-30")',
    index: 4,
    data,
  });
  expect(decodeOracleError(encode("InvalidUpdate", [1n, "0xdeadbeef"]))).toMatchObject({
    name: "InvalidUpdate",
    args: [1n, "0xdeadbeef"],
    index: 1,
  });
});

test("revert data is found wherever libraries put it", async () => {
  const data = encode("NoPrice", [7n]);
  const contract = {
    address: oracle.address,
    abi: homePriceOracleAbi,
    functionName: "latestPrice",
    args: [7n],
  } as const;
  const read = await chain.publicClient.readContract(contract).catch((error: unknown) => error);
  const simulated = await chain.publicClient
    .simulateContract({
      address: oracle.address,
      abi: homePriceOracleAbi,
      functionName: "updatePrices",
      args: [["0x12"]],
    })
    .catch((error: unknown) => error);
  // An ABI that does not know the error: viem keeps the data apart then.
  const unknown = await chain.publicClient
    .readContract({ ...contract, abi: homePriceOracleAbi.filter(({ type }) => type === "function") })
    .catch((error: unknown) => error);
  expect(decodeOracleError(simulated)).toMatchObject({ name: "InvalidUpdateLength", args: [1n], index: 0 });
  for (const error of [
    read,
    unknown,
    data,
    { code: "CALL_EXCEPTION", data, transaction: { data: "0x12345678" } },
    { info: { error: { code: 3, data } } },
    { error: { data: { data } } },
    new Error("outer", { cause: { data } }),
  ]) {
    expect(decodeOracleError(error)).toMatchObject({ name: "NoPrice", args: [7n] });
  }
});

test.each([
  ["nothing", undefined],
  ["no data", "0x"],
  ["a stranger's error", "0xdeadbeef"],
  ["Solidity's own error", encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no"] })],
  ["broken arguments", encode("NoPrice", [7n]).slice(0, 40)],
  ["a transaction's own data", { transaction: { data: encode("NoPrice", [7n]) } }],
  ["a sentence", "execution reverted"],
  ["a number", 7],
])("%s is none of ours", (_, error) => {
  expect(decodeOracleError(error)).toBeUndefined();
});

test("errors that hold one another are no trap", () => {
  const errors = Array.from({ length: 30 }, (): Record<string, unknown> => ({}));
  for (const [index, error] of errors.entries()) {
    for (const [step, place] of ["raw", "data", "error", "info", "cause"].entries()) {
      error[place] = errors[(index * 7 + step * 11) % errors.length];
    }
  }
  expect(decodeOracleError(errors[0])).toBeUndefined();
});
