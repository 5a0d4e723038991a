import type { Address, Hex } from "viem";
import type { PooledTransaction } from "./pooledTransaction.ts";
import { RpcRefusal, TRANSACTION_REFUSED } from "./rpcRefusal.ts";

/** EIP-7825. */
const MOST_GAS = 16_777_216n;

/** What a node knows of an account when it looks at a transaction. */
export type AccountState = { readonly nonce: number; readonly balance: bigint };

type Entry = {
  readonly transaction: PooledTransaction;
  /** Block producers take no notice of it before this block. */
  readonly notBefore: number;
};

/**
 * Transactions that wait for a block, by the rules that nodes have in common: one for each nonce of a sender, replaced by
 * one that offers a tenth more of both fees.
 *
 * What was replaced is not forgotten everywhere: with {@link Mempool.preferReplaced} the next block takes the replaced
 * one, as happens when a replacement reaches the block's producer too late.
 */
export class Mempool {
  readonly #entries = new Map<string, Entry>();
  readonly #replaced = new Map<string, Entry>();

  /**
   * @throws RpcRefusal in the words of Geth.
   */
  admit(transaction: PooledTransaction, account: AccountState, notBefore: number): void {
    const refuse = (message: string) => new RpcRefusal(TRANSACTION_REFUSED, message);
    const { sender, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, value } = transaction;
    const key = keyOf(sender, nonce);
    const present = this.#entries.get(key);
    if (present?.transaction.hash === transaction.hash) throw refuse("already known");
    if (nonce < account.nonce) throw refuse(`nonce too low: next nonce ${account.nonce}, tx nonce ${nonce}`);
    if (gas > MOST_GAS) throw refuse(`transaction gas limit too high (cap: ${MOST_GAS}, tx: ${gas})`);
    if (maxPriorityFeePerGas > maxFeePerGas) {
      throw refuse("max priority fee per gas higher than max fee per gas");
    }
    const cost = value + gas * maxFeePerGas;
    if (cost > account.balance) {
      throw refuse(`insufficient funds for gas * price + value: balance ${account.balance}, tx cost ${cost}`);
    }
    if (present) {
      const isDearer =
        maxFeePerGas * 10n >= present.transaction.maxFeePerGas * 11n &&
        maxPriorityFeePerGas * 10n >= present.transaction.maxPriorityFeePerGas * 11n;
      if (!isDearer) throw refuse("replacement transaction underpriced");
      this.#replaced.set(key, present);
    }
    // Who has waited does not wait anew for having raised the offer.
    this.#entries.set(key, { transaction, notBefore: Math.min(notBefore, present?.notBefore ?? notBefore) });
  }

  /** The first nonce of a sender that nothing here has, counted from the one that the chain expects. */
  nextNonce(sender: Address, chainNonce: number): number {
    let nonce = chainNonce;
    while (this.#entries.has(keyOf(sender, nonce))) nonce += 1;
    return nonce;
  }

  byHash(hash: Hex): PooledTransaction | undefined {
    for (const { transaction } of this.#entries.values()) if (transaction.hash === hash) return transaction;
    return undefined;
  }

  /** What may go into a block next for a sender. */
  entryOf(sender: Address, nonce: number): Entry | undefined {
    return this.#entries.get(keyOf(sender, nonce));
  }

  senders(): readonly Address[] {
    return [...new Set([...this.#entries.values()].map(({ transaction }) => transaction.sender))].sort();
  }

  transactions(): readonly PooledTransaction[] {
    return [...this.#entries.values()].map(({ transaction }) => transaction);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Puts a transaction back that a reorganised block had; what has come in its place since stays. */
  putBack(transaction: PooledTransaction, notBefore: number): void {
    const key = keyOf(transaction.sender, transaction.nonce);
    if (!this.#entries.has(key)) this.#entries.set(key, { transaction, notBefore });
  }

  remove(hash: Hex): boolean {
    for (const [key, { transaction }] of this.#entries) {
      if (transaction.hash === hash) return this.#entries.delete(key);
    }
    return false;
  }

  /** Forgets what the chain has moved past. */
  removeBelow(sender: Address, nonce: number): void {
    for (const entries of [this.#entries, this.#replaced]) {
      for (const [key, { transaction }] of entries) {
        if (transaction.sender === sender && transaction.nonce < nonce) entries.delete(key);
      }
    }
  }

  /** Lets block producers see the replaced transactions instead of what replaced them. Answers how many there were. */
  preferReplaced(): number {
    let count = 0;
    for (const [key, replaced] of this.#replaced) {
      const present = this.#entries.get(key);
      if (!present) continue;
      this.#entries.set(key, replaced);
      count += 1;
    }
    this.#replaced.clear();
    return count;
  }
}

function keyOf(sender: Address, nonce: number): string {
  return `${sender}/${nonce}`;
}
