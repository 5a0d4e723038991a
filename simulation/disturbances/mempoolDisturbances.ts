import type { PooledTransaction } from "../chain/pooledTransaction.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import type { ChainWorld } from "../world/chainWorld.ts";
import { type TroubleLog, troubleOfChain } from "../world/troubleLog.ts";
import { MINUTE_MS } from "./disturbance.ts";

/** By how much fees rise over a transaction that waits. */
const RISES = [6n, 25n] as const;

/** Lets nodes lose transactions, hand them around twice, mine what was replaced, and fees rise over what waits. */
export function disturbMempool(
  world: ChainWorld,
  {
    kernel,
    randomness,
    counts,
    troubles,
    onSeen,
  }: {
    readonly kernel: Kernel;
    readonly randomness: Randomness;
    readonly counts: FaultCounts;
    readonly troubles: TroubleLog;
    /** Called with every transaction that a node has taken. */
    readonly onSeen: (transaction: PooledTransaction) => void;
  },
): void {
  const { chain } = world;
  const later = (kind: string, transaction: PooledTransaction, afterMs: number, act: () => Promise<boolean>) =>
    setTimeout(() => {
      void kernel.ask({
        kind: "world",
        what: `${kind} ${transaction.hash} on ${world.name}`,
        perform: async () => {
          await chain.catchUp();
          if (!(await act())) return "too late";
          counts.struck(kind);
          return "done";
        },
        describe: String,
      });
    }, afterMs);

  chain.onAdmitted = (transaction) => {
    onSeen(transaction);
    const draw = randomness.fraction();
    if (draw < 0.08) {
      counts.begun("transaction lost");
      later("transaction lost", transaction, randomness.between(500, 20_000), async () =>
        chain.forget(transaction.hash),
      );
    } else if (draw < 0.16) {
      counts.begun("transaction handed around again");
      later("transaction handed around again", transaction, randomness.between(5_000, 900_000), () =>
        chain.admit(transaction.raw).then(
          () => true,
          () => false,
        ),
      );
    } else if (draw < 0.3) {
      counts.begun("replaced transaction mined");
      later("replaced transaction mined", transaction, randomness.between(100, 4_000), async () =>
        Promise.resolve(chain.mempool.preferReplaced() > 0),
      );
    } else if (draw < 0.36) {
      const kind = "fees rise over what waits";
      const fromMs = kernel.time.nowMs();
      const span = { fromMs, toMs: fromMs + randomness.between(10, 90) * MINUTE_MS };
      const baseFeePerGas = world.specification.baseFeePerGas * randomness.pick(RISES);
      world.fees.addSpike({ ...span, baseFeePerGas });
      if (world.isTooDear(baseFeePerGas)) troubles.add(troubleOfChain(world.name), span);
      counts.begun(kind);
      counts.struck(kind);
    }
  };
}
