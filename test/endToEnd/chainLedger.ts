import { type Address, decodeFunctionData, type Hex, hexToBytes } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { decodeUpdate } from "../../relayer/message/update.ts";
import type { DeliveredChain } from "./twoChainNetwork.ts";

/** A transaction of the relayer's, as the chain has it. */
export type LedgerTransaction = {
  readonly hash: Hex;
  readonly nonce: number;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** What identifies each update of its call: feed id, publish time, price. */
  readonly updates: readonly string[];
};

const BLOCKS_AT_ONCE = 20;

/** Every transaction of one sender on a chain, read from its blocks: the truth about what was paid for. */
export class ChainLedger {
  readonly chain: DeliveredChain;
  readonly transactions: LedgerTransaction[] = [];
  readonly #sender: Address;
  #readUpTo = 0n;

  constructor(chain: DeliveredChain, sender: Address) {
    this.chain = chain;
    this.#sender = sender;
  }

  /** Reads the blocks that have come since the last time. */
  async read(): Promise<void> {
    const { client } = this.chain;
    const head = await client.getBlockNumber({ cacheTime: 0 });
    while (this.#readUpTo < head) {
      const count = Number(head - this.#readUpTo);
      const numbers = Array.from(
        { length: Math.min(count, BLOCKS_AT_ONCE) },
        (_, i) => this.#readUpTo + 1n + BigInt(i),
      );
      const blocks = await Promise.all(
        numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
      );
      for (const { transactions, number, hash: blockHash } of blocks) {
        for (const { from, hash, nonce, input } of transactions) {
          if (from.toLowerCase() !== this.#sender.toLowerCase()) continue;
          this.transactions.push({ hash, nonce, blockNumber: number, blockHash, updates: updatesOf(input) });
        }
      }
      this.#readUpTo += BigInt(numbers.length);
    }
  }

  /** Updates that are in two transactions, and nonces that are not the next one. */
  problems(): string[] {
    const problems: string[] = [];
    const carriedBy = new Map<string, Hex>();
    for (const [index, { hash, nonce, updates }] of this.transactions.entries()) {
      if (nonce !== index) problems.push(`${this.chain.name}: transaction ${index} has nonce ${nonce}`);
      for (const update of updates) {
        const before = carriedBy.get(update);
        if (before) problems.push(`${this.chain.name}: ${update} is in ${before} and in ${hash}`);
        carriedBy.set(update, hash);
      }
    }
    return problems;
  }

  get updates(): number {
    return this.transactions.reduce((sum, { updates }) => sum + updates.length, 0);
  }
}

function updatesOf(input: Hex): string[] {
  if (input === "0x") return [];
  const { args } = decodeFunctionData({ abi: homePriceOracleAbi, data: input });
  const [updates] = args as unknown as readonly [readonly Hex[]];
  return updates.map((update) => {
    const parts = decodeUpdate(hexToBytes(update));
    const read = parts && decodePriceMessage(parts.message, DEFAULT_LAYOUT);
    const checked = read?.ok ? checkPriceMessage(read.value) : undefined;
    if (!checked?.ok) throw new Error(`an update that nobody can read: ${update}`);
    const { feedId, publishTimeMs, price } = checked.value;
    return `${feedId}/${publishTimeMs}/${price}`;
  });
}
