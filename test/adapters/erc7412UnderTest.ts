import { encodeAbiParameters, getAddress, type Hex, maxUint256, parseAbiParameters } from "viem";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import type { AdapterUnderTest, DeployedAdapter, Fault } from "./adapterUnderTest.ts";

/** What a read of a feed is going to ask for. */
const queries = new WeakMap<DeployedAdapter, Hex>();

/** The oracleQuery of a feed's price, at most so many seconds old, of a day (since 1970-01-01) or later. */
export function oracleQueryOf(feedId: bigint, maxAge: bigint, minDay: number): Hex {
  return encodeAbiParameters(parseAbiParameters("uint64, uint256, uint32"), [feedId, maxAge, minDay]);
}

async function deployERC7412Adapter({ clock, viem }: TestChain, { address }: TestOracle) {
  await clock.hold();
  return viem.deployContract("ERC7412Adapter", [address]);
}

/** Faults that a newer price does away with are asked to be done away with. */
const CURABLE: readonly Fault[] = ["neverSet", "tooOld", "expired"];
const refusal: AdapterUnderTest["refusal"] = (fault, oracleError, adapter) => {
  if (!CURABLE.includes(fault)) return oracleError;
  return { name: "OracleDataRequired", args: [getAddress(adapter.address), queries.get(adapter), 0n] };
};

export const erc7412GetPrice: AdapterUnderTest = {
  name: "the ERC-7412 adapter's getPrice",
  boundedBy: "age",
  refusal,
  async deploy(chain, oracle, { feedId, maxAge }) {
    const { address, abi } = await deployERC7412Adapter(chain, oracle);
    const adapter: DeployedAdapter = {
      address,
      abi,
      async read(client) {
        const args = [feedId, maxAge] as const;
        const { price, publishTime, day } = await client.readContract({ address, abi, functionName: "getPrice", args });
        return { value: price, publishTime, day };
      },
    };
    queries.set(adapter, oracleQueryOf(feedId, maxAge, 0));
    return adapter;
  },
};

export const erc7412GetPriceSince: AdapterUnderTest = {
  name: "the ERC-7412 adapter's getPriceSince",
  boundedBy: "expiry",
  refusal,
  async deploy(chain, oracle, { feedId }) {
    const { address, abi } = await deployERC7412Adapter(chain, oracle);
    const adapter: DeployedAdapter = {
      address,
      abi,
      async read(client) {
        const args = [feedId, 0] as const;
        const functionName = "getPriceSince";
        const { price, publishTime, day } = await client.readContract({ address, abi, functionName, args });
        return { value: price, publishTime, day };
      },
    };
    queries.set(adapter, oracleQueryOf(feedId, maxUint256, 0));
    return adapter;
  },
};
