import type { Address } from "viem";
import type { EdrChain } from "../chain/edrChain.ts";
import { Endpoint } from "../chain/endpoint.ts";
import type { EndpointFault } from "../chain/endpointFaults.ts";
import { endpointSite } from "../chain/endpointSite.ts";
import { FeeCourse } from "../chain/feeCourse.ts";
import { SimulatedChain } from "../chain/simulatedChain.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { SimulatedNetwork } from "../network/simulatedNetwork.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import type { DeployedChain } from "./deployedChain.ts";
import { type TroubleLog, troubleOfChain } from "./troubleLog.ts";
import { type ChainSpecification, GAS_OF_A_DAY } from "./worldSettings.ts";

/** Faults of which nothing shows in an answer by itself. */
const SILENT_LIES: ReadonlySet<EndpointFault> = new Set(["stale-state", "wrong-nonce", "hides-receipts", "drops-sent"]);

/** One chain of a simulated world with its endpoints and its oracle. */
export class ChainWorld {
  readonly specification: ChainSpecification;
  readonly chain: SimulatedChain;
  readonly fees: FeeCourse;
  readonly oracle: Address;
  readonly endpoints: readonly Endpoint[];
  readonly edr: EdrChain;
  readonly #troubles: TroubleLog;
  readonly #kernel: Kernel;
  #endTrouble: ((atMs: number) => void) | undefined;

  private constructor(
    specification: ChainSpecification,
    { edr, oracle }: DeployedChain,
    chain: SimulatedChain,
    endpoints: readonly Endpoint[],
    { kernel, troubles }: { readonly kernel: Kernel; readonly troubles: TroubleLog },
  ) {
    this.specification = specification;
    this.chain = chain;
    this.fees = chain.fees;
    this.oracle = oracle;
    this.edr = edr;
    this.endpoints = endpoints;
    this.#troubles = troubles;
    this.#kernel = kernel;
  }

  static async start(
    specification: ChainSpecification,
    deployed: DeployedChain,
    context: {
      readonly kernel: Kernel;
      readonly randomness: Randomness;
      readonly network: SimulatedNetwork;
      readonly troubles: TroubleLog;
      readonly counts: FaultCounts;
    },
  ): Promise<ChainWorld> {
    const { kernel, network, counts } = context;
    const randomness = context.randomness.stream(specification.name);
    const chain = await SimulatedChain.start({
      ...specification,
      fees: new FeeCourse(specification, randomness),
      edr: deployed.edr,
      kernel,
      randomness: randomness.stream("blocks"),
    });
    const endpoints = specification.rpcUrls.map((url) => {
      const onStruck = (fault: EndpointFault) => counts.struck(`endpoint ${fault}`);
      const endpoint = new Endpoint({ url, chain, kernel, randomness: randomness.stream(url), onStruck });
      network.serve(url, endpointSite(endpoint));
      return endpoint;
    });
    return new ChainWorld(specification, deployed, chain, endpoints, context);
  }

  get name(): string {
    return this.specification.name;
  }

  /** Something is wrong with an endpoint, until what is returned is called; one fault at a time, the newest. */
  beginFault(endpoint: Endpoint, fault: EndpointFault): () => void {
    endpoint.setFault(fault);
    this.#review();
    return () => {
      if (endpoint.fault === fault) endpoint.setFault(undefined);
      this.#review();
    };
  }

  /** Whether fees are above what a relayer may pay for a unit of gas, or in a day. */
  isTooDear(baseFeePerGas: bigint): boolean {
    const { priorityFeePerGas, maxFeePerGas, dailyBudgetWei } = this.specification;
    const isAboveCap = baseFeePerGas + priorityFeePerGas >= maxFeePerGas;
    // What is offered is twice the base fee, so that this much is set aside.
    return isAboveCap || (2n * baseFeePerGas + priorityFeePerGas) * GAS_OF_A_DAY > dailyBudgetWei;
  }

  /** A chain is reachable while one of its endpoints is right, and at most one of the others lies without showing it. */
  #review(): void {
    const faults = this.endpoints.flatMap(({ fault }) => fault ?? []);
    const isReachable =
      faults.length < this.endpoints.length && faults.filter((fault) => SILENT_LIES.has(fault)).length <= 1;
    const nowMs = this.#kernel.time.nowMs();
    if (isReachable) {
      this.#endTrouble?.(nowMs);
      this.#endTrouble = undefined;
    } else this.#endTrouble ??= this.#troubles.begin(troubleOfChain(this.name), nowMs);
  }
}
