import type { Hex } from "viem";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import { DAY } from "../oracle/signedUpdate.ts";
import type { AdapterUnderTest } from "./adapterUnderTest.ts";

/** Puts a Chainlink adapter on the chain. */
export async function deployChainlinkAdapter(
  { clock, viem }: TestChain,
  { address }: TestOracle,
  { feedId, maxAge }: { feedId: bigint; maxAge: bigint },
) {
  await clock.hold();
  return viem.deployContract("ChainlinkAdapter", [address, feedId, maxAge]);
}

export type FunctionsSettings = {
  readonly feedStalenessSeconds: number;
  readonly fallbackUsdPerUnitLink?: bigint;
  readonly fallbackUsdPerUnitLinkDecimals?: number;
  readonly fallbackNativePerUnitLink?: bigint;
};

/** Puts Chainlink's Functions coordinator on the chain, with our feeds in the place of LINK / native and LINK / USD. */
export async function deployFunctionsCoordinator(
  { clock, viem, accounts }: TestChain,
  feeds: { linkToNative: Hex; linkToUsd: Hex },
  settings: FunctionsSettings,
) {
  await clock.hold();
  // Only its router's account may make requests; computing their cost takes none.
  const router = accounts.other.account.address;
  const config = {
    fulfillmentGasPriceOverEstimationBP: 4_000,
    gasOverheadBeforeCallback: 105_000,
    gasOverheadAfterCallback: 80_000,
    minimumEstimateGasPriceWei: 1_000_000_000,
    maxSupportedRequestDataVersion: 1,
    fallbackUsdPerUnitLink: 1n,
    fallbackUsdPerUnitLinkDecimals: 0,
    fallbackNativePerUnitLink: 1n,
    requestTimeoutSeconds: 300,
    donFeeCentsUsd: 320,
    operationFeeCentsUsd: 45,
    ...settings,
  };
  const args = [router, config, feeds.linkToNative, feeds.linkToUsd] as const;
  return viem.deployContract("PublishedFunctionsCoordinator", args);
}

export const chainlinkLatestRoundData: AdapterUnderTest = {
  name: "Chainlink's latestRoundData",
  boundedBy: "age",
  async deploy(chain, oracle, feed) {
    const { address, abi } = await deployChainlinkAdapter(chain, oracle, feed);
    return {
      address,
      abi,
      async read(client) {
        const decimals = await client.readContract({ address, abi, functionName: "decimals" });
        const round = await client.readContract({ address, abi, functionName: "latestRoundData" });
        const [roundId, value, startedAt, updatedAt, answeredInRound] = round;
        if (answeredInRound !== roundId) throw new Error(`round ${roundId} was answered in ${answeredInRound}`);
        if (startedAt !== roundId * DAY) throw new Error(`round ${roundId} started at ${startedAt}`);
        return { value, decimals, updatedAt, day: Number(roundId) };
      },
    };
  },
};

export const chainlinkLatestAnswer: AdapterUnderTest = {
  name: "Chainlink's latestAnswer and latestTimestamp",
  boundedBy: "age",
  async deploy(chain, oracle, feed) {
    const { address, abi } = await deployChainlinkAdapter(chain, oracle, feed);
    return {
      address,
      abi,
      async read(client) {
        // Each has to refuse by itself.
        const [value, updatedAt] = await Promise.allSettled([
          client.readContract({ address, abi, functionName: "latestAnswer" }),
          client.readContract({ address, abi, functionName: "latestTimestamp" }),
        ]);
        if (value.status === "rejected") {
          if (updatedAt.status === "fulfilled") throw new Error("there is a time, but no answer");
          throw value.reason;
        }
        if (updatedAt.status === "rejected") throw updatedAt.reason;
        return { value: value.value, updatedAt: updatedAt.value };
      },
    };
  },
};

/** Chainlink's own code in front of the adapter. */
export const chainlinkFunctionsCoordinator: AdapterUnderTest = {
  name: "Chainlink's Functions coordinator over the Chainlink adapter",
  boundedBy: "age",
  async deploy(chain, oracle, feed) {
    const { address: feedAddress } = await deployChainlinkAdapter(chain, oracle, feed);
    const feeds = { linkToNative: feedAddress, linkToUsd: feedAddress };
    const coordinator = await deployFunctionsCoordinator(chain, feeds, { feedStalenessSeconds: 0 });
    const { address, abi } = coordinator;
    return {
      address,
      abi,
      async read(client) {
        const [value, decimals] = await client.readContract({ address, abi, functionName: "getUsdPerUnitLink" });
        return { value, decimals };
      },
    };
  },
};
