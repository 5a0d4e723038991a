import { type Address, concat, type Hex, numberToHex, size } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BenchmarkChain, startBenchmarkChain } from "../../scripts/benchmark/benchmarkChain.ts";
import { callsTo, deploymentGas, traceCall, traceReads, traceTransaction } from "../../scripts/benchmark/callTrace.ts";

/** An account that nothing has touched. */
const COLD: Address = "0x00000000000000000000000000000000c01dc01d";

/** PUSH20 account, BALANCE, STOP: 3 gas, and 2,600 or 100 (EIP-2929). */
const ASK_BALANCE = concat(["0x73", COLD, "0x3100"]);
/** PUSH0, PUSH5 2^40 - 1, MSTORE: memory for which no gas is enough. */
const TAKE_ALL_GAS: Hex = "0x5f64ffffffffff52";
const STOP: Hex = "0x00";

let chain: BenchmarkChain;
beforeAll(async () => {
  chain = await startBenchmarkChain("osaka");
});
afterAll(() => chain.close());

/** Deploys code: PUSH2 its length, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN, and behind it the code. */
function deploy(code: Hex): Promise<Address> {
  return chain.deploy(
    "deploy a test's code",
    concat(["0x61", numberToHex(size(code), { size: 2 }), "0x80600a5f395ff3", code]),
  );
}

describe("the gas of a call", () => {
  it("is what its instructions cost, with cold accounts", async () => {
    const frame = await traceCall(chain, { to: await deploy(ASK_BALANCE), data: "0x" });
    expect(frame?.gasUsed).toBe(2_603);
  });

  it("is what they cost with warm accounts, where these are named", async () => {
    const frame = await traceCall(chain, { to: await deploy(ASK_BALANCE), data: "0x", warm: [COLD] });
    expect(frame?.gasUsed).toBe(103);
  });

  it("includes the calls within, which can be told apart", async () => {
    const inner = await deploy(ASK_BALANCE);
    // Four times PUSH0, PUSH20 inner, GAS, STATICCALL, STOP: 13 gas and 2,600 for the account.
    const outer = await deploy(concat(["0x5f5f5f5f73", inner, "0x5afa00"]));
    const frame = await traceCall(chain, { to: outer, data: "0x" });
    expect(frame?.gasUsed).toBe(13 + 2_600 + 2_603);
    expect(frame && callsTo(frame, inner).map(({ gasUsed }) => gasUsed)).toEqual([2_603]);
  });

  it("is not known where a transaction's gas is not enough", async () => {
    const to = await deploy(TAKE_ALL_GAS);
    expect(await traceCall(chain, { to, data: "0x" })).toBeUndefined();
    expect(await traceTransaction(chain, { to, data: "0x" })).toBeUndefined();
  });
});

describe("the gas of a read", () => {
  it("is that of the call and of what is executed, cold and then warm", async () => {
    const read = await traceReads(chain, { to: await deploy(ASK_BALANCE), data: "0x" });
    expect(read).toEqual({ cold: 2_600 + 2_603, warm: 100 + 103, output: "0x" });
  });

  it("is not told where the read fails", async () => {
    // Twice PUSH0, REVERT.
    const to = await deploy("0x5f5ffd");
    await expect(traceReads(chain, { to, data: "0x" })).rejects.toThrow("failed");
  });

  it("is not told where the second answer is another", async () => {
    // GAS, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: answers how much gas it has.
    const to = await deploy("0x5a5f5260205ff3");
    await expect(traceReads(chain, { to, data: "0x" })).rejects.toThrow("and then");
  });
});

describe("the gas of a deployment", () => {
  it("does not depend on which bytes of its data are zero", () => {
    const execution = 1_000;
    const gas = { calldataBytes: 3, execution, atMost: 21_000 + 3 * 16 + execution };
    expect(deploymentGas("0x00ff00", BigInt(21_000 + 4 + 16 + 4 + execution))).toEqual(gas);
    expect(deploymentGas("0x01ff02", BigInt(21_000 + 3 * 16 + execution))).toEqual(gas);
  });
});

describe("the gas of a transaction", () => {
  it("is 21,000, 4 and 16 for a byte of calldata, and what is executed", async () => {
    const traced = await traceTransaction(chain, { to: await deploy(ASK_BALANCE), data: "0x00ff" });
    expect(traced?.gas).toEqual({ transaction: 21_000 + 20 + 2_603, calldata: 20, execution: 2_603 });
  });

  it("is the floor where little is executed", async () => {
    const traced = await traceTransaction(chain, { to: await deploy(STOP), data: `0x${"ff".repeat(100)}` });
    expect(traced?.gas).toEqual({ transaction: 21_000 + 4_000, calldata: 1_600, execution: 0 });
  });
});
