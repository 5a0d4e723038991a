import { type Address, decodeFunctionData, type Hex, hexToBigInt, hexToBytes, parseEventLogs } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { decodeUpdate } from "../../relayer/message/update.ts";
import type { ChainWorld } from "../world/chainWorld.ts";
import { identityOf } from "../world/signedByService.ts";

/** A final transaction as the chain has it. */
export type AuditedTransaction = {
  readonly hash: Hex;
  /** In small letters. */
  readonly sender: Address;
  readonly nonce: number;
  readonly blockTimeMs: number;
  readonly costWei: bigint;
  /** What identifies each update of its call. */
  readonly updates: readonly string[];
  /** What identifies each price that the oracle took from it. */
  readonly taken: readonly string[];
};

type Receipt = {
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[];
};

/** Reads what has become final on a chain, block after block, and each block once. */
export class ChainAudit {
  readonly #world: ChainWorld;
  #auditedBlock = 0;

  constructor(world: ChainWorld) {
    this.#world = world;
  }

  /** The transactions of the blocks that have become final since the last call. */
  async next(): Promise<readonly AuditedTransaction[]> {
    const { chain } = this.#world;
    await chain.catchUp();
    const finalBlock = chain.headNumber - chain.finalizedAfterBlocks;
    const audited: AuditedTransaction[] = [];
    for (const { blockNumber, transaction } of chain.mined) {
      if (blockNumber <= this.#auditedBlock || blockNumber > finalBlock) continue;
      const receipt = (await chain.request("eth_getTransactionReceipt", [transaction.hash])) as Receipt;
      audited.push({
        hash: transaction.hash,
        sender: transaction.sender,
        nonce: transaction.nonce,
        blockTimeMs: chain.timeOfBlock(blockNumber),
        costWei: hexToBigInt(receipt.gasUsed) * hexToBigInt(receipt.effectiveGasPrice),
        updates: updatesOf(transaction.data),
        taken: takenBy(receipt, this.#world.oracle),
      });
    }
    this.#auditedBlock = Math.max(this.#auditedBlock, finalBlock);
    chain.forgetBlocksBefore(finalBlock);
    return audited;
  }
}

/** What a call carries. */
function updatesOf(data: Hex): string[] {
  // A transaction without a call only uses up its nonce.
  if (data === "0x") return [];
  const { functionName, args } = decodeFunctionData({ abi: homePriceOracleAbi, data });
  if (functionName !== "updatePrices" && functionName !== "tryUpdatePrices") return [];
  return args[0].map((update) => {
    const parts = decodeUpdate(hexToBytes(update));
    const read = parts && decodePriceMessage(parts.message, DEFAULT_LAYOUT);
    const checked = read?.ok ? checkPriceMessage(read.value) : undefined;
    return checked?.ok ? identityOf(checked.value) : `unreadable ${update}`;
  });
}

function takenBy({ logs }: Receipt, oracle: Address): string[] {
  const ours = logs.filter(({ address }) => address.toLowerCase() === oracle.toLowerCase());
  const events = parseEventLogs({ abi: homePriceOracleAbi, eventName: "PriceUpdated", logs: ours as never });
  return events.map(({ args: { feedId, publishTimeMs, price } }) => identityOf({ feedId, publishTimeMs, price }));
}
