import { simulateTasks } from "../runner/simulateTasks.ts";
import type { Mutation } from "./mutation.ts";

/** Which run has noticed a mutation, and by which rule. */
export type MutationVerdict = {
  readonly mutation: Mutation;
  readonly caughtBy:
    | { readonly seed: string; readonly day: number; readonly rule: string; readonly message: string }
    | undefined;
  /** Why a run did not come to its end. */
  readonly error?: string | undefined;
};

const DAY_MS = 86_400_000;

/** Simulates one seed after the other with a mutation in the relayer's code, until one run notices it. */
export async function tryMutation(
  mutation: Mutation,
  { seeds, days }: { readonly seeds: readonly string[]; readonly days: number },
): Promise<MutationVerdict> {
  for (const seed of seeds) {
    const [outcome] = await simulateTasks([{ seed, days, mutation: mutation.name, stopAtViolation: true }], 1);
    if (!outcome?.result) return { mutation, caughtBy: undefined, error: outcome?.error ?? "no result" };
    const [first] = outcome.result.violations;
    if (!first) continue;
    const day = Math.ceil((first.atMs - outcome.result.startMs) / DAY_MS);
    return { mutation, caughtBy: { seed, day, rule: first.rule, message: first.message } };
  }
  return { mutation, caughtBy: undefined };
}
