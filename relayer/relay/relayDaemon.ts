import { namingRpcErrors } from "../chain/rpcError.ts";
import { deliverToChain } from "../deliver/deliverToChain.ts";
import { collectEdition } from "../edition/collectEdition.ts";
import { runRelayerDaemon } from "../engine/daemon.ts";
import type { Engine } from "../engine/engine.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import type { Watch } from "../watch/watch.ts";
import { readAcceptedKeys } from "./acceptedSigners.ts";
import type { RelayContext } from "./relayContext.ts";
import { nextRunMs } from "./schedule.ts";

export type RelayDaemonOptions = {
  /** Who does what when. */
  readonly engine: Engine;
  readonly watch: Watch;
  /** Days for which prices stay in the journal; 0: for ever. */
  readonly archiveDays: number;
  /** Aborting ends the daemon. */
  readonly signal: AbortSignal;
};

/** Carries prices to every chain of a context until stopped. */
export function runRelayDaemon(
  context: RelayContext,
  { engine, watch, archiveDays, signal }: RelayDaemonOptions,
): Promise<void> {
  const { journal, schedule, nowMs, log, layout, rentalOffset, maxExpiryAfterDateMs } = context;
  const keys = new AcceptedKeys(context);
  return runRelayerDaemon({
    engine,
    watch,
    journal,
    nextRunMs: () => nextRunMs(schedule),
    archiveDays,
    nowMs,
    log,
    signal,
    collect: async (jobSignal, reason) => {
      const publicKeys = await keys.read();
      const rules = { layout, rentalOffset, maxExpiryAfterDateMs, publicKeys, timeZone: schedule.timeZone };
      // Who has several instants a day in the schedule wants to know of revisions.
      return collectEdition({ ...context, rules }, { signal: jobSignal, revisions: reason === "tick" });
    },
    deliver: (chainName, jobSignal) =>
      namingRpcErrors(async () => {
        const chain = context.chains.find(({ name }) => name === chainName);
        if (!chain) throw new RangeError(`there is no chain ${chainName}`);
        return deliverToChain(await chain.open(), { signal: jobSignal });
      }),
  });
}

/**
 * Whose prices are worth to be archived: those that any of the oracles takes, as each of them has last said. A chain that
 * is out of reach at the moment does not keep the others' prices from being received.
 */
class AcceptedKeys {
  readonly #context: RelayContext;
  readonly #known = new Map<string, readonly Ed25519PublicKey[]>();

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** @throws the first chain's error when none has ever said it. */
  async read(): Promise<readonly Ed25519PublicKey[]> {
    const errors: unknown[] = [];
    await Promise.all(
      this.#context.chains.map(async ({ name, open }) => {
        try {
          this.#known.set(name, await namingRpcErrors(async () => readAcceptedKeys(await open())));
        } catch (error) {
          errors.push(error);
        }
      }),
    );
    if (this.#known.size === 0) throw errors[0];
    const byHex = new Map([...this.#known.values()].flat().map((key) => [key.hex, key] as const));
    return [...byHex.values()];
  }
}
