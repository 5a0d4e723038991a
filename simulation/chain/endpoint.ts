import { type Hex, hexToNumber, isHex, numberToHex } from "viem";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import { NoAnswer } from "../network/noAnswer.ts";
import type { EndpointFault } from "./endpointFaults.ts";
import { readTransaction } from "./pooledTransaction.ts";
import { METHOD_NOT_SUPPORTED, RpcRefusal } from "./rpcRefusal.ts";
import type { SimulatedChain } from "./simulatedChain.ts";

/** How far an endpoint with the fault `lagging` is behind, and one with `stale-state`. */
const LAG_MS = 300_000;
const STALE_BLOCKS = 8;

/** How wrong the transaction counts of an endpoint with the fault `wrong-nonce` are. */
const WRONG_NONCES = [-2, -1, 1, 2] as const;

/** Which parameter of a method names a block. */
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_call: 1,
  eth_estimateGas: 1,
};

/** Methods that need no look at the chain's state. */
const PASSED_ON = new Set(["eth_getBlockByHash", "web3_clientVersion", "eth_syncing"]);

/** An HTTP status instead of an answer. */
export class BadStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/**
 * One RPC endpoint of a chain: a node that sees the chain as far as its faults let it.
 *
 * Where the node stands at a request follows from the simulation's time; a fault begins and ends with
 * {@link Endpoint.setFault}.
 */
export class Endpoint {
  readonly url: string;
  readonly #chain: SimulatedChain;
  readonly #kernel: Kernel;
  readonly #randomness: Randomness;
  /** Called whenever a fault has changed an answer. */
  readonly #onStruck: (fault: EndpointFault) => void;
  #fault: EndpointFault | undefined;
  #frozenAt = 0;
  #requests = 0;

  constructor(options: {
    readonly url: string;
    readonly chain: SimulatedChain;
    readonly kernel: Kernel;
    readonly randomness: Randomness;
    readonly onStruck?: (fault: EndpointFault) => void;
  }) {
    this.url = options.url;
    this.#chain = options.chain;
    this.#kernel = options.kernel;
    this.#randomness = options.randomness;
    this.#onStruck = options.onStruck ?? (() => undefined);
  }

  get fault(): EndpointFault | undefined {
    return this.#fault;
  }

  setFault(fault: EndpointFault | undefined): void {
    this.#fault = fault;
    this.#frozenAt = this.#chain.blockAt(this.#kernel.time.nowMs());
  }

  /**
   * Answers a JSON-RPC request.
   * @throws RpcRefusal, NoAnswer, BadStatus
   */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    this.#requests += 1;
    this.#refuseService();
    const isLost = this.#fault === "timeout";
    if (isLost && this.#randomness.chance(0.5)) throw this.#strike(new NoAnswer("silence"));
    await this.#chain.catchUp();
    const answer = await this.#answer(method, params);
    // It arrived and was done, and nobody hears of it.
    if (isLost) throw this.#strike(new NoAnswer("silence"));
    return answer;
  }

  #refuseService(): void {
    switch (this.#fault) {
      case "dead":
        throw this.#strike(new NoAnswer("refused"));
      case "error":
        throw this.#strike(new RpcRefusal(-32_603, "internal error"));
      case "rate-limited":
        throw this.#strike(new BadStatus(429));
      case "flaky":
        if (this.#requests % 3 === 0) throw this.#strike(new BadStatus(502));
        return;
      default:
        return;
    }
  }

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_chainId":
        if (this.#fault === "wrong-chain") return this.#strike(numberToHex(this.#chain.chainId + 1));
        return numberToHex(this.#chain.chainId);
      case "net_version":
        return String(this.#chain.chainId);
      case "eth_blockNumber":
        return numberToHex(this.#head());
      case "eth_getBlockByNumber":
        return this.#block(params);
      case "eth_getTransactionReceipt":
        return this.#receipt(params[0] as Hex);
      case "eth_getTransactionByHash":
        return this.#transaction(params[0] as Hex);
      case "eth_getTransactionCount":
        return this.#transactionCount(params);
      case "eth_sendRawTransaction":
        return this.#send(params[0] as Hex);
      case "eth_maxPriorityFeePerGas":
        return numberToHex(this.#chain.fees.priorityFeePerGas);
      case "eth_gasPrice":
        return numberToHex(this.#baseFeeNow() + this.#chain.fees.priorityFeePerGas);
      case "eth_feeHistory":
        return this.#feeHistory(params);
      case "eth_getLogs":
        return this.#chain.request(method, [this.#logFilter(params[0] as Record<string, unknown>)]);
      default: {
        const position = BLOCK_PARAMETER[method];
        if (position !== undefined) return this.#readState(method, params, position);
        if (PASSED_ON.has(method)) return this.#chain.request(method, params);
        throw new RpcRefusal(METHOD_NOT_SUPPORTED, `the method ${method} does not exist/is not available`);
      }
    }
  }

  /** The newest block that this endpoint names. */
  #head(): number {
    const head = this.#chain.headNumber;
    if (this.#fault === "frozen") return this.#strike(Math.min(head, this.#frozenAt));
    if (this.#fault !== "lagging") return head;
    return this.#strike(Math.max(0, this.#chain.blockAt(this.#chain.timeOfBlock(head) - LAG_MS)));
  }

  /** The newest block that its answers about state come from. */
  #stateHead(): number {
    const head = this.#head();
    return this.#fault === "stale-state" ? this.#strike(Math.max(0, head - STALE_BLOCKS)) : head;
  }

  /** The number of a block by the way in which a request names it. */
  #blockNumber(name: unknown, newest: number): number {
    switch (name) {
      case undefined:
      case "latest":
      case "pending":
        return newest;
      case "safe":
      case "finalized":
        return Math.max(0, this.#head() - this.#chain.finalizedAfterBlocks);
      case "earliest":
        return 0;
      default:
        if (!isHex(name)) throw new RpcRefusal(-32_602, `invalid argument: block ${JSON.stringify(name)}`);
        return hexToNumber(name);
    }
  }

  async #block([name, withTransactions]: readonly unknown[]): Promise<unknown> {
    const number = this.#blockNumber(name, this.#head());
    if (number > this.#head()) return null;
    const block = (await this.#chain.request("eth_getBlockByNumber", [
      numberToHex(number),
      withTransactions === true,
    ])) as Record<string, unknown>;
    if (name !== "pending") return block;
    return {
      ...block,
      number: numberToHex(number + 1),
      parentHash: block["hash"],
      hash: null,
      nonce: null,
      transactions: [],
      timestamp: numberToHex(
        Math.max(Math.floor(this.#kernel.time.nowMs() / 1000), hexToNumber(block["timestamp"] as Hex) + 1),
      ),
      baseFeePerGas: numberToHex(this.#baseFeeNow()),
    };
  }

  async #receipt(hash: Hex): Promise<unknown> {
    const receipt = await this.#chain.request("eth_getTransactionReceipt", [hash]);
    if (receipt === null) return null;
    if (this.#fault === "hides-receipts") return this.#strike(null);
    return blockOf(receipt) > this.#stateHead() ? null : receipt;
  }

  async #transaction(hash: Hex): Promise<unknown> {
    const mined = await this.#chain.request("eth_getTransactionByHash", [hash]);
    if (mined !== null && blockOf(mined) <= this.#stateHead()) return mined;
    const pooled = this.#chain.mempool.byHash(hash);
    if (!pooled) return null;
    return {
      hash,
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      type: "0x2",
      chainId: numberToHex(this.#chain.chainId),
      from: pooled.sender,
      to: pooled.to,
      nonce: numberToHex(pooled.nonce),
      gas: numberToHex(pooled.gas),
      gasPrice: numberToHex(pooled.maxFeePerGas),
      maxFeePerGas: numberToHex(pooled.maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(pooled.maxPriorityFeePerGas),
      value: numberToHex(pooled.value),
      input: pooled.data,
      accessList: [],
      v: "0x0",
      r: "0x0",
      s: "0x0",
      yParity: "0x0",
    };
  }

  async #transactionCount([address, name]: readonly unknown[]): Promise<Hex> {
    const number = this.#blockNumber(name, this.#stateHead());
    const mined = hexToNumber(
      (await this.#chain.request("eth_getTransactionCount", [address, numberToHex(number)])) as Hex,
    );
    const isCurrent = number === this.#chain.headNumber;
    const sender = String(address).toLowerCase() as Hex;
    const count = name === "pending" && isCurrent ? this.#chain.mempool.nextNonce(sender, mined) : mined;
    if (this.#fault !== "wrong-nonce") return numberToHex(count);
    return this.#strike(numberToHex(Math.max(0, count + this.#randomness.pick(WRONG_NONCES))));
  }

  async #send(raw: Hex): Promise<Hex> {
    if (this.#fault !== "drops-sent") return this.#chain.admit(raw);
    return this.#strike((await readTransaction(raw)).hash);
  }

  async #readState(method: string, params: readonly unknown[], position: number): Promise<unknown> {
    const number = this.#blockNumber(params[position], this.#stateHead());
    if (number > this.#head()) throw new RpcRefusal(-32_000, "header not found");
    const inBlock = params.slice(0, position);
    // Of the newest block, what is asked is meant to happen now, as in a block that is about to be made.
    if (params[position] === "pending" && number === this.#chain.headNumber) {
      const time = Math.floor(this.#kernel.time.nowMs() / 1000);
      const newest = this.#chain.timeOfBlock(number) / 1000;
      await this.#chain.request("evm_setNextBlockTimestamp", [Math.max(time, newest + 1)]);
      return this.#chain.request(method, [...inBlock, "pending", ...params.slice(position + 1)]);
    }
    return this.#chain.request(method, [...inBlock, numberToHex(number), ...params.slice(position + 1)]);
  }

  async #feeHistory([count, newest, percentiles]: readonly unknown[]): Promise<unknown> {
    const number = Math.min(this.#blockNumber(newest, this.#head()), this.#head());
    const history = (await this.#chain.request("eth_feeHistory", [count, numberToHex(number), percentiles])) as {
      baseFeePerGas: Hex[];
      reward?: Hex[][];
    };
    const oldest = number - history.baseFeePerGas.length + 2;
    const { fees } = this.#chain;
    return {
      ...history,
      // Of blocks that nobody looked at the EVM has invented the fees.
      baseFeePerGas: history.baseFeePerGas.map((_, index) =>
        numberToHex(fees.baseFeePerGasAt(this.#chain.timeOfBlock(oldest + index))),
      ),
      ...(history.reward && {
        reward: history.reward.map((row) => row.map(() => numberToHex(fees.priorityFeePerGas))),
      }),
    };
  }

  #logFilter(filter: Record<string, unknown>): Record<string, unknown> {
    if (filter["blockHash"] !== undefined) return filter;
    const bound = (name: unknown) =>
      numberToHex(Math.min(this.#blockNumber(name, this.#stateHead()), this.#stateHead()));
    return { ...filter, fromBlock: bound(filter["fromBlock"]), toBlock: bound(filter["toBlock"]) };
  }

  #baseFeeNow(): bigint {
    return this.#chain.fees.baseFeePerGasAt(this.#kernel.time.nowMs());
  }

  /** Counts that a fault has changed what is answered. */
  #strike<T>(answer: T): T {
    if (this.#fault) this.#onStruck(this.#fault);
    return answer;
  }
}

function blockOf(found: unknown): number {
  return hexToNumber((found as { blockNumber: Hex }).blockNumber);
}
