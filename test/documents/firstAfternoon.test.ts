import type { Address } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorIn } from "../consumer/errorIn.ts";
import { startChain, type TestChain } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET } from "../oracle/signedUpdate.ts";
import { compileBlocks } from "./solidityBlocks.ts";

const gas = 16_000_000n;

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

it("the contract of the first afternoon takes today's price from its caller, and not yesterday's", async () => {
  const contract = compileBlocks("docs/consumers.md", "solc").contracts.get("Appraisals");
  if (!contract) throw new Error("there is no contract Appraisals");
  const { abi, bytecode } = contract;
  await chain.clock.set((chain.clock.now() / DAY + 1n) * DAY + 14n * HOUR);
  const oracle = await chain.deployOracle();
  const [wallet] = await chain.viem.getWalletClients();
  if (!wallet) throw new Error("no account");
  const hash = () => wallet.deployContract({ abi, bytecode, args: [oracle.address, MARKET] });
  const { contractAddress } = await chain.mined(hash);
  const address = contractAddress as Address;
  const appraise = (update: `0x${string}`) =>
    ({ address, abi, functionName: "appraise", args: [[update], 1_500n], account: wallet.account, gas }) as const;

  const today = dayOf(chain.clock.now());
  const yesterdays = oracle.signed({
    date: dateOfDay(today - 1),
    publishTimeMs: chain.clock.nowMs() - 24n * HOUR_MS,
    expiryMs: chain.clock.nowMs() + HOUR_MS,
  });
  const refused = chain.publicClient.simulateContract(appraise(yesterdays));
  expect(await errorIn(abi, refused)).toEqual({ name: "PriceDayTooEarly", args: [MARKET, today - 1, today] });

  await chain.mined(() => wallet.writeContract(appraise(oracle.signed({ price: 21_694_000_000n }))));
  const value = { address, abi, functionName: "valueOf", args: [wallet.account.address] } as const;
  expect(await chain.publicClient.readContract(value)).toBe(32_541_000_000_000n);
});
