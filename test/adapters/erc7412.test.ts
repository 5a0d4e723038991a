import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToString,
  parseAbiParameters,
  parseEventLogs,
  toFunctionSelector,
  trim,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET, RENTAL_OFFSET, SECOND_MS, testSigner } from "../oracle/signedUpdate.ts";
import { oracleQueryOf } from "./erc7412UnderTest.ts";
import { deployThroughProxy } from "./erc7726AdapterFactories.ts";
import { outcomeOf, refusalOf } from "./refusal.ts";

const MAX_AGE = 2n * DAY;
const ANY_AGE = 2n ** 256n - 1n;
/** After the six hours for which a price outside its band waits. */
const QUARANTINE = 6n * HOUR;

let chain: TestChain;
let oracle: TestOracle;
let factory: Address;
let adapter: Adapter;
beforeAll(async () => {
  chain = await startChain();
  factory = await deployThroughProxy(chain, "ERC7412AdapterFactory");
});
afterAll(() => chain.close());
beforeEach(async () => {
  // Each test begins at 13:00 UTC, half an hour after the day's prices come out.
  await chain.clock.set(BigInt(today() + 1) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle({ defaultBand: 500n });
  adapter = await deployAdapter();
});

const factoryContract = () => chain.viem.getContractAt("ERC7412AdapterFactory", factory);
async function deployAdapter() {
  const { read, write } = await factoryContract();
  await chain.mined(() => write.deploy([oracle.address]));
  return chain.viem.getContractAt("ERC7412Adapter", await read.adapterAddress([oracle.address]));
}
type Adapter = Awaited<ReturnType<typeof deployAdapter>>;

const answerOf = (...updates: Hex[]) => encodeAbiParameters(parseAbiParameters("bytes[]"), [updates]);
const required = (feedId: bigint, maxAge: bigint, minDay: number) => ({
  name: "OracleDataRequired",
  args: [getAddress(adapter.address), oracleQueryOf(feedId, maxAge, minDay), 0n],
});

const getPrice = (feedId = MARKET, maxAge = MAX_AGE) => adapter.read.getPrice([feedId, maxAge]);
const getPriceSince = (feedId = MARKET, minDay = 0) => adapter.read.getPriceSince([feedId, minDay]);
const errorOf = (call: Promise<unknown>) => refusalOf(call, adapter.abi);
const today = () => dayOf(chain.clock.now());

describe("the face", () => {
  it("is that of the ERC, with the error of three arguments", () => {
    const { abi } = adapter;
    const error = abi.find((item) => item.type === "error" && item.name === "OracleDataRequired");
    expect(error && "inputs" in error ? error.inputs.map(({ type }) => type) : []).toEqual([
      "address",
      "bytes",
      "uint256",
    ]);
    const functions = abi.flatMap((item) => (item.type === "function" ? [item] : []));
    const fulfil = functions.find(({ name }) => name === "fulfillOracleQuery");
    expect(fulfil && toFunctionSelector(fulfil)).toBe(toFunctionSelector("fulfillOracleQuery(bytes)"));
    expect(fulfil?.stateMutability).toBe("payable");
    expect(functions.map((item) => toFunctionSelector(item))).toContain(toFunctionSelector("oracleId()"));
  });

  it("has an id that says whose queries these are", async () => {
    const oracleId = await adapter.read.oracleId();
    expect(hexToString(trim(oracleId, { dir: "right" }))).toBe("HOMEPRICE");
  });
});

describe("data are required", () => {
  it("when there is no price yet", async () => {
    expect(await errorOf(getPrice())).toEqual(required(MARKET, MAX_AGE, 0));
    expect(await errorOf(getPriceSince())).toEqual(required(MARKET, ANY_AGE, 0));
    expect(await errorOf(getPriceSince(MARKET + RENTAL_OFFSET, today()))).toEqual(
      required(MARKET + RENTAL_OFFSET, ANY_AGE, today()),
    );
  });

  it("by getPrice when the price is too old, to the second, expired or not", async () => {
    const now = chain.clock.now();
    await oracle.update(oracle.signed({ publishTimeMs: now * SECOND_MS, expiryMs: (now + HOUR) * SECOND_MS }));
    await chain.clock.set(now + MAX_AGE);
    expect(await getPrice()).toMatchObject({ price: 21_694_000_000n, publishTime: now });
    await chain.clock.set(now + MAX_AGE + 1n);
    expect(await errorOf(getPrice())).toEqual(required(MARKET, MAX_AGE, 0));
  });

  it("by getPriceSince when the price has expired, to the second, however young", async () => {
    const expiry = chain.clock.now() + HOUR;
    await oracle.update(oracle.signed({ expiryMs: expiry * SECOND_MS }));
    await chain.clock.set(expiry - 1n);
    expect(await getPriceSince()).toMatchObject({ price: 21_694_000_000n, expiry });
    await chain.clock.set(expiry);
    expect(await errorOf(getPriceSince())).toEqual(required(MARKET, ANY_AGE, 0));
    expect(await getPrice()).toMatchObject({ expiry });
  });

  it("by getPriceSince when the price is of an earlier day, and unexpired", async () => {
    const yesterday = today();
    await oracle.update(oracle.signed());
    await chain.clock.advance(DAY - HOUR);
    expect(await getPriceSince(MARKET, yesterday)).toMatchObject({ day: yesterday });
    expect(await errorOf(getPriceSince(MARKET, today()))).toEqual(required(MARKET, ANY_AGE, today()));
    await oracle.update(oracle.signed({ price: 21_700_000_000n }));
    expect(await getPriceSince(MARKET, today())).toMatchObject({ price: 21_700_000_000n });
    expect(await getPriceSince(MARKET, yesterday)).toMatchObject({ price: 21_700_000_000n });
  });

  it("never of a day that has not come: with the hour that a publish time may be ahead", async () => {
    const tomorrow = today() + 1;
    await oracle.update(oracle.signed());
    const midnight = BigInt(tomorrow) * DAY;
    await chain.clock.set(midnight - HOUR - 1n);
    expect(await errorOf(getPriceSince(MARKET, tomorrow))).toEqual({ name: "DayNotReached", args: [MARKET, tomorrow] });
    await chain.clock.set(midnight - HOUR);
    expect(await errorOf(getPriceSince(MARKET, tomorrow))).toEqual(required(MARKET, ANY_AGE, tomorrow));
    await oracle.update(oracle.signed({ publishTimeMs: midnight * SECOND_MS, date: dateOfDay(tomorrow) }));
    expect(await getPriceSince(MARKET, tomorrow)).toMatchObject({ day: tomorrow });
    expect(await errorOf(getPriceSince(MARKET, 2 ** 32 - 1))).toMatchObject({ name: "DayNotReached" });
  });
});

describe("data are not required, because they would not help,", () => {
  it("of a feed that cannot be", async () => {
    for (const feedId of [0n, RENTAL_OFFSET, 2n ** 64n - 1n]) {
      const expected = { name: "UnknownFeed", args: [feedId] };
      expect(await errorOf(getPrice(feedId))).toEqual(expected);
      expect(await errorOf(getPriceSince(feedId, today()))).toEqual(expected);
    }
  });

  it("while all or this feed is paused, price or no price", async () => {
    const paused = { name: "FeedPaused", args: [MARKET] };
    await oracle.guardian.pause();
    expect([await errorOf(getPrice()), await errorOf(getPriceSince())]).toEqual([paused, paused]);
    await oracle.owner.unpause();
    await oracle.update(oracle.signed());
    await oracle.guardian.pauseFeed(MARKET);
    expect([await errorOf(getPrice()), await errorOf(getPriceSince())]).toEqual([paused, paused]);
    await chain.clock.advance(10n * DAY);
    expect([await errorOf(getPrice()), await errorOf(getPriceSince())]).toEqual([paused, paused]);
  });

  it("when the price's signer was revoked", async () => {
    await oracle.update(oracle.signed());
    await oracle.owner.revokeSigner(1, today());
    const revoked = { name: "PriceSignerRevoked", args: [MARKET, 1] };
    expect([await errorOf(getPrice()), await errorOf(getPriceSince())]).toEqual([revoked, revoked]);
    await chain.clock.advance(10n * DAY);
    expect([await errorOf(getPrice()), await errorOf(getPriceSince())]).toEqual([revoked, revoked]);
  });

  it("when what is wanted waits in quarantine", async () => {
    await oracle.update(oracle.signed({ expiryMs: (chain.clock.now() + DAY + HOUR) * SECOND_MS }));
    const yesterday = today();
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 2n * 21_694_000_000n }));
    const servedFrom = chain.clock.now() + QUARANTINE;
    const quarantined = { name: "FeedQuarantined", args: [MARKET, servedFrom] };
    // The price before is still what most readers want.
    expect(await getPriceSince(MARKET, yesterday)).toMatchObject({ day: yesterday });
    expect(await getPrice()).toMatchObject({ day: yesterday });
    // The price that is wanted is there, and has to wait.
    expect(await errorOf(getPriceSince(MARKET, today()))).toEqual(quarantined);
    expect(await errorOf(getPrice(MARKET, HOUR))).toEqual(quarantined);
    // What waits is not what is wanted.
    expect(await errorOf(getPriceSince(MARKET, today() + 1))).toMatchObject({ name: "DayNotReached" });
    await chain.clock.advance(HOUR);
    expect(await errorOf(getPriceSince(MARKET, yesterday))).toEqual(quarantined);
    await chain.clock.set(servedFrom);
    expect(await getPriceSince(MARKET, today())).toMatchObject({ price: 2n * 21_694_000_000n });
    expect(await getPrice()).toMatchObject({ price: 2n * 21_694_000_000n });
  });

  it("but they are, when what waits is of an earlier day than wanted", async () => {
    await chain.clock.advance(10n * HOUR + 1_800n);
    await oracle.update(oracle.signed({ expiryMs: (chain.clock.now() + 25n * HOUR) * SECOND_MS }));
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 2n * 21_694_000_000n }));
    await chain.clock.advance(1_800n);
    expect(await oracle.contract.read.pendingPrice([MARKET])).toMatchObject({ price: { day: today() - 1 } });
    expect(await getPriceSince(MARKET, today() - 2)).toMatchObject({ price: 21_694_000_000n, day: today() - 2 });
    expect(await errorOf(getPriceSince(MARKET, today()))).toEqual(required(MARKET, ANY_AGE, today()));
  });

  it("and a revised price is served at once", async () => {
    await oracle.update(oracle.signed());
    await chain.clock.advance(HOUR);
    await oracle.update(oracle.signed({ price: 21_700_000_000n }));
    expect(await getPrice()).toMatchObject({ price: 21_700_000_000n });
    expect(await getPriceSince(MARKET, today())).toMatchObject({ price: 21_700_000_000n });
  });
});

describe("fulfillOracleQuery", () => {
  const fulfil = (answer: Hex, value = 0n) => adapter.simulate.fulfillOracleQuery([answer], { value });

  it("brings prices of any feeds, and none twice", async () => {
    const answer = answerOf(oracle.signed({ feedId: 1n }), oracle.signed({ feedId: 2n, hintedAs: 1 }));
    const receipt = await chain.mined(() => adapter.write.fulfillOracleQuery([answer]));
    expect(oracle.eventsOf(receipt).map(({ eventName }) => eventName)).toEqual(["PriceUpdated", "PriceUpdated"]);
    expect(await getPrice(1n)).toEqual(await getPrice(2n));
    const again = await chain.mined(() => adapter.write.fulfillOracleQuery([answer]));
    expect(again.logs).toEqual([]);
  });

  it("refuses a value", async () => {
    const answer = answerOf(oracle.signed());
    expect(await errorOf(fulfil(answer, 1n))).toEqual({ name: "ValueNotAccepted", args: [1n] });
    const { relayer } = chain.accounts;
    await expect(relayer.sendTransaction({ to: adapter.address, value: 1n })).rejects.toThrow();
    expect(await chain.publicClient.getBalance({ address: adapter.address })).toBe(0n);
  });

  it("refuses an invalid update as the oracle does, and bytes that are not the format", async () => {
    const good = oracle.signed({ feedId: 1n });
    const forged = oracle.signed({ signer: testSigner("stranger") });
    const refusal = await errorOf(fulfil(answerOf(good, forged)));
    expect([refusal.name, refusal.args[0]]).toEqual(["InvalidUpdate", 1n]);
    for (const answer of ["0x", good, `${answerOf(good).slice(0, 130)}`] as Hex[]) {
      expect(await outcomeOf(fulfil(answer), adapter.abi)).toMatchObject({ refusal: undefined });
    }
  });
});

describe("an adapter", () => {
  it("is where the factory has said, and only once", async () => {
    const { read, write, abi } = await factoryContract();
    const other = await chain.deployOracle();
    const address = await read.adapterAddress([other.address]);
    expect(await chain.publicClient.getCode({ address })).toBeUndefined();
    const first = await chain.mined(() => write.deploy([other.address]));
    expect(parseEventLogs({ abi, logs: first.logs })).toMatchObject([
      { args: { oracle: getAddress(other.address), adapter: address }, eventName: "AdapterDeployed" },
    ]);
    expect((await chain.mined(() => write.deploy([other.address]))).logs).toEqual([]);
    const deployed = await chain.viem.getContractAt("ERC7412Adapter", address);
    expect(await deployed.read.ORACLE()).toBe(getAddress(other.address));
    const nobody = getAddress("0x00000000000000000000000000000000000a11ce");
    const { simulate } = await factoryContract();
    expect(await errorOf(simulate.deploy([nobody]))).toEqual({ name: "NoOracle", args: [nobody] });
  });
});

describe("a protocol that reads through it, called by a client that knows the ERC alone,", () => {
  /** ERC-7821: one batch, which reverts as a whole. */
  const BATCH_MODE: Hex = `0x01${"00".repeat(31)}`;
  type Call = { readonly to: Address; readonly value: bigint; readonly data: Hex };

  /** What the service has signed, by feed. */
  const service = new Map<bigint, Hex>();
  let account: Awaited<ReturnType<typeof deployAccount>>;
  let book: Awaited<ReturnType<typeof deployBook>>;
  async function deployAccount() {
    await chain.clock.hold();
    return chain.viem.deployContract("BatchAccount");
  }
  async function deployBook() {
    await chain.clock.hold();
    return chain.viem.deployContract("AppraisalBook", [adapter.address]);
  }
  beforeEach(async () => {
    service.clear();
    account = await deployAccount();
    book = await deployBook();
  });

  const batchOf = (calls: readonly Call[]) =>
    encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[]"), [calls]);

  /** The loop of the ERC: simulate, fetch what the error asks for, put it in front, until it passes. */
  async function prepare(call: Call): Promise<{ calls: Call[]; asked: Hex[] }> {
    const calls = [call];
    const asked: Hex[] = [];
    for (;;) {
      const simulation = account.simulate.execute([BATCH_MODE, batchOf(calls)]);
      const failure = await simulation.then(
        () => undefined,
        () => refusalOf(simulation, adapter.abi),
      );
      if (failure === undefined) return { calls, asked };
      if (failure.name !== "OracleDataRequired") throw new Error(failure.name);
      const [oracleContract, oracleQuery, feeRequired] = failure.args as [Address, Hex, bigint];
      if (asked.includes(oracleQuery)) throw new Error("the newest price is not what is wanted");
      asked.push(oracleQuery);
      const [feedId] = decodeAbiParameters(parseAbiParameters("uint64, uint256, uint32"), oracleQuery);
      const update = service.get(feedId);
      if (update === undefined) throw new Error("the service has no price");
      const data = encodeFunctionData({
        abi: adapter.abi,
        functionName: "fulfillOracleQuery",
        args: [answerOf(update)],
      });
      calls.unshift({ to: oracleContract, value: feeRequired, data });
    }
  }

  const appraisal = (minDay: number): Call => ({
    to: book.address,
    value: 0n,
    data: encodeFunctionData({ abi: book.abi, functionName: "appraise", args: [1n, 2n, minDay, 1_500n] }),
  });

  it("gets each price that it lacks, in one transaction", async () => {
    service.set(1n, oracle.signed({ feedId: 1n, price: 200n }));
    service.set(2n, oracle.signed({ feedId: 2n, price: 300n }));
    const { calls, asked } = await prepare(appraisal(today()));
    expect(asked).toEqual([oracleQueryOf(1n, ANY_AGE, today()), oracleQueryOf(2n, ANY_AGE, today())]);
    await chain.mined(() => account.write.execute([BATCH_MODE, batchOf(calls)]));
    expect(await book.read.valueOf([account.address])).toBe(250n * 1_500n);
    expect((await prepare(appraisal(today()))).asked).toEqual([]);
  });

  it("is not stopped by somebody who brings the same price first", async () => {
    service.set(1n, oracle.signed({ feedId: 1n, price: 200n }));
    service.set(2n, oracle.signed({ feedId: 2n, price: 300n }));
    const { calls } = await prepare(appraisal(today()));
    await oracle.update(...service.values());
    await chain.mined(() => account.write.execute([BATCH_MODE, batchOf(calls)]));
    expect(await book.read.valueOf([account.address])).toBe(250n * 1_500n);
  });

  it("is told to give up by the same query again", async () => {
    service.set(1n, oracle.signed({ feedId: 1n }));
    await chain.clock.advance(DAY - HOUR);
    await expect(prepare(appraisal(today()))).rejects.toThrow("the newest price is not what is wanted");
    await oracle.guardian.pause();
    await expect(prepare(appraisal(today()))).rejects.toThrow("FeedPaused");
  });
});
