import {
  type Address,
  createPublicClient,
  custom,
  encodeAbiParameters,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import {
  GatewayError,
  gatewaySource,
  getPrice,
  getUpdateRules,
  homePriceOracleAbi,
  OracleRevertError,
  rentalFeedId,
  salesFeedId,
  toMulticall,
  UpdateNotFreshEnoughError,
  UpdateNotServedError,
  UpdateRefusedError,
  type UpdateSource,
  withFreshPrice,
} from "../../sdk/index.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET, testSigner } from "../oracle/signedUpdate.ts";
import { failureOf } from "./failureOf.ts";
import { sendJson, startGateway, type TestGateway } from "./gateway.ts";
import { deployMulticall3 } from "./multicall3.ts";

const SALES = salesFeedId(MARKET);
const RENTAL = rentalFeedId(MARKET);

const consumerAbi = parseAbi([
  "struct Price { uint64 price; uint64 publishTime; uint64 expiry; uint32 day; }",
  "function pull(bytes[] updates, uint64 feedId, uint32 minDay) returns (Price)",
  "function pullSeveral(bytes[] updates, uint64[] feedIds, uint32 minDay) returns (Price[])",
  "function pullNoOlderThan(bytes[] updates, uint64 feedId, uint32 minDay, uint256 maxAgeSeconds) returns (Price)",
  "error Unrelated()",
]);

let chain: TestChain;
let client: TestChain["publicClient"];
let gateway: TestGateway;
let source: UpdateSource;
let oracle: TestOracle;
let consumer: Address;
let multicall: Address;

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
  // Each test begins at 13:00 UTC of a day of its own.
  await chain.clock.set(BigInt(today() + 1) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle({ defaultBand: 500n });
  ({ address: consumer } = await held(() => chain.viem.deployContract("ConsumerHarness", [oracle.address])));
});

/** Deploys in a block of the clock's time. */
const held = async <T>(deploy: () => Promise<T>): Promise<T> => {
  await chain.clock.hold();
  return deploy();
};

const today = () => dayOf(chain.clock.now());

/** Puts today's price of a feed into the gateway. */
async function offer(feedId: bigint, options: Parameters<TestOracle["signed"]>[0] = {}): Promise<Hex> {
  const update = oracle.signed({ feedId, hintedAs: 1, ...options });
  gateway.offer(feedId, update, await getUpdateRules(client, { oracle: oracle.address }));
  return update;
}

const pull = (feedId: bigint, minDay = 0) => ({
  address: consumer,
  abi: consumerAbi,
  functionName: "pull" as const,
  args: (updates: readonly Hex[]) => [updates, feedId, minDay] as const,
});
const toUpdateRequest = (update: Hex) => ({
  address: oracle.address,
  abi: homePriceOracleAbi,
  functionName: "updatePrices" as const,
  args: [[update]] as const,
});
const common = () => ({ oracle: oracle.address, source });

describe("a call that takes the updates itself", () => {
  test("is filled with the price that it lacks, and goes through when it is sent", async () => {
    const update = await offer(SALES);
    const { request, updates, calls, updateRequest } = await withFreshPrice(client, {
      ...common(),
      feedIds: [SALES],
      call: pull(SALES, today()),
    });
    expect(request.args).toEqual([[update], SALES, today()]);
    expect(updates).toMatchObject([{ feedId: SALES, update, date: dateOfDay(today()) }]);
    expect(updateRequest).toBeUndefined();
    expect(calls).toMatchObject([{ to: consumer, value: 0n }]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
    expect(await getPrice(client, { oracle: oracle.address, feedId: SALES })).toMatchObject({
      price: { value: 21_694_000_000n, decimals: 8 },
      day: today(),
    });
  });

  test("gets nothing when everything is fresh, and nobody is asked", async () => {
    await oracle.update(oracle.signed({}));
    const { request, updates } = await withFreshPrice(client, {
      ...common(),
      feedIds: [SALES],
      call: pull(SALES, today()),
    });
    expect([updates, request.args]).toEqual([[], [[], SALES, today()]]);
    expect(gateway.asked).toEqual([]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
  });

  test("gets only what it needs, each feed once", async () => {
    await oracle.update(oracle.signed({}));
    const update = await offer(RENTAL);
    await offer(SALES);
    const call = {
      address: consumer,
      abi: consumerAbi,
      functionName: "pullSeveral" as const,
      args: (updates: readonly Hex[]) => [updates, [SALES, RENTAL], today()] as const,
    };
    const { request } = await withFreshPrice(client, {
      ...common(),
      feedIds: [SALES, RENTAL, RENTAL],
      minDay: today(),
      call,
    });
    expect(request.args[0]).toEqual([update]);
    expect(gateway.asked).toEqual([[RENTAL.toString()]]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
  });

  test("of an earlier day does not do, whether it is given as number or date", async () => {
    await oracle.update(oracle.signed({}));
    await chain.clock.advance(DAY - HOUR);
    const update = await offer(SALES);
    for (const minDay of [today(), dateOfDay(today())]) {
      const { request } = await withFreshPrice(client, {
        ...common(),
        feedIds: [SALES],
        minDay,
        call: pull(SALES, today()),
      });
      expect(request.args[0]).toEqual([update]);
    }
    const yesterday = await withFreshPrice(client, {
      ...common(),
      feedIds: [SALES],
      minDay: today() - 1,
      call: pull(SALES),
    });
    expect(yesterday.updates).toEqual([]);
  });

  test("an age can be bound, expired or not", async () => {
    await oracle.update(oracle.signed({ expiryMs: chain.clock.nowMs() + HOUR_MS }));
    await chain.clock.advance(10n * HOUR);
    const update = await offer(SALES);
    const withAge = (maxAge: bigint) =>
      withFreshPrice(client, { ...common(), feedIds: [SALES], maxAge, call: pull(SALES) });
    expect((await withAge(11n * HOUR)).updates).toEqual([]);
    expect((await withAge(10n * HOUR)).updates).toMatchObject([{ update }]);
  });

  test("a price of a revoked signer is replaced", async () => {
    const second = testSigner("second");
    oracle = await chain.deployOracle({ signers: [testSigner("first"), second] });
    ({ address: consumer } = await held(() => chain.viem.deployContract("ConsumerHarness", [oracle.address])));
    await oracle.update(oracle.signed({}));
    await oracle.owner.revokeSigner(1);
    const update = await offer(SALES, { signer: second, hintedAs: 2 });
    const { request } = await withFreshPrice(client, { ...common(), feedIds: [SALES], call: pull(SALES) });
    expect(request.args[0]).toEqual([update]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
  });

  test("what somebody else has brought meanwhile is left out", async () => {
    const update = await offer(SALES);
    gateway.fault = (response, answer) => {
      oracle.update(update).then(
        () => sendJson(response, answer),
        () => response.destroy(),
      );
    };
    const { updates, request } = await withFreshPrice(client, { ...common(), feedIds: [SALES], call: pull(SALES) });
    expect(updates).toEqual([]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
  });
});

test("a client that batches its reads through Multicall3 does as well", async () => {
  const update = await offer(SALES);
  const batching = createPublicClient({
    chain: { ...client.chain, contracts: { multicall3: { address: multicall } } },
    transport: custom(chain.connection.provider),
    batch: { multicall: true },
  });
  const { updates } = await withFreshPrice(batching, { ...common(), feedIds: [SALES, SALES], call: pull(SALES) });
  expect(updates).toMatchObject([{ update }]);
  await chain.mined(() => chain.accounts.stranger.writeContract(toUpdateRequest(update)));
  expect((await withFreshPrice(batching, { ...common(), feedIds: [SALES], call: pull(SALES) })).updates).toEqual([]);
});

describe("without feeds, simulating the call tells what it needs", () => {
  const several = (minDay: number) => ({
    address: consumer,
    abi: consumerAbi,
    functionName: "pullSeveral" as const,
    args: (updates: readonly Hex[]) => [updates, [SALES, RENTAL], minDay] as const,
  });

  test("one feed after the other", async () => {
    const sales = await offer(SALES);
    const rental = await offer(RENTAL);
    const { request } = await withFreshPrice(client, {
      ...common(),
      account: chain.accounts.stranger.account,
      call: several(today()),
    });
    expect(request.args[0]).toEqual([sales, rental]);
    await chain.mined(() => chain.accounts.stranger.writeContract(request));
    gateway.asked.length = 0;
    expect((await withFreshPrice(client, { ...common(), call: several(today()) })).updates).toEqual([]);
    expect(gateway.asked).toEqual([]);
  });

  test("a day that the call asks for", async () => {
    await oracle.update(oracle.signed({}), oracle.signed({ feedId: RENTAL }));
    await chain.clock.advance(DAY - HOUR);
    const sales = await offer(SALES);
    const rental = await offer(RENTAL);
    const { request } = await withFreshPrice(client, { ...common(), call: several(today()) });
    expect(request.args[0]).toEqual([sales, rental]);
  });

  test("an age that the call asks for", async () => {
    await oracle.update(oracle.signed({}));
    await chain.clock.advance(5n * HOUR);
    const update = await offer(SALES);
    const call = {
      address: consumer,
      abi: consumerAbi,
      functionName: "pullNoOlderThan" as const,
      args: (updates: readonly Hex[]) => [updates, SALES, 0, HOUR] as const,
    };
    expect((await withFreshPrice(client, { ...common(), call })).updates).toMatchObject([{ update }]);
    gateway.reset();
    await offer(SALES, { publishTimeMs: chain.clock.nowMs() - 2n * HOUR_MS });
    const error = await failureOf(withFreshPrice(client, { ...common(), call }), UpdateNotFreshEnoughError);
    expect(error.message).toMatch(/is 72\d\d s old, more than 3600 s/);
  });

  test("what the call fails with for another reason is told", async () => {
    await oracle.guardian.pause();
    const error = await failureOf(withFreshPrice(client, { ...common(), call: several(0) }), OracleRevertError);
    expect(error.decoded).toMatchObject({ name: "FeedPaused" });
    const unpayable = { ...several(0), address: oracle.address };
    await failureOf(withFreshPrice(client, { ...common(), call: unpayable }), Error);
  });

  test("a call that asks in vain is given up", async () => {
    await offer(SALES);
    // Drops the updates, so that they never help.
    const call = { ...pull(SALES), args: (_: readonly Hex[]) => [[], SALES, 0] as const };
    const error = await failureOf(withFreshPrice(client, { ...common(), call }), OracleRevertError);
    expect(error.decoded.name).toBe("NoPrice");
    expect(gateway.asked).toHaveLength(1);
  });
});

describe("any other call gets the updates before it", () => {
  const plain = () => ({
    address: consumer,
    abi: consumerAbi,
    functionName: "pull" as const,
    args: [[], SALES, today()] as const,
  });

  test("for multicall", async () => {
    const update = await offer(SALES);
    const { calls, updates } = await withFreshPrice(client, { ...common(), feedIds: [SALES], call: plain() });
    expect(updates).toMatchObject([{ update }]);
    expect(calls.map(({ to }) => to)).toEqual([oracle.address, consumer]);
    await chain.mined(() => chain.accounts.stranger.writeContract(toMulticall(calls, { multicall })));
    expect((await getPrice(client, { oracle: oracle.address, feedId: SALES })).day).toBe(today());
  });

  test("for a smart account that executes batches", async () => {
    await offer(SALES);
    const account = await held(() => chain.viem.deployContract("BatchAccount"));
    const { calls } = await withFreshPrice(client, { ...common(), feedIds: [SALES], call: plain() });
    const batch = encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[]"), [calls]);
    await chain.mined(() => account.write.execute([`0x01${"00".repeat(31)}`, batch]));
    expect((await getPrice(client, { oracle: oracle.address, feedId: SALES })).day).toBe(today());
  });

  test("one transaction after the other", async () => {
    await offer(SALES);
    const { updateRequest, request } = await withFreshPrice(client, { ...common(), feedIds: [SALES], call: plain() });
    const { stranger } = chain.accounts;
    if (!updateRequest) throw new Error("nothing to bring");
    await chain.mined(() => stranger.writeContract(updateRequest));
    await chain.mined(() => stranger.writeContract(request));
  });

  test("or stands alone when everything is fresh", async () => {
    await oracle.update(oracle.signed({}));
    const { calls, updateRequest, request } = await withFreshPrice(client, {
      ...common(),
      feedIds: [SALES],
      call: plain(),
    });
    expect(calls.map(({ to }) => to)).toEqual([consumer]);
    expect(updateRequest).toBeUndefined();
    expect(request).toEqual(plain());
  });
});

describe("is refused when no good price is to be had", () => {
  const ask = (minDay = 0) =>
    withFreshPrice(client, { ...common(), feedIds: [SALES], minDay, call: pull(SALES, minDay) });

  test("a tampered update", async () => {
    await offer(SALES);
    gateway.fault = (response, { updates }) =>
      sendJson(response, {
        updates: updates.map((item) => ({ ...item, update: item.update.replace(/.{80}$/, "0".repeat(80)) })),
      });
    expect((await failureOf(ask(), UpdateRefusedError)).refusal.code).toBe("MessageMismatch");
  });

  test("a gateway that is down", async () => {
    gateway.fault = (response) => response.writeHead(500).end();
    await failureOf(ask(), GatewayError);
  });

  test("yesterday's price where today's is wanted", async () => {
    const yesterday = today();
    await chain.clock.advance(DAY - HOUR);
    await offer(SALES, { date: dateOfDay(yesterday) });
    const { message } = await failureOf(ask(today()), UpdateNotFreshEnoughError);
    expect(message).toContain(`is of ${dateOfDay(yesterday)}, before ${dateOfDay(today())}`);
    expect((await ask(yesterday)).updates).toHaveLength(1);
  });

  test("a price of a day before the one that the oracle has", async () => {
    const before = today();
    await chain.clock.advance(DAY - HOUR);
    await oracle.update(oracle.signed({ expiryMs: chain.clock.nowMs() + HOUR_MS }));
    await chain.clock.advance(HOUR);
    await offer(SALES, { date: dateOfDay(before), expiryMs: chain.clock.nowMs() + HOUR_MS });
    expect((await failureOf(ask(), UpdateNotFreshEnoughError)).message).toContain("which the oracle has");
  });

  test("a price that would have to wait", async () => {
    await oracle.update(oracle.signed({}));
    await chain.clock.advance(DAY + HOUR);
    const update = await offer(SALES, { price: 60_000_000_000n });
    await failureOf(ask(), UpdateNotServedError);
    // Once it waits, no newer price is asked for.
    await oracle.update(update);
    gateway.asked.length = 0;
    expect((await failureOf(ask(), OracleRevertError)).decoded.name).toBe("FeedQuarantined");
    expect(gateway.asked).toEqual([]);
  });

  test.each(["FeedPaused", "UnknownFeed"])("%s, which no price cures", async (name) => {
    await offer(SALES);
    if (name === "FeedPaused") await oracle.guardian.pauseFeed(SALES);
    const feedId = name === "FeedPaused" ? SALES : salesFeedId(10n ** 10n, { rentalOffset: 10n ** 11n });
    const call = withFreshPrice(client, { ...common(), feedIds: [feedId], call: pull(feedId) });
    expect((await failureOf(call, OracleRevertError)).decoded.name).toBe(name);
    expect(gateway.asked).toEqual([]);
  });
});

test("types: arguments are those of the function, values only where it is payable", () => {
  const known = { oracle: "0x" as Address, source: {} as UpdateSource, feedIds: [SALES] };
  const { feedIds: _, ...unknown } = known;
  const consume = { address: "0x", abi: consumerAbi, functionName: "pull" } as const;
  const buy = { address: "0x", abi: parseAbi(["function buy(bytes[] updates) payable"]), functionName: "buy" } as const;
  const read = { address: "0x", abi: homePriceOracleAbi, functionName: "paused", args: [] } as const;
  const checks = () => [
    withFreshPrice(client, { ...known, call: { ...consume, args: (updates) => [updates, SALES, 1] } }),
    withFreshPrice(client, { ...unknown, call: { ...consume, args: (updates) => [updates, SALES, 1] } }),
    withFreshPrice(client, { ...known, call: { ...consume, args: [[], SALES, 1] } }),
    withFreshPrice(client, { ...known, call: { ...buy, args: (updates) => [updates], value: 1n } }),
    // @ts-expect-error an argument of the wrong type
    withFreshPrice(client, { ...known, call: { ...consume, args: (updates) => [updates, "1", 1] } }),
    // @ts-expect-error an argument is missing
    withFreshPrice(client, { ...known, call: { ...consume, args: [[], SALES] } }),
    // @ts-expect-error a value for a function that takes none
    withFreshPrice(client, { ...known, call: { ...consume, args: [[], SALES, 1], value: 1n } }),
    // @ts-expect-error a batch needs to know its feeds
    withFreshPrice(client, { ...unknown, call: { ...consume, args: [[], SALES, 1] } }),
    // @ts-expect-error without feeds, the call's own rules hold
    withFreshPrice(client, { ...unknown, minDay: 1, call: { ...consume, args: (updates) => [updates, SALES, 1] } }),
    // @ts-expect-error a plain number is no feed
    withFreshPrice(client, { ...known, feedIds: [5n], call: { ...consume, args: [[], SALES, 1] } }),
    // @ts-expect-error a function that only reads is not sent
    withFreshPrice(client, { ...known, call: read }),
  ];
  expectTypeOf(checks).toBeFunction();
});
