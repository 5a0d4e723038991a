import * as fc from "fast-check";
import { type Address, getAddress, parseEventLogs, toFunctionSelector, zeroAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LONG, startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET, SECOND_MS } from "../oracle/signedUpdate.ts";
import { deployThroughProxy } from "./erc7726AdapterFactories.ts";
import { refusalOf } from "./refusal.ts";

const MAX_AGE = 3n * DAY;
const FEED_MAX_AGE = HOUR;
const ONE = 10n ** 18n;
/** A whole collateral token is 1,500 square feet. */
const UNITS = 1_500n * ONE;
/** At 216.94 USD a square foot, with 18 decimals of collateral and 6 of loan. */
const EXPECTED = 325_410n * 10n ** (36n + 6n - 18n);
const LARGEST = 2n ** 256n - 1n;

let chain: TestChain;
let oracle: TestOracle;
let factory: Address;
let homeToken: Address;
let dollars: Address;
beforeAll(async () => {
  chain = await startChain();
  factory = await deployThroughProxy(chain, "MorphoAdapterFactory");
  homeToken = await deployToken(18);
  dollars = await deployToken(6);
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle({ defaultBand: 500n });
});

async function deployToken(decimals: number): Promise<Address> {
  await chain.clock.hold();
  return (await chain.viem.deployContract("TokenOfDecimals", [decimals])).address;
}

async function deployFeed(decimals: number, answer: bigint) {
  await chain.clock.hold();
  return chain.viem.deployContract("LoanTokenFeed", [decimals, answer]);
}

type Arguments = {
  oracle: Address;
  feedId: bigint;
  maxAge: bigint;
  collateralToken: Address;
  loanToken: Address;
  unitsPerToken: bigint;
  loanTokenFeed: Address;
  loanTokenFeedMaxAge: bigint;
};
const argumentsWith = (changes: Partial<Arguments> = {}): Arguments => ({
  oracle: oracle.address,
  feedId: MARKET,
  maxAge: MAX_AGE,
  collateralToken: homeToken,
  loanToken: dollars,
  unitsPerToken: UNITS,
  loanTokenFeed: zeroAddress,
  loanTokenFeedMaxAge: 0n,
  ...changes,
});

const factoryContract = () => chain.viem.getContractAt("MorphoAdapterFactory", factory);

async function deployAdapter(changes: Partial<Arguments> = {}) {
  const { read, write } = await factoryContract();
  const adapterArguments = argumentsWith(changes);
  await chain.mined(() => write.deploy([adapterArguments]));
  return chain.viem.getContractAt("MorphoAdapter", await read.adapterAddress([adapterArguments]));
}
type Adapter = Awaited<ReturnType<typeof deployAdapter>>;
const priceError = (adapter: Adapter) => refusalOf(adapter.read.price(), adapter.abi);

describe("a price that is", () => {
  it("fresh is served in Morpho's scale", async () => {
    const { read, abi } = await deployAdapter();
    await oracle.update(oracle.signed());
    expect(await read.price()).toBe(EXPECTED);
    const functions = abi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : []));
    expect(functions).toContain(toFunctionSelector("price()"));
  });

  it("missing is refused", async () => {
    expect(await priceError(await deployAdapter())).toEqual({ name: "NoPrice", args: [MARKET] });
  });

  it("expired is served until it is as old as the bound, to the second", async () => {
    const adapter = await deployAdapter();
    const now = chain.clock.now();
    await oracle.update(oracle.signed({ publishTimeMs: now * SECOND_MS, expiryMs: (now + HOUR) * SECOND_MS }));
    await chain.clock.set(now + MAX_AGE);
    expect(await adapter.read.price()).toBe(EXPECTED);
    await chain.clock.set(now + MAX_AGE + 1n);
    expect(await priceError(adapter)).toEqual({ name: "PriceTooOld", args: [MARKET, MAX_AGE + 1n, MAX_AGE] });
  });

  it("published ahead of the block is served", async () => {
    const adapter = await deployAdapter({ maxAge: 1n });
    await oracle.update(oracle.signed({ publishTimeMs: (chain.clock.now() + HOUR) * SECOND_MS }));
    expect(await adapter.read.price()).toBe(EXPECTED);
  });

  it("quarantined leaves the one before it, until that is too old", async () => {
    const adapter = await deployAdapter({ maxAge: DAY + HOUR });
    await oracle.update(oracle.signed());
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 2n * 21_694_000_000n }));
    const servedFrom = chain.clock.now() + 6n * HOUR;
    expect(await adapter.read.price()).toBe(EXPECTED);
    await chain.clock.advance(2n * HOUR);
    expect(await priceError(adapter)).toEqual({ name: "FeedQuarantined", args: [MARKET, servedFrom] });
    await chain.clock.set(servedFrom);
    expect(await adapter.read.price()).toBe(2n * EXPECTED);
  });

  it("paused, all or this feed, is refused", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    const paused = { name: "FeedPaused", args: [MARKET] };
    await oracle.guardian.pause();
    expect(await priceError(adapter)).toEqual(paused);
    await oracle.owner.unpause();
    await oracle.guardian.pauseFeed(MARKET);
    expect(await priceError(adapter)).toEqual(paused);
    await oracle.owner.unpauseFeed(MARKET);
    expect(await adapter.read.price()).toBe(EXPECTED);
  });

  it("of a revoked signer is refused", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    await oracle.owner.revokeSigner(1, dayOf(chain.clock.now()));
    expect(await priceError(adapter)).toEqual({ name: "PriceSignerRevoked", args: [MARKET, 1] });
  });

  it("revised is served at once", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    await chain.clock.advance(HOUR);
    await oracle.update(oracle.signed({ price: 21_700_000_000n }));
    expect(await adapter.read.price()).toBe((EXPECTED * 21_700n) / 21_694n);
  });

  it("0 in Morpho's scale is refused, and so is one of more than 256 bits", async () => {
    const dust = await deployToken(30);
    const whole = await deployToken(0);
    await oracle.update(oracle.signed({ price: 1n }));
    const tiny = await deployAdapter({ collateralToken: dust, loanToken: whole, unitsPerToken: 1n });
    expect(await priceError(tiny)).toEqual({ name: "UnscalablePrice", args: [1n, 1n] });
    await oracle.update(oracle.signed({ feedId: 1n, price: 2n ** 60n - 1n }));
    const changes = { feedId: 1n, collateralToken: whole, loanToken: dust, unitsPerToken: 2n ** 128n - 1n };
    const huge = await deployAdapter(changes);
    const usdPerToken = (2n ** 60n - 1n) * (2n ** 128n - 1n);
    expect(await priceError(huge)).toEqual({ name: "UnscalablePrice", args: [usdPerToken, 1n] });
  });
});

describe("the loan token's feed", () => {
  const dearer = 125_000_000n;
  const deployWithFeed = async () => {
    const feed = await deployFeed(8, dearer);
    const adapter = await deployAdapter({ loanTokenFeed: feed.address, loanTokenFeedMaxAge: FEED_MAX_AGE });
    await oracle.update(oracle.signed());
    const answer = async (value: bigint, updatedAt: bigint) => {
      await chain.mined(() => feed.write.updateRoundData([2n, value, updatedAt, updatedAt]));
    };
    return { adapter, answer };
  };

  it("makes the price one in loan tokens", async () => {
    const { adapter, answer } = await deployWithFeed();
    expect(await adapter.read.price()).toBe((EXPECTED * 100n) / 125n);
    await answer(80_000_000n, chain.clock.now());
    expect(await adapter.read.price()).toBe((EXPECTED * 100n) / 80n);
  });

  it("is refused when it answers what cannot be", async () => {
    const { adapter, answer } = await deployWithFeed();
    for (const value of [0n, -1n, -(2n ** 255n), 2n ** 128n, 2n ** 255n - 1n]) {
      await answer(value, chain.clock.now());
      expect(await priceError(adapter)).toEqual({ name: "InvalidLoanTokenPrice", args: [value] });
    }
  });

  it("is refused when it is stale, to the second, or was never updated", async () => {
    const { adapter, answer } = await deployWithFeed();
    const now = chain.clock.now();
    await answer(dearer, now - FEED_MAX_AGE);
    expect(await adapter.read.price()).toBe((EXPECTED * 100n) / 125n);
    await chain.clock.advance(1n);
    const stale = { name: "LoanTokenPriceTooOld", args: [FEED_MAX_AGE + 1n, FEED_MAX_AGE] };
    expect(await priceError(adapter)).toEqual(stale);
    await answer(dearer, 0n);
    expect(await priceError(adapter)).toEqual({ ...stale, args: [now + 1n, FEED_MAX_AGE] });
  });

  it("is refused when its time is ahead of the block", async () => {
    const { adapter, answer } = await deployWithFeed();
    const now = chain.clock.now();
    await answer(dearer, now + 1n);
    expect(await priceError(adapter)).toEqual({ name: "LoanTokenPriceAhead", args: [now + 1n, now] });
    await chain.clock.set(now + 1n);
    expect(await adapter.read.price()).toBe((EXPECTED * 100n) / 125n);
  });

  it("does not stand in for the home price", async () => {
    const { adapter, answer } = await deployWithFeed();
    await chain.clock.advance(MAX_AGE + HOUR);
    await answer(dearer, chain.clock.now());
    expect(await priceError(adapter)).toMatchObject({ name: "PriceTooOld" });
  });
});

describe("an adapter", () => {
  it("is where the factory has said, and only once", async () => {
    const { read, write, abi } = await factoryContract();
    const feed = await deployFeed(8, 10n ** 8n);
    const adapterArguments = argumentsWith({ loanTokenFeed: feed.address, loanTokenFeedMaxAge: FEED_MAX_AGE });
    const address = await read.adapterAddress([adapterArguments]);
    expect(await chain.publicClient.getCode({ address })).toBeUndefined();
    const first = await chain.mined(() => write.deploy([adapterArguments]));
    expect(parseEventLogs({ abi, logs: first.logs })).toMatchObject([
      { args: { oracle: getAddress(oracle.address), feedId: MARKET, adapter: address }, eventName: "AdapterDeployed" },
    ]);
    expect((await chain.mined(() => write.deploy([adapterArguments]))).logs).toEqual([]);
    const adapter = await chain.viem.getContractAt("MorphoAdapter", address);
    expect({
      oracle: await adapter.read.ORACLE(),
      feedId: await adapter.read.FEED_ID(),
      maxAge: await adapter.read.MAX_AGE(),
      collateralToken: await adapter.read.COLLATERAL_TOKEN(),
      loanToken: await adapter.read.LOAN_TOKEN(),
      unitsPerToken: await adapter.read.UNITS_PER_TOKEN(),
      loanTokenFeed: await adapter.read.LOAN_TOKEN_FEED(),
      loanTokenFeedMaxAge: await adapter.read.LOAN_TOKEN_FEED_MAX_AGE(),
    }).toEqual(checksummed(adapterArguments));
    const different = [
      { oracle: dollars },
      { feedId: MARKET + 1n },
      { maxAge: MAX_AGE + 1n },
      { collateralToken: dollars },
      { loanToken: homeToken },
      { unitsPerToken: UNITS + 1n },
      { loanTokenFeed: homeToken },
      { loanTokenFeedMaxAge: 1n },
    ].map((changes) => read.adapterAddress([{ ...adapterArguments, ...changes }]));
    expect(new Set([address, ...(await Promise.all(different))]).size).toBe(different.length + 1);
  });

  it("is not made of arguments that cannot be right", async () => {
    const { simulate } = await factoryContract();
    const { abi } = await deployAdapter();
    const manyDecimals = await deployToken(31);
    const feed = await deployFeed(8, 1n);
    const fineFeed = await deployFeed(31, 1n);
    const refusals: [Partial<Arguments>, string, unknown[]][] = [
      [{ feedId: 0n }, "UnknownFeed", [0n]],
      [{ maxAge: 0n }, "InvalidMaxAge", [0n]],
      [{ maxAge: 31n * DAY + 1n }, "InvalidMaxAge", [31n * DAY + 1n]],
      [{ unitsPerToken: 0n }, "InvalidUnitsPerToken", [0n]],
      [{ collateralToken: dollars }, "SameAsset", [dollars]],
      [{ collateralToken: zeroAddress }, "NoDecimals", [zeroAddress]],
      [{ loanToken: factory }, "NoDecimals", [factory]],
      [{ collateralToken: manyDecimals }, "TooManyDecimals", [manyDecimals, 31n]],
      [{ loanToken: manyDecimals }, "TooManyDecimals", [manyDecimals, 31n]],
      [{ loanTokenFeed: fineFeed.address, loanTokenFeedMaxAge: 1n }, "TooManyDecimals", [fineFeed.address, 31n]],
      [{ loanTokenFeed: factory, loanTokenFeedMaxAge: 1n }, "NoDecimals", [factory]],
      [{ loanTokenFeed: feed.address }, "InvalidLoanTokenFeedMaxAge", [0n]],
      [
        { loanTokenFeed: feed.address, loanTokenFeedMaxAge: 31n * DAY + 1n },
        "InvalidLoanTokenFeedMaxAge",
        [31n * DAY + 1n],
      ],
      [{ loanTokenFeedMaxAge: 1n }, "InvalidLoanTokenFeedMaxAge", [1n]],
    ];
    for (const [changes, name, args] of refusals) {
      const failure = await refusalOf(simulate.deploy([argumentsWith(changes)]), abi);
      expect(checksummed(failure)).toEqual(checksummed({ name, args }));
    }
  });
});

/** Addresses in one spelling. */
function checksummed<T>(value: T): T {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)) return getAddress(value) as T;
  if (Array.isArray(value)) return value.map(checksummed) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, checksummed(entry)])) as T;
}

describe("scaling", () => {
  type Scaling = {
    readonly price: bigint;
    readonly units: bigint;
    readonly collateralDecimals: number;
    readonly loanDecimals: number;
    readonly feed: { readonly decimals: number; readonly answer: bigint } | null;
  };
  const MOST_DECIMALS = 30;
  const powerOfTen = (exponent: number) => 10n ** BigInt(exponent);

  /**
   * What Morpho asks for: the value of one smallest unit of collateral over that of one smallest unit of loan, times 10^36,
   * both as fractions in USD.
   */
  function morphoPrice({ price, units, collateralDecimals, loanDecimals, feed }: Scaling): bigint {
    const collateral = { over: price * units, under: 10n ** 8n * ONE * powerOfTen(collateralDecimals) };
    const loan = { over: feed?.answer ?? 1n, under: powerOfTen(feed?.decimals ?? 0) * powerOfTen(loanDecimals) };
    return (10n ** 36n * collateral.over * loan.under) / (collateral.under * loan.over);
  }

  const ofBits = (bits: number) =>
    fc
      .integer({ min: 1, max: bits })
      .chain((length) => fc.bigInt({ min: 1n << BigInt(length - 1), max: (1n << BigInt(length)) - 1n }));
  const decimals = fc.integer({ min: 0, max: MOST_DECIMALS });
  const scalings: fc.Arbitrary<Scaling> = fc.record({
    price: ofBits(60),
    units: ofBits(128),
    collateralDecimals: decimals,
    loanDecimals: decimals,
    feed: fc.option(fc.record({ decimals, answer: ofBits(128) })),
  });

  const tokens = new Map<string, Promise<Address>>();
  function tokenOf(role: string, tokenDecimals: number): Promise<Address> {
    const key = `${role} ${tokenDecimals}`;
    const token = tokens.get(key) ?? deployToken(tokenDecimals);
    tokens.set(key, token);
    return token;
  }

  let feedId = 0n;
  const seen = { served: 0, zero: 0, tooLarge: 0 };
  async function compare(scaling: Scaling): Promise<void> {
    const { price, units, collateralDecimals, loanDecimals, feed } = scaling;
    feedId += 1n;
    await oracle.update(oracle.signed({ feedId, price }));
    const collateralToken = await tokenOf("collateral", collateralDecimals);
    const loanToken = await tokenOf("loan", loanDecimals);
    const loanTokenFeed = feed && (await deployFeed(feed.decimals, feed.answer)).address;
    await chain.clock.hold();
    const adapter = await chain.viem.deployContract("MorphoAdapter", [
      argumentsWith({
        ...{ feedId, collateralToken, loanToken, unitsPerToken: units },
        ...(loanTokenFeed && { loanTokenFeed, loanTokenFeedMaxAge: FEED_MAX_AGE }),
      }),
    ]);
    const expected = morphoPrice(scaling);
    if (expected > 0n && expected <= LARGEST) {
      expect(await adapter.read.price()).toBe(expected);
      seen.served++;
    } else {
      const args = [price * units, feed?.answer ?? 1n];
      expect(await priceError(adapter)).toEqual({ name: "UnscalablePrice", args });
      if (expected === 0n) seen.zero++;
      else seen.tooLarge++;
    }
  }

  it("is right for all decimals, amounts and prices", async () => {
    await fc.assert(fc.asyncProperty(scalings, compare), { numRuns: LONG ? 10_000 : 256 });
    expect(seen.served).toBeGreaterThan(100);
  }, 1_200_000);

  it("is right at the corners", async () => {
    const corners = [0, MOST_DECIMALS];
    for (const price of [1n, 2n ** 60n - 1n]) {
      for (const units of [1n, 2n ** 128n - 1n]) {
        for (const collateralDecimals of corners) {
          for (const loanDecimals of corners) {
            await compare({ price, units, collateralDecimals, loanDecimals, feed: null });
            for (const feedDecimals of corners) {
              for (const answer of [1n, 2n ** 128n - 1n]) {
                const feed = { decimals: feedDecimals, answer };
                await compare({ price, units, collateralDecimals, loanDecimals, feed });
              }
            }
          }
        }
      }
    }
    expect(seen.zero).toBeGreaterThan(0);
    expect(seen.tooLarge).toBeGreaterThan(0);
  });
});
