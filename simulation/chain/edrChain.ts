import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Address, type Hex, numberToHex } from "viem";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";

/** The EVM of a simulated chain: Hardhat's, in this process. It makes a block when it is told to, and never else. */
export type EdrChain = {
  readonly request: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /** Makes blocks without transactions, the first at a time, the others each an interval later. Times in Unix seconds. */
  readonly mineEmptyBlocks: (blocks: EmptyBlocks) => Promise<void>;
  /** Makes one block of these transactions; those that the EVM does not take are left out. Answers which it took. */
  readonly mineBlock: (block: FilledBlock) => Promise<readonly Hex[]>;
  readonly snapshot: () => Promise<string>;
  /** Back to a snapshot, and on with other block hashes than before. */
  readonly revertTo: (snapshot: string, beneficiary: Address) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type EmptyBlocks = {
  readonly count: number;
  readonly firstTime: number;
  readonly interval: number;
  /** Of the last of them, whose fee clients reckon with. */
  readonly lastBaseFeePerGas: bigint;
};

export type FilledBlock = {
  readonly time: number;
  readonly baseFeePerGas: bigint;
  readonly transactions: readonly { readonly hash: Hex; readonly raw: Hex }[];
};

const NETWORK = "simulated";

/** @param startMs Time of the first block, Unix milliseconds. */
export async function startEdrChain({ chainId, startMs }: { chainId: number; startMs: number }): Promise<EdrChain> {
  const hre = await createHardhatRuntimeEnvironment(
    {
      networks: {
        [NETWORK]: {
          type: "edr-simulated",
          chainType: "l1",
          chainId,
          hardfork: "osaka",
          initialDate: new Date(startMs),
          mining: { auto: false, interval: 0, mempool: { order: "fifo" } },
        },
      },
    },
    {},
    packageFile(),
  );
  const connection = await hre.network.create(NETWORK);
  const request = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    connection.provider.request({ method, params: [...params] });

  const prepare = async (time: number, baseFeePerGas: bigint) => {
    await request("evm_setNextBlockTimestamp", [time]);
    await request("hardhat_setNextBlockBaseFeePerGas", [numberToHex(baseFeePerGas)]);
  };

  return {
    request,
    async mineEmptyBlocks({ count, firstTime, interval, lastBaseFeePerGas }) {
      if (count > 1) {
        await request("evm_setNextBlockTimestamp", [firstTime]);
        await request("hardhat_mine", [numberToHex(count - 1), numberToHex(interval)]);
      }
      await prepare(firstTime + (count - 1) * interval, lastBaseFeePerGas);
      await request("evm_mine");
    },
    async mineBlock({ time, baseFeePerGas, transactions }) {
      await prepare(time, baseFeePerGas);
      const taken: Hex[] = [];
      for (const { raw, hash } of transactions) {
        const isTaken = await request("eth_sendRawTransaction", [raw]).then(
          () => true,
          () => false,
        );
        if (isTaken) taken.push(hash);
      }
      await request("evm_mine");
      const block = (await request("eth_getBlockByNumber", ["latest", false])) as { transactions: Hex[] };
      const mined = new Set(block.transactions);
      // The EVM's own waiting room must stay empty: who waits is decided elsewhere.
      for (const hash of taken) if (!mined.has(hash)) await request("hardhat_dropTransaction", [hash]);
      return taken.filter((hash) => mined.has(hash));
    },
    snapshot: async () => (await request("evm_snapshot")) as string,
    async revertTo(snapshot, beneficiary) {
      await request("evm_revert", [snapshot]);
      // The beneficiary stands in the header: blocks of the same transactions get other hashes.
      await request("hardhat_setCoinbase", [beneficiary]);
    },
    close: () => connection.close(),
  };
}
