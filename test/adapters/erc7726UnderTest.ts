import { type Address, getAddress } from "viem";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import type { AdapterUnderTest, DeployedAdapter } from "./adapterUnderTest.ts";

/** How ERC-7726 names the US dollar, which has 18 decimals. */
export const USD: Address = "0x0000000000000000000000000000000000000348";
const ONE = 10n ** 18n;
/** USD with 18 decimals: enough for a quote of many digits at any price. */
const MANY_DOLLARS = 10n ** 38n;

/** Which asset a face quotes in which. */
type Pair = readonly [base: Address, quote: Address];
/** What the adapters' errors are going to name. */
const pairs = new WeakMap<DeployedAdapter, Pair>();

/** Puts an adapter on the chain that quotes a token of one unit each. */
async function deployQuoteAdapter(
  { clock, viem }: TestChain,
  { address }: TestOracle,
  feed: { feedId: bigint; maxAge: bigint },
) {
  await clock.hold();
  const { address: base } = await viem.deployContract("TokenOfDecimals", [18]);
  await clock.hold();
  const adapter = await viem.deployContract("QuoteAdapter", [
    { oracle: address, ...feed, base, quote: USD, unitsPerToken: ONE },
  ]);
  return { address: adapter.address, abi: adapter.abi, base };
}

/** ERC-7726 has one word for every fault. */
const refusal: AdapterUnderTest["refusal"] = (_fault, _oracleError, adapter) => {
  const pair = pairs.get(adapter) ?? [];
  return { name: "OracleUntrustedData", args: pair.map((asset) => getAddress(asset)) };
};

export const quoteInDollars: AdapterUnderTest = {
  name: "ERC-7726's getQuote of a token in USD",
  boundedBy: "age",
  valueDue: (price) => price * 10n ** 10n,
  refusal,
  async deploy(chain, oracle, feed) {
    const { address, abi, base } = await deployQuoteAdapter(chain, oracle, feed);
    const adapter: DeployedAdapter = {
      address,
      abi,
      async read(client) {
        const args = [ONE, base, USD] as const;
        const value = await client.readContract({ address, abi, functionName: "getQuote", args });
        return { value, decimals: 18 };
      },
    };
    pairs.set(adapter, [base, USD]);
    return adapter;
  },
};

export const quoteOfDollars: AdapterUnderTest = {
  name: "ERC-7726's getQuote of USD in a token",
  boundedBy: "age",
  valueDue: (price) => (MANY_DOLLARS * 10n ** 8n) / price,
  refusal,
  async deploy(chain, oracle, feed) {
    const { address, abi, base } = await deployQuoteAdapter(chain, oracle, feed);
    const adapter: DeployedAdapter = {
      address,
      abi,
      async read(client) {
        const args = [MANY_DOLLARS, USD, base] as const;
        return { value: await client.readContract({ address, abi, functionName: "getQuote", args }) };
      },
    };
    pairs.set(adapter, [USD, base]);
    return adapter;
  },
};

export const eulerQuotes: AdapterUnderTest = {
  name: "Euler's getQuotes",
  boundedBy: "age",
  valueDue: (price) => price * 10n ** 10n,
  refusal,
  async deploy(chain, oracle, feed) {
    const { address, abi, base } = await deployQuoteAdapter(chain, oracle, feed);
    const adapter: DeployedAdapter = {
      address,
      abi,
      async read(client) {
        const args = [ONE, base, USD] as const;
        const [bid, ask] = await client.readContract({ address, abi, functionName: "getQuotes", args });
        if (bid !== ask) throw new Error(`a bid of ${bid} and an ask of ${ask}`);
        return { value: bid, decimals: 18 };
      },
    };
    pairs.set(adapter, [base, USD]);
    return adapter;
  },
};
