import { type Address, type Hex, hexToBigInt, hexToNumber, numberToHex } from "viem";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { EdrChain } from "./edrChain.ts";
import type { FeeCourse } from "./feeCourse.ts";
import { type AccountState, Mempool } from "./mempool.ts";
import { type PooledTransaction, readTransaction } from "./pooledTransaction.ts";
import { RpcRefusal, TRANSACTION_REFUSED } from "./rpcRefusal.ts";

export type SimulatedChainOptions = {
  readonly name: string;
  readonly chainId: number;
  readonly blockIntervalMs: number;
  /** The `finalized` block is so many blocks behind the newest; no reorganisation reaches it. */
  readonly finalizedAfterBlocks: number;
  readonly fees: FeeCourse;
  readonly edr: EdrChain;
  readonly kernel: Kernel;
  readonly randomness: Randomness;
};

/** A block with transactions that may still be reorganised away. */
type FilledBlockRecord = {
  readonly number: number;
  /** The chain as it was right before the block. */
  readonly snapshot: string;
  readonly transactions: readonly PooledTransaction[];
};

/** A transaction that is in a block. */
export type MinedTransaction = { readonly blockNumber: number; readonly transaction: PooledTransaction };

/** What becomes of the transactions of blocks that are reorganised away. */
export type ReorganisationFate =
  /** They are mined again soon. */
  | "mined-again"
  /** No node remembers them. */
  | "forgotten"
  /** They are mined again after some minutes. */
  | "mined-late";

/** How many blocks a transaction usually waits, at most. */
const USUAL_WAIT_BLOCKS = 3;

/**
 * A chain that makes a block at every interval of the simulation's time. Blocks are made when somebody looks: whatever
 * happens between two looks is decided when its cause happens, so that it makes no difference when the look comes.
 */
export class SimulatedChain {
  readonly name: string;
  readonly chainId: number;
  readonly fees: FeeCourse;
  readonly finalizedAfterBlocks: number;
  readonly mempool = new Mempool();
  readonly #edr: EdrChain;
  readonly #kernel: Kernel;
  readonly #randomness: Randomness;
  readonly #intervalMs: number;
  /** Number and time of the block that the simulation begins with. */
  readonly #origin: { readonly number: number; readonly timeMs: number };
  #filled: FilledBlockRecord[] = [];
  #headNumber: number;
  #forks = 0;
  /** Blocks that a new transaction waits at least: 0 usually. */
  delayBlocks = 0;
  /** Called with every transaction that was taken. */
  onAdmitted: (transaction: PooledTransaction) => void = () => undefined;
  readonly #mined: MinedTransaction[] = [];

  private constructor(options: SimulatedChainOptions, origin: { number: number; timeMs: number }) {
    this.name = options.name;
    this.chainId = options.chainId;
    this.fees = options.fees;
    this.finalizedAfterBlocks = options.finalizedAfterBlocks;
    this.#edr = options.edr;
    this.#kernel = options.kernel;
    this.#randomness = options.randomness;
    this.#intervalMs = options.blockIntervalMs;
    this.#origin = origin;
    this.#headNumber = origin.number;
  }

  /** Goes on from an EVM on which everything has been deployed; its newest block must not be later than now. */
  static async start(options: SimulatedChainOptions): Promise<SimulatedChain> {
    const block = (await options.edr.request("eth_getBlockByNumber", ["latest", false])) as {
      number: Hex;
      timestamp: Hex;
    };
    const timeMs = hexToNumber(block.timestamp) * 1000;
    return new SimulatedChain(options, { number: hexToNumber(block.number), timeMs });
  }

  get headNumber(): number {
    return this.#headNumber;
  }

  /** The EVM as it is, for whoever looks at the truth. Call {@link SimulatedChain.catchUp} before. */
  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#edr.request(method, params);
  }

  timeOfBlock(number: number): number {
    return this.#origin.timeMs + (number - this.#origin.number) * this.#intervalMs;
  }

  /** The block that is newest at an instant. */
  blockAt(timeMs: number): number {
    return this.#origin.number + Math.floor((timeMs - this.#origin.timeMs) / this.#intervalMs);
  }

  /** Makes every block that is due by now. */
  async catchUp(): Promise<void> {
    const due = this.blockAt(this.#kernel.time.nowMs());
    while (this.#headNumber < due) {
      const next = await this.#nextFilledBlock(due);
      const empty = (next ?? due + 1) - this.#headNumber - 1;
      if (empty > 0) await this.#mineEmpty(empty);
      if (next !== undefined) await this.#mineFilled(next);
    }
  }

  /**
   * Takes a signed transaction as a node does.
   * @returns Its hash.
   * @throws RpcRefusal
   */
  async admit(raw: Hex): Promise<Hex> {
    await this.catchUp();
    const transaction = await readTransaction(raw);
    if (transaction.chainId !== this.chainId) {
      throw new RpcRefusal(
        TRANSACTION_REFUSED,
        `invalid chain id for signer: have ${transaction.chainId} want ${this.chainId}`,
      );
    }
    const wait = this.delayBlocks + this.#randomness.between(1, USUAL_WAIT_BLOCKS);
    this.mempool.admit(transaction, await this.account(transaction.sender), this.#headNumber + wait);
    this.onAdmitted(transaction);
    return transaction.hash;
  }

  /** Every transaction that is on the chain as it stands, oldest first. */
  get mined(): readonly MinedTransaction[] {
    return this.#mined;
  }

  /** Lets go of the record of old blocks. */
  forgetBlocksBefore(number: number): void {
    const kept = this.#mined.findIndex((each) => each.blockNumber >= number);
    this.#mined.splice(0, kept === -1 ? this.#mined.length : kept);
  }

  /** A node throws a transaction out of its waiting room. */
  forget(hash: Hex): boolean {
    return this.mempool.remove(hash);
  }

  async account(address: Address): Promise<AccountState> {
    const nonce = (await this.#edr.request("eth_getTransactionCount", [address, "latest"])) as Hex;
    const balance = (await this.#edr.request("eth_getBalance", [address, "latest"])) as Hex;
    return { nonce: hexToNumber(nonce), balance: hexToBigInt(balance) };
  }

  /**
   * Replaces the newest blocks by others, back to one with transactions.
   * @param filledBlocks How many of the newest blocks with transactions go; as many as are not final, if there are fewer.
   * @returns The transactions that the chain has lost.
   */
  async reorganise(filledBlocks: number, fate: ReorganisationFate): Promise<readonly PooledTransaction[]> {
    await this.catchUp();
    const firstNotFinal = this.#headNumber - this.finalizedAfterBlocks + 1;
    const gone = this.#filled.filter(({ number }) => number >= firstNotFinal).slice(-filledBlocks);
    const [first] = gone;
    if (!first) return [];
    this.#forks += 1;
    const headBefore = this.#headNumber;
    await this.#edr.revertTo(first.snapshot, beneficiaryOfFork(this.#forks));
    this.#filled = this.#filled.filter(({ number }) => number < first.number);
    this.#headNumber = first.number - 1;
    while ((this.#mined.at(-1)?.blockNumber ?? 0) >= first.number) this.#mined.pop();
    const lost = gone.flatMap(({ transactions }) => transactions);
    if (fate !== "forgotten") {
      const wait = fate === "mined-late" ? Math.ceil(600_000 / this.#intervalMs) : this.#randomness.between(1, 5);
      for (const transaction of lost) this.mempool.putBack(transaction, headBefore + wait);
    }
    await this.catchUp();
    return lost;
  }

  /** The first block, up to one that is due, that has a transaction to take. */
  async #nextFilledBlock(due: number): Promise<number | undefined> {
    let first: number | undefined;
    for (const sender of this.mempool.senders()) {
      const { nonce } = await this.account(sender);
      this.mempool.removeBelow(sender, nonce);
      const entry = this.mempool.entryOf(sender, nonce);
      if (!entry) continue;
      const number = this.#firstAffordableBlock(
        entry.transaction,
        Math.max(entry.notBefore, this.#headNumber + 1),
        Math.min(due, (first ?? due + 1) - 1),
      );
      if (number !== undefined) first = number;
    }
    return first;
  }

  /** The first block from one on, and not after another, whose base fee a transaction pays. */
  #firstAffordableBlock({ maxFeePerGas }: PooledTransaction, from: number, last: number): number | undefined {
    let number = from;
    while (number <= last) {
      const timeMs = this.timeOfBlock(number);
      if (this.fees.baseFeePerGasAt(timeMs) <= maxFeePerGas) return number;
      const changeMs = this.fees.nextChangeAfter(timeMs);
      number = Math.max(number + 1, this.blockAt(changeMs - 1) + 1);
    }
    return undefined;
  }

  async #mineEmpty(count: number): Promise<void> {
    const last = this.#headNumber + count;
    await this.#edr.mineEmptyBlocks({
      count,
      firstTime: this.timeOfBlock(this.#headNumber + 1) / 1000,
      interval: this.#intervalMs / 1000,
      lastBaseFeePerGas: this.fees.baseFeePerGasAt(this.timeOfBlock(last)),
    });
    this.#headNumber = last;
  }

  async #mineFilled(number: number): Promise<void> {
    const timeMs = this.timeOfBlock(number);
    const baseFeePerGas = this.fees.baseFeePerGasAt(timeMs);
    const chosen: PooledTransaction[] = [];
    for (const sender of this.mempool.senders()) {
      let { nonce } = await this.account(sender);
      for (;;) {
        const entry = this.mempool.entryOf(sender, nonce);
        if (!entry || entry.notBefore > number || entry.transaction.maxFeePerGas < baseFeePerGas) break;
        chosen.push(entry.transaction);
        nonce += 1;
      }
    }
    const snapshot = await this.#edr.snapshot();
    const mined = new Set(await this.#edr.mineBlock({ time: timeMs / 1000, baseFeePerGas, transactions: chosen }));
    this.#headNumber = number;
    const transactions = chosen.filter(({ hash }) => mined.has(hash));
    for (const { hash } of chosen) this.mempool.remove(hash);
    for (const { sender, nonce } of transactions) this.mempool.removeBelow(sender, nonce + 1);
    this.#mined.push(...transactions.map((transaction) => ({ blockNumber: number, transaction })));
    const oldest = number - this.finalizedAfterBlocks;
    this.#filled = [...this.#filled.filter((block) => block.number >= oldest), { number, snapshot, transactions }];
    this.#kernel.note(`block ${number} has ${transactions.map(({ hash }) => hash).join(", ") || "nothing"}`, this.name);
  }
}

/** Another address for every fork. */
function beneficiaryOfFork(fork: number): Address {
  return `0x${numberToHex(0xf0_0000_0000 + fork, { size: 20 }).slice(2)}` as Address;
}
