import type { AdapterUnderTest } from "./adapterUnderTest.ts";

export const oracleLatestPrice: AdapterUnderTest = {
  name: "the oracle's latestPrice",
  boundedBy: "expiry",
  async deploy(_chain, { address, contract: { abi } }, { feedId }) {
    return {
      address,
      abi,
      async read(client) {
        const decimals = await client.readContract({ address, abi, functionName: "decimals" });
        const latest = await client.readContract({ address, abi, functionName: "latestPrice", args: [feedId] });
        return { value: latest.price, decimals, publishTime: latest.publishTime, day: latest.day };
      },
    };
  },
};

export const oraclePriceNoOlderThan: AdapterUnderTest = {
  name: "the oracle's priceNoOlderThan",
  boundedBy: "age",
  async deploy(_chain, { address, contract: { abi } }, { feedId, maxAge }) {
    return {
      address,
      abi,
      async read(client) {
        const functionName = "priceNoOlderThan";
        const stored = await client.readContract({ address, abi, functionName, args: [feedId, maxAge] });
        return { value: stored.price, publishTime: stored.publishTime, day: stored.day };
      },
    };
  },
};
