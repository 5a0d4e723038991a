import {
  type Address,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbiParameters,
  stringToHex,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import {
  CallRevertedError,
  erc7412AdapterAbi,
  GatewayError,
  gatewaySource,
  getUpdateRules,
  HOME_PRICE_ORACLE_ID,
  homePriceOracleAbi,
  OracleResolverError,
  OracleRevertError,
  type ResolveOracleDataParameters,
  rentalFeedId,
  resolveOracleData,
  salesFeedId,
  toMulticall,
  UpdateNotFreshEnoughError,
  UpdateRefusedError,
  type UpdateSource,
} from "../../sdk/index.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET } from "../oracle/signedUpdate.ts";
import { failureOf } from "./failureOf.ts";
import { sendJson, startGateway, type TestGateway } from "./gateway.ts";
import { deployMulticall3 } from "./multicall3.ts";
import { deployAnswering, deployReverting } from "./smallContracts.ts";

const SALES = salesFeedId(MARKET);
const RENTAL = rentalFeedId(MARKET);
const ANY_AGE = 2n ** 256n - 1n;
const BATCH = parseAbiParameters("(address to, uint256 value, bytes data)[]");

let chain: TestChain;
let client: TestChain["publicClient"];
let gateway: TestGateway;
let source: UpdateSource;
let multicall: Address;
let oracle: TestOracle;
let adapter: Address;
let book: Awaited<ReturnType<typeof deployBook>>;
const deployBook = () => held(() => chain.viem.deployContract("AppraisalBook", [adapter]));

beforeAll(async () => {
  chain = await startChain();
  client = chain.publicClient;
  gateway = await startGateway();
  source = gatewaySource({ url: gateway.url, retries: 0 });
  multicall = await deployMulticall3(chain);
});
afterAll(async () => {
  await gateway.close();
  await chain.close();
});
beforeEach(async () => {
  gateway.reset();
  await chain.clock.set(BigInt(today() + 1) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle({ defaultBand: 500n });
  ({ address: adapter } = await held(() => chain.viem.deployContract("ERC7412Adapter", [oracle.address])));
  book = await deployBook();
});

/** Deploys in a block of the clock's time. */
const held = async <T>(deploy: () => Promise<T>): Promise<T> => {
  await chain.clock.hold();
  return deploy();
};

const today = () => dayOf(chain.clock.now());

async function offer(feedId: bigint, options: Parameters<TestOracle["signed"]>[0] = {}): Promise<Hex> {
  const update = oracle.signed({ feedId, hintedAs: 1, ...options });
  gateway.offer(feedId, update, await getUpdateRules(client, { oracle: oracle.address }));
  return update;
}

/** Books a home of 100 square feet by the mean of two feeds. */
const appraise = (minDay = today()) => ({
  to: book.address,
  data: encodeFunctionData({ abi: book.abi, functionName: "appraise", args: [SALES, RENTAL, minDay, 100n] }),
});
const resolve = (parameters: Partial<ResolveOracleDataParameters> = {}) =>
  resolveOracleData(client, {
    oracle: oracle.address,
    oracleContracts: [adapter],
    source,
    call: appraise(),
    account: chain.accounts.stranger.account,
    multicall,
    ...parameters,
  });
const queryOf = (feedId: bigint, maxAge: bigint, minDay: number) =>
  encodeAbiParameters(parseAbiParameters("uint64, uint256, uint32"), [feedId, maxAge, minDay]);
/** A contract that asks for data whatever is done. */
const asking = (oracleContract: Address, oracleQuery: Hex, fee = 0n) =>
  deployReverting(
    chain,
    encodeErrorResult({
      abi: erc7412AdapterAbi,
      errorName: "OracleDataRequired",
      args: [oracleContract, oracleQuery, fee],
    }),
  );

describe("a call that lacks prices", () => {
  test("gets all that it asks for, in one fulfilment, and goes through as a multicall", async () => {
    const [sales, rental] = [await offer(SALES), await offer(RENTAL, { price: 10_000_000_000n })];
    const { calls, updates } = await resolve({ executor: "multicall" });
    expect(updates.map(({ update }) => update)).toEqual([sales, rental]);
    expect(calls.map(({ to }) => getAddress(to))).toEqual(
      [adapter, book.address].map((address) => getAddress(address)),
    );
    expect(gateway.asked).toEqual([[SALES.toString()], [RENTAL.toString()]]);
    await chain.mined(() => chain.accounts.stranger.writeContract(toMulticall(calls, { multicall })));
    expect(await book.read.valueOf([multicall])).toBe(100n * 15_847_000_000n);
  });

  test("is made by the account itself: a smart account sends the batch", async () => {
    await offer(SALES);
    await offer(RENTAL);
    const account = await held(() => chain.viem.deployContract("BatchAccount"));
    const { calls } = await resolve({ account: account.address });
    const batch = encodeAbiParameters(BATCH, [calls]);
    await chain.mined(() => account.write.execute([`0x01${"00".repeat(31)}`, batch]));
    expect(await book.read.valueOf([account.address])).toBe(100n * 21_694_000_000n);
  });

  test("gets only what is missing, and nothing when nothing is", async () => {
    await oracle.update(oracle.signed({}));
    const rental = await offer(RENTAL);
    const { updates } = await resolve();
    expect(updates.map(({ update }) => update)).toEqual([rental]);
    await oracle.update(rental);
    gateway.asked.length = 0;
    expect(await resolve({ multicall: undefined })).toEqual({
      calls: [{ ...appraise(), value: 0n }],
      updates: [],
      data: "0x",
    });
    expect(gateway.asked).toEqual([]);
  });

  test("may be a read, whose answer comes back; with an age instead of a day", async () => {
    await oracle.update(oracle.signed({ expiryMs: chain.clock.nowMs() + HOUR_MS }));
    await chain.clock.advance(5n * HOUR);
    await offer(SALES, { price: 21_700_000_000n });
    const contract = { abi: erc7412AdapterAbi, functionName: "getPrice" } as const;
    const read = async (maxAge: bigint) => {
      const call = { to: adapter, data: encodeFunctionData({ ...contract, args: [SALES, maxAge] }) };
      const { data, calls } = await resolve({ call, account: undefined });
      return { calls: calls.length, price: decodeFunctionResult({ ...contract, data }).price };
    };
    expect(await read(6n * HOUR)).toEqual({ calls: 1, price: 21_694_000_000n });
    expect(await read(HOUR)).toEqual({ calls: 2, price: 21_700_000_000n });
  });

  test("what somebody else brings meanwhile is left out", async () => {
    const [sales, rental] = [await offer(SALES), await offer(RENTAL)];
    gateway.fault = (response, answer) => {
      oracle.update(sales, rental).then(
        () => sendJson(response, answer),
        () => response.destroy(),
      );
    };
    expect((await resolve()).calls).toHaveLength(1);
  });
});

describe("is not fulfilled", () => {
  const refused = async (parameters: Partial<ResolveOracleDataParameters>) => {
    const error = await failureOf(resolve(parameters), OracleResolverError);
    expect(error.hint).not.toBe("");
    return error;
  };
  const call = (to: Address) => ({ to, data: "0x12345678" as const });

  test("for an oracle contract that is not configured, whatever it is", async () => {
    await offer(SALES);
    const { address: other } = await held(() => chain.viem.deployContract("ERC7412Adapter", [oracle.address]));
    const query = queryOf(SALES, ANY_AGE, 0);
    expect(await refused({ call: call(await asking(other, query)) })).toMatchObject({
      code: "ORACLE_CONTRACT_NOT_CONFIGURED",
      oracleContract: expect.stringMatching(new RegExp(other, "i")),
      oracleQuery: query,
    });
    expect(gateway.asked).toEqual([]);
  });

  test("for one of another oracle id, of another oracle, or of none", async () => {
    const query = queryOf(SALES, ANY_AGE, 0);
    const id = stringToHex("PYTH", { size: 32 });
    const elsewhere = await chain.deployOracle();
    const { address: another } = await held(() => chain.viem.deployContract("ERC7412Adapter", [elsewhere.address]));
    for (const [contract, code] of [
      [await deployAnswering(chain, id), "WRONG_ORACLE_ID"],
      [book.address, "WRONG_ORACLE_ID"],
      [chain.accounts.other.account.address, "WRONG_ORACLE_ID"],
      [another, "WRONG_ORACLE"],
      [await deployAnswering(chain, HOME_PRICE_ORACLE_ID), "WRONG_ORACLE"],
    ] as const) {
      const asked = await asking(contract, query);
      expect(await refused({ oracleContracts: [contract], call: call(asked) })).toMatchObject({ code });
    }
    expect(gateway.asked).toEqual([]);
  });

  test("for a fee", async () => {
    const to = await asking(adapter, queryOf(SALES, ANY_AGE, 0), 1n);
    const error = await refused({ call: call(to) });
    expect(error).toMatchObject({ code: "ORACLE_FEE_REFUSED", message: expect.stringContaining("1 wei") });
    expect(gateway.asked).toEqual([]);
  });

  test.each<[string, Hex]>([
    ["cut", "0x1234"],
    ["empty", "0x"],
    ["out of range", queryOf(SALES, 0n, 0).replace(/^0x0/, "0x1") as Hex],
  ])("for a query that is %s", async (_, query) => {
    expect(await refused({ call: call(await asking(adapter, query)) })).toMatchObject({
      code: "ORACLE_QUERY_MALFORMED",
      oracleQuery: query,
    });
  });

  test("a second time for the same query", async () => {
    await offer(SALES);
    const to = await asking(adapter, queryOf(SALES, ANY_AGE, 0));
    expect(await refused({ call: call(to) })).toMatchObject({ code: "ORACLE_QUERY_REPEATED" });
    expect(gateway.asked).toHaveLength(1);
  });

  test("deeper than is allowed", async () => {
    await offer(SALES);
    await offer(RENTAL);
    expect(await refused({ maxDepth: 1 })).toMatchObject({ code: "RESOLVER_TOO_DEEP" });
    expect(gateway.asked).toHaveLength(1);
    expect(await refused({ maxDepth: 0 })).toMatchObject({ code: "RESOLVER_TOO_DEEP" });
    expect((await resolve({ maxDepth: 2 })).updates).toHaveLength(2);
  });

  test("where no batch can be simulated", async () => {
    await offer(SALES);
    expect(await refused({ multicall: undefined })).toMatchObject({ code: "MULTICALL_MISSING" });
  });
});

describe("fails with the cause", () => {
  test("when no good price is to be had", async () => {
    await offer(SALES);
    gateway.fault = (response) => response.writeHead(500).end();
    await failureOf(resolve(), GatewayError);
    gateway.fault = (response, { updates }) =>
      sendJson(response, { updates: updates.map((item) => ({ ...item, price: "1" })) });
    await failureOf(resolve(), UpdateRefusedError);
  });

  test("when the price is of an earlier day", async () => {
    const yesterday = today();
    await chain.clock.advance(DAY - HOUR);
    await offer(SALES, { date: dateOfDay(yesterday) });
    await failureOf(resolve(), UpdateNotFreshEnoughError);
  });

  test("when fresh data cannot help", async () => {
    await oracle.guardian.pause();
    expect((await failureOf(resolve(), OracleRevertError)).decoded.name).toBe("FeedPaused");
    const late = await failureOf(resolve({ call: appraise(today() + 2) }), OracleRevertError);
    expect(late.decoded.name).toBe("FeedPaused");
    await oracle.owner.unpause();
    expect((await failureOf(resolve({ call: appraise(today() + 2) }), OracleRevertError)).decoded.name).toBe(
      "DayNotReached",
    );
  });

  test("when the call fails for a reason of its own", async () => {
    const to = await deployReverting(chain, "0xdeadbeef");
    expect(await failureOf(resolve({ call: { to, data: "0x" } }), CallRevertedError)).toMatchObject({
      data: "0xdeadbeef",
    });
    // A value that the function does not take: the oracle reverts without data.
    const data = encodeFunctionData({ abi: homePriceOracleAbi, functionName: "pause" });
    await failureOf(resolve({ call: { to: oracle.address, data, value: 1n } }), Error);
  });
});
