import { namingRpcErrors } from "../chain/rpcError.ts";
import { UnfundedSenderError } from "../chain/unfundedSender.ts";
import type { ChainContext } from "../deliver/chainContext.ts";
import { deliverUntilSettled } from "../deliver/deliverUntilSettled.ts";
import type { DeliveryReport } from "../deliver/deliveryReport.ts";
import { collectEdition } from "../edition/collectEdition.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import { readAcceptedKeys } from "./acceptedSigners.ts";
import type { RelayContext } from "./relayContext.ts";
import type { RelayReport } from "./report.ts";
import { nextRunMs } from "./schedule.ts";
import { toRelayReport } from "./toRelayReport.ts";

export type RelayOptions = {
  /** Do everything but send. */
  readonly dryRun?: boolean;
  /** Aborting stops before the next step; a transaction that was sent is still waited for. */
  readonly signal?: AbortSignal | undefined;
};

/** A chain of a run: what was delivered to it, or why nothing could be. */
export type ChainOutcome = { readonly name: string } & (
  | { readonly delivery: DeliveryReport }
  | { readonly error: HomePriceError }
);

/**
 * One full run: fetch both kinds once, check everything, and bring it to every chain at the same time: compare, batch,
 * simulate, send, wait, read back. A chain that fails holds up no other.
 *
 * @throws HomePriceError when the run as a whole cannot go on: the service gives nothing, or every chain fails. What
 *   concerns single feeds or some of the chains is in the report.
 */
export async function relayOnce(
  context: RelayContext,
  { dryRun = false, signal }: RelayOptions = {},
): Promise<RelayReport> {
  // A schedule that is none had better be told of before anybody is asked.
  nextRunMs(context.schedule);
  const sinceMs = context.nowMs();
  const opened = await Promise.all(context.chains.map((chain) => attemptOn(chain.name, () => openForRun(chain.open))));
  const ready = opened.flatMap((chain) => ("value" in chain ? [chain.value] : []));
  if (ready.length === 0) throw firstError(opened);

  const keys = new Map(ready.flatMap(({ publicKeys }) => publicKeys.map((key) => [key.hex, key] as const)));
  const { schedule, layout, rentalOffset, maxExpiryAfterDateMs } = context;
  const rules = {
    layout,
    rentalOffset,
    maxExpiryAfterDateMs,
    publicKeys: [...keys.values()],
    timeZone: schedule.timeZone,
  };
  context.log.info({ feeds: context.wanted.length }, "asking the price service");
  const collection = await collectEdition({ ...context, rules }, { signal, everything: true });
  const outcomes = await Promise.all(
    opened.map(async (chain): Promise<ChainOutcome> => {
      if ("error" in chain) return chain;
      const delivered = await attemptOn(chain.name, () =>
        deliverUntilSettled(chain.value.context, { timeoutMs: context.receiptTimeoutMs, sinceMs, dryRun, signal }),
      );
      return "error" in delivered ? delivered : { name: chain.name, delivery: delivered.value };
    }),
  );
  // What came before could be brought all the same.
  if (collection.serviceError) throw collection.serviceError;
  if (outcomes.every((outcome) => "error" in outcome)) throw firstError(outcomes);
  if (outcomes.length === 1) throwIfUnfunded(outcomes);
  return toRelayReport(collection, outcomes, { dryRun, sinceMs });
}

/** Connects to a chain and reads whose prices its oracle takes. */
async function openForRun(
  open: () => Promise<ChainContext>,
): Promise<{ readonly context: ChainContext; readonly publicKeys: readonly Ed25519PublicKey[] }> {
  const context = await open();
  return { context, publicKeys: await readAcceptedKeys(context) };
}

async function attemptOn<T>(
  name: string,
  run: () => Promise<T>,
): Promise<{ readonly name: string } & ({ readonly value: T } | { readonly error: HomePriceError })> {
  try {
    return { name, value: await namingRpcErrors(run) };
  } catch (error) {
    if (error instanceof HomePriceError) return { name, error };
    throw error;
  }
}

function firstError(outcomes: readonly object[]): unknown {
  return outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []))[0];
}

/** A sender that can pay for nothing at all is no matter of single feeds. */
function throwIfUnfunded(outcomes: readonly ChainOutcome[]): void {
  for (const outcome of outcomes) {
    if (!("delivery" in outcome)) continue;
    const { conditions, transactions, sender, balanceWei = 0n } = outcome.delivery;
    if (sender && transactions.length === 0 && conditions.some(({ kind }) => kind === "balance-empty")) {
      throw new UnfundedSenderError(sender, balanceWei);
    }
  }
}
