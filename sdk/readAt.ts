import type { BlockTag } from "viem";

/** At which block to read; the latest if neither is given. */
export type ReadAt = {
  readonly blockNumber?: bigint | undefined;
  readonly blockTag?: BlockTag | undefined;
};

/** The same as viem's functions take it. */
export function blockOf({ blockNumber, blockTag }: ReadAt): { blockNumber: bigint } | { blockTag: BlockTag } {
  return blockNumber === undefined ? { blockTag: blockTag ?? "latest" } : { blockNumber };
}
