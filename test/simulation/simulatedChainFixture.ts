import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { type EdrChain, startEdrChain } from "../../simulation/chain/edrChain.ts";
import { Endpoint } from "../../simulation/chain/endpoint.ts";
import type { EndpointFault } from "../../simulation/chain/endpointFaults.ts";
import { endpointSite } from "../../simulation/chain/endpointSite.ts";
import { FeeCourse } from "../../simulation/chain/feeCourse.ts";
import { SimulatedChain } from "../../simulation/chain/simulatedChain.ts";
import { EventTrace } from "../../simulation/kernel/eventTrace.ts";
import { Kernel } from "../../simulation/kernel/kernel.ts";
import { Randomness } from "../../simulation/kernel/randomness.ts";
import { VirtualTime } from "../../simulation/kernel/virtualTime.ts";
import { SimulatedNetwork } from "../../simulation/network/simulatedNetwork.ts";

export const START_MS = Date.UTC(2026, 2, 3, 12);
export const INTERVAL_MS = 12_000;
const CHAIN_ID = 101;
const URL_OF_ENDPOINT = "https://node.one.example";
const TIMEOUT_MS = 10_000;

/** A simulated chain with one endpoint, a client that reaches it over the simulated network, and a sender. */
export async function startSimulatedChain(seed = "seed") {
  const randomness = new Randomness(seed);
  const edr = await startEdrChain({ chainId: CHAIN_ID, startMs: START_MS - 10 * INTERVAL_MS });
  await firstBlock(edr);
  const time = new VirtualTime(START_MS, randomness.stream("chance"));
  const kernel = new Kernel(time, new EventTrace(), randomness);
  const fees = new FeeCourse({ baseFeePerGas: parseGwei("1"), priorityFeePerGas: parseGwei("0.1") }, randomness);
  const chain = await SimulatedChain.start({
    name: "one",
    chainId: CHAIN_ID,
    blockIntervalMs: INTERVAL_MS,
    finalizedAfterBlocks: 20,
    fees,
    edr,
    kernel,
    randomness: randomness.stream("chain"),
  });
  const struck: EndpointFault[] = [];
  const endpoint = new Endpoint({
    url: URL_OF_ENDPOINT,
    chain,
    kernel,
    randomness: randomness.stream("endpoint"),
    onStruck: (fault) => struck.push(fault),
  });
  const network = new SimulatedNetwork(kernel, randomness.stream("network"));
  network.serve(URL_OF_ENDPOINT, endpointSite(endpoint));
  const uninstall = network.install();

  const viemChain = defineChain({
    id: CHAIN_ID,
    name: "one",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [URL_OF_ENDPOINT] } },
  });
  const transport = http(URL_OF_ENDPOINT, { timeout: TIMEOUT_MS, retryCount: 0 });
  const client = createPublicClient({ chain: viemChain, transport, cacheTime: 0 });
  const account = privateKeyToAccount(LOCAL_RELAYER_KEY);
  const wallet = createWalletClient({ chain: viemChain, account, transport });

  const signed = (nonce: number, maxFeeGwei = "5", priorityFeeGwei = "0.1", to: Hex = account.address) =>
    account.signTransaction({
      type: "eip1559",
      chainId: CHAIN_ID,
      to,
      nonce,
      gas: 21_000n,
      value: 1n,
      maxFeePerGas: parseGwei(maxFeeGwei),
      maxPriorityFeePerGas: parseGwei(priorityFeeGwei),
    });
  return {
    chain,
    client,
    wallet,
    account,
    endpoint,
    kernel,
    fees,
    struck,
    signed,
    /** Runs the simulation until something has happened. */
    until: <T>(work: () => Promise<T>): Promise<T> => kernel.runUntil(work()),
    /** What the world does, not a process. */
    world: <T>(what: string, perform: () => Promise<T>): Promise<T> => kernel.ask({ kind: "world", what, perform }),
    close: async () => {
      uninstall();
      time.stop();
      await edr.close();
    },
  };
}

export type ChainFixture = Awaited<ReturnType<typeof startSimulatedChain>>;

/** Simulated blocks follow in even steps from here. */
async function firstBlock(edr: EdrChain): Promise<void> {
  await edr.mineEmptyBlocks({
    count: 1,
    firstTime: (START_MS - INTERVAL_MS) / 1000,
    interval: INTERVAL_MS / 1000,
    lastBaseFeePerGas: parseGwei("1"),
  });
}
