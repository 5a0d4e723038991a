import { numberToHex } from "viem";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import type { AdapterUnderTest } from "./adapterUnderTest.ts";

/** Puts a Pyth adapter on the chain. */
export async function deployPythAdapter({ clock, viem }: TestChain, { address }: TestOracle) {
  await clock.hold();
  return viem.deployContract("PythAdapter", [address]);
}

/** Puts Pyth's published Chainlink face on the chain, over a Pyth adapter. */
export async function deployPythAggregator(chain: TestChain, oracle: TestOracle, feedId: bigint) {
  const { address } = await deployPythAdapter(chain, oracle);
  await chain.clock.hold();
  return chain.viem.deployContract("PythAggregatorV3", [address, priceIdOf(feedId)]);
}

/** Under which a feed is known to Pyth's readers. */
export function priceIdOf(feedId: bigint) {
  return numberToHex(feedId, { size: 32 });
}

/** Pyth has words of its own for two faults, without values. */
const refusal: AdapterUnderTest["refusal"] = (fault, oracleError) => {
  if (fault === "neverSet") return { name: "PriceFeedNotFound", args: [] };
  if (fault === "tooOld") return { name: "StalePrice", args: [] };
  return oracleError;
};

function readingOf({
  price,
  conf,
  expo,
  publishTime,
}: {
  price: bigint;
  conf: bigint;
  expo: number;
  publishTime: bigint;
}) {
  if (conf !== 0n) throw new Error(`a confidence interval of ${conf}`);
  return { value: price, decimals: -expo, updatedAt: publishTime };
}

export const pythGetPriceNoOlderThan: AdapterUnderTest = {
  name: "Pyth's getPriceNoOlderThan",
  boundedBy: "age",
  refusal,
  async deploy(chain, oracle, { feedId, maxAge }) {
    const { address, abi } = await deployPythAdapter(chain, oracle);
    const args = [priceIdOf(feedId), maxAge] as const;
    const functionName = "getPriceNoOlderThan";
    return {
      address,
      abi,
      read: async (client) => readingOf(await client.readContract({ address, abi, functionName, args })),
    };
  },
};

export const pythGetPriceUnsafe: AdapterUnderTest = {
  name: "Pyth's getPriceUnsafe",
  boundedBy: "none",
  refusal,
  async deploy(chain, oracle, { feedId }) {
    const { address, abi } = await deployPythAdapter(chain, oracle);
    const args = [priceIdOf(feedId)] as const;
    const functionName = "getPriceUnsafe";
    return {
      address,
      abi,
      read: async (client) => readingOf(await client.readContract({ address, abi, functionName, args })),
    };
  },
};

/** Pyth's own code in front of the adapter. */
export const pythAggregator: AdapterUnderTest = {
  name: "Pyth's PythAggregatorV3 over the Pyth adapter",
  boundedBy: "none",
  refusal,
  async deploy(chain, oracle, { feedId }) {
    const { abi: errors } = await deployPythAdapter(chain, oracle);
    const { address, abi } = await deployPythAggregator(chain, oracle, feedId);
    return {
      address,
      abi: [...abi, ...errors.filter(({ type }) => type === "error")],
      async read(client) {
        const round = await client.readContract({ address, abi, functionName: "latestRoundData" });
        const decimals = await client.readContract({ address, abi, functionName: "decimals" });
        return { value: round[1], decimals, updatedAt: round[3] };
      },
    };
  },
};
