import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseEventLogs,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET, SECOND_MS } from "../oracle/signedUpdate.ts";
import { deployThroughProxy } from "./erc7726AdapterFactories.ts";
import { USD } from "./erc7726UnderTest.ts";
import { refusalOf } from "./refusal.ts";

const MAX_AGE = 3n * DAY;
/** A whole token is 1,500 square feet. */
const UNITS = 1_500n * 10n ** 18n;
/** 216.94 USD a square foot, what a signed price says unless told otherwise. */
const WHOLE_TOKEN = 1_500n * 21_694n * 10n ** 16n;
const ONE = 10n ** 18n;

let chain: TestChain;
let oracle: TestOracle;
let homeToken: Address;
let factory: Address;
beforeAll(async () => {
  chain = await startChain();
  factory = await deployThroughProxy(chain, "QuoteAdapterFactory");
  homeToken = await deployToken(18);
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle({ defaultBand: 500n });
});

async function deployToken(decimals: number): Promise<Address> {
  await chain.clock.hold();
  return (await chain.viem.deployContract("TokenOfDecimals", [decimals])).address;
}

const argumentsWith = (changes: Partial<Arguments> = {}) => ({
  oracle: oracle.address,
  feedId: MARKET,
  maxAge: MAX_AGE,
  base: homeToken,
  quote: USD,
  unitsPerToken: UNITS,
  ...changes,
});
type Arguments = {
  oracle: Address;
  feedId: bigint;
  maxAge: bigint;
  base: Address;
  quote: Address;
  unitsPerToken: bigint;
};

const factoryContract = () => chain.viem.getContractAt("QuoteAdapterFactory", factory);

async function deployAdapter(changes: Partial<Arguments> = {}) {
  const { read, write } = await factoryContract();
  const adapterArguments = argumentsWith(changes);
  await chain.mined(() => write.deploy([adapterArguments]));
  return chain.viem.getContractAt("QuoteAdapter", await read.adapterAddress([adapterArguments]));
}
type Adapter = Awaited<ReturnType<typeof deployAdapter>>;

const quoteError = (adapter: Adapter, base: Address = homeToken, quote: Address = USD) =>
  refusalOf(adapter.read.getQuote([ONE, base, quote]), adapter.abi);
const untrusted = { name: "OracleUntrustedData", args: [] as unknown[] };
beforeEach(() => {
  untrusted.args = [getAddress(homeToken), getAddress(USD)];
});

describe("the faces", () => {
  it("are those of the ERC and of Euler", async () => {
    const { abi } = await deployAdapter();
    const selectors = abi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : []));
    for (const signature of [
      "getQuote(uint256,address,address)",
      "getQuotes(uint256,address,address)",
      "name()",
    ] as const) {
      expect(selectors).toContain(toFunctionSelector(signature));
    }
    const errors = abi.flatMap((item) => (item.type === "error" ? [item] : []));
    for (const name of ["OracleUnsupportedPair", "OracleUntrustedData"]) {
      const inputs = errors.find((error) => error.name === name)?.inputs.map(({ type }) => type);
      expect(inputs).toEqual(["address", "address"]);
    }
  });

  it("give the same bid and ask, and a name", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    expect(await adapter.read.getQuotes([ONE, homeToken, USD])).toEqual([WHOLE_TOKEN, WHOLE_TOKEN]);
    expect(await adapter.read.name()).toBe("HomePriceQuoteAdapter");
  });
});

describe("a quote", () => {
  it("is in USD with 18 decimals, both ways", async () => {
    const { read } = await deployAdapter();
    await oracle.update(oracle.signed());
    expect(await read.getQuote([ONE, homeToken, USD])).toBe(325_410n * ONE);
    expect(await read.getQuote([325_410n * ONE, USD, homeToken])).toBe(ONE);
    expect(await read.getQuote([0n, homeToken, USD])).toBe(0n);
  });

  it("is in a token at par with that token's decimals", async () => {
    const dollars = await deployToken(6);
    const adapter = await deployAdapter({ quote: dollars });
    await oracle.update(oracle.signed());
    expect(await adapter.read.getQuote([ONE, homeToken, dollars])).toBe(325_410_000_000n);
    expect(await adapter.read.getQuote([325_410_000_000n, dollars, homeToken])).toBe(ONE);
    expect([await adapter.read.BASE_DECIMALS(), await adapter.read.QUOTE_DECIMALS()]).toEqual([18, 6]);
    expect(await quoteError(adapter)).toEqual({ name: "OracleUnsupportedPair", args: untrusted.args });
  });

  it("is rounded down, both ways", async () => {
    const dollars = await deployToken(6);
    const { read } = await deployAdapter({ quote: dollars, unitsPerToken: ONE });
    await oracle.update(oracle.signed({ price: 3n }));
    // A whole token is worth 0.00000003 USD, a thirty-third of the smallest unit of the quote token.
    expect(await read.getQuote([33n * ONE, homeToken, dollars])).toBe(0n);
    expect(await read.getQuote([34n * ONE, homeToken, dollars])).toBe(1n);
    expect(await read.getQuote([1n, dollars, homeToken])).toBe(33_333_333_333_333_333_333n);
  });

  it("needs no more than 256 bits of result, whatever the product", async () => {
    const worth = async (dollars: bigint) => {
      await oracle.update(oracle.signed({ feedId: dollars, price: dollars * 10n ** 8n }));
      return deployAdapter({ feedId: dollars, unitsPerToken: ONE });
    };
    const largest = 2n ** 256n - 1n;
    expect(await (await worth(1n)).read.getQuote([largest, homeToken, USD])).toBe(largest);
    const two = await worth(2n);
    expect(await two.read.getQuote([largest / 2n, homeToken, USD])).toBe(largest - 1n);
    const overflow = two.read.getQuote([largest / 2n + 1n, homeToken, USD]);
    expect(await refusalOf(overflow, two.abi)).toEqual({ name: "Panic", args: [0x11n] });
  });

  it("is refused for any other pair, price or no price", async () => {
    const adapter = await deployAdapter();
    const other = await deployToken(18);
    const pairs: [Address, Address][] = [
      [homeToken, homeToken],
      [USD, USD],
      [homeToken, other],
      [other, USD],
      [homeToken, zeroAddress],
    ];
    for (const [base, quote] of pairs) {
      const expected = { name: "OracleUnsupportedPair", args: [base, quote].map((asset) => getAddress(asset)) };
      expect(await quoteError(adapter, base, quote)).toEqual(expected);
      const quotes = adapter.read.getQuotes([ONE, base, quote]);
      expect(await refusalOf(quotes, adapter.abi)).toEqual(expected);
    }
  });
});

describe("a price that is", () => {
  it("missing cannot be trusted", async () => {
    const adapter = await deployAdapter();
    expect(await quoteError(adapter)).toEqual(untrusted);
    const inverse = { name: "OracleUntrustedData", args: [...untrusted.args].reverse() };
    expect(await quoteError(adapter, USD, homeToken)).toEqual(inverse);
  });

  it("expired is served until it is as old as the bound, to the second", async () => {
    const adapter = await deployAdapter();
    const now = chain.clock.now();
    await oracle.update(oracle.signed({ publishTimeMs: now * SECOND_MS, expiryMs: (now + HOUR) * SECOND_MS }));
    await chain.clock.set(now + MAX_AGE);
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(WHOLE_TOKEN);
    await chain.clock.set(now + MAX_AGE + 1n);
    expect(await quoteError(adapter)).toEqual(untrusted);
  });

  it("published ahead of the block is served", async () => {
    const adapter = await deployAdapter({ maxAge: 1n });
    await oracle.update(oracle.signed({ publishTimeMs: (chain.clock.now() + HOUR) * SECOND_MS }));
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(WHOLE_TOKEN);
  });

  it("quarantined leaves the one before it, until that is too old", async () => {
    const adapter = await deployAdapter({ maxAge: DAY + HOUR });
    await oracle.update(oracle.signed());
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 2n * 21_694_000_000n }));
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(WHOLE_TOKEN);
    await chain.clock.advance(2n * HOUR);
    expect(await quoteError(adapter)).toEqual(untrusted);
    await chain.clock.advance(4n * HOUR);
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(2n * WHOLE_TOKEN);
  });

  it("paused, all or this feed, cannot be trusted", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    await oracle.guardian.pause();
    expect(await quoteError(adapter)).toEqual(untrusted);
    await oracle.owner.unpause();
    await oracle.guardian.pauseFeed(MARKET);
    expect(await quoteError(adapter)).toEqual(untrusted);
    await oracle.owner.unpauseFeed(MARKET);
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(WHOLE_TOKEN);
  });

  it("of a revoked signer cannot be trusted", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    await oracle.owner.revokeSigner(1, dayOf(chain.clock.now()));
    expect(await quoteError(adapter)).toEqual(untrusted);
  });

  it("revised is served at once", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    await chain.clock.advance(HOUR);
    await oracle.update(oracle.signed({ price: 21_700_000_000n }));
    expect(await adapter.read.getQuote([ONE, homeToken, USD])).toBe(1_500n * 217n * ONE);
  });

  it("good is never called untrusted for want of gas", async () => {
    const adapter = await deployAdapter();
    await oracle.update(oracle.signed());
    // While another waits the oracle reads most, so that most is left when it runs out: enough for a verdict.
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 2n * 21_694_000_000n }));
    const call = { functionName: "getQuote", args: [ONE, homeToken, USD] } as const;
    const data = encodeFunctionData({ abi: adapter.abi, ...call });
    const outcomes = { served: 0, failed: 0 };
    for (let gas = 22_000n; gas < 46_000n; gas += 250n) {
      try {
        await chain.publicClient.call({ to: adapter.address, data, gas });
        outcomes.served++;
      } catch (error) {
        expect(revertDataOf(error) ?? "0x").toBe("0x");
        outcomes.failed++;
      }
    }
    expect(outcomes.served).toBeGreaterThan(10);
    expect(outcomes.failed).toBeGreaterThan(10);
  });
});

describe("an adapter", () => {
  it("is where the factory has said, on every chain the same, and only once", async () => {
    const { read, write, abi } = await factoryContract();
    const adapterArguments = argumentsWith();
    const address = await read.adapterAddress([adapterArguments]);
    expect(await chain.publicClient.getCode({ address })).toBeUndefined();
    const first = await chain.mined(() => write.deploy([adapterArguments]));
    const events = parseEventLogs({ abi, logs: first.logs });
    expect(events).toMatchObject([
      { args: { oracle: getAddress(oracle.address), feedId: MARKET, adapter: address }, eventName: "AdapterDeployed" },
    ]);
    const adapter = await chain.viem.getContractAt("QuoteAdapter", address);
    expect(await adapter.read.ORACLE()).toBe(getAddress(oracle.address));
    expect(await adapter.read.FEED_ID()).toBe(MARKET);
    expect(await adapter.read.MAX_AGE()).toBe(MAX_AGE);
    expect(await adapter.read.BASE()).toBe(getAddress(homeToken));
    expect(await adapter.read.QUOTE()).toBe(getAddress(USD));
    expect(await adapter.read.UNITS_PER_TOKEN()).toBe(UNITS);
    const again = await chain.mined(() => write.deploy([adapterArguments]));
    expect(again.logs).toEqual([]);
    const different: Partial<Arguments>[] = [
      { oracle: homeToken },
      { feedId: MARKET + 1n },
      { maxAge: MAX_AGE + 1n },
      { base: oracle.address },
      { quote: homeToken },
      { unitsPerToken: UNITS + 1n },
    ];
    const addresses = await Promise.all(different.map((changes) => read.adapterAddress([argumentsWith(changes)])));
    expect(new Set([address, ...addresses]).size).toBe(different.length + 1);
  });

  it("is not made of arguments that cannot be right", async () => {
    const { simulate } = await factoryContract();
    const { abi } = await deployAdapter();
    const manyDecimals = await deployToken(31);
    const refusals: [Partial<Arguments>, string, unknown[]][] = [
      [{ feedId: 0n }, "UnknownFeed", [0n]],
      [{ maxAge: 0n }, "InvalidMaxAge", [0n]],
      [{ maxAge: 31n * DAY + 1n }, "InvalidMaxAge", [31n * DAY + 1n]],
      [{ unitsPerToken: 0n }, "InvalidUnitsPerToken", [0n]],
      [{ quote: homeToken }, "SameAsset", [getAddress(homeToken)]],
      [{ base: zeroAddress }, "NoDecimals", [zeroAddress]],
      [{ base: USD }, "SameAsset", [USD]],
      [{ base: factory }, "NoDecimals", [getAddress(factory)]],
      // ISO 4217 names other currencies, too; only the dollar is the feed's.
      [{ quote: "0x00000000000000000000000000000000000003d2" }, "NoDecimals", [`0x${"3d2".padStart(40, "0")}`]],
      [{ base: manyDecimals }, "TooManyDecimals", [getAddress(manyDecimals), 31n]],
      [{ quote: manyDecimals }, "TooManyDecimals", [getAddress(manyDecimals), 31n]],
    ];
    for (const [changes, name, args] of refusals) {
      const failure = await refusalOf(simulate.deploy([argumentsWith(changes)]), abi);
      expect({ ...failure, args: failure.args.map(checksummed) }).toEqual({ name, args: args.map(checksummed) });
    }
  });
});

function checksummed(value: unknown): unknown {
  return typeof value === "string" ? getAddress(value as Hex) : value;
}
