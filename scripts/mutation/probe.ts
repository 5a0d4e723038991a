/** Fast tests: calls that have to end as they should. */
import type { Hex } from "viem";
import type { Call, MutationChain, Outcome, Target } from "./mutationChain.ts";

/** Calls that are made together. */
export interface Probe {
  readonly name: string;
  readonly calls: readonly ExpectedCall[];
}

export interface ExpectedCall {
  readonly name: string;
  readonly target: Target;
  readonly data: Hex;
  readonly value?: bigint;
  /** Whether it answers, and what it answers or reverts with. */
  readonly success: boolean;
  readonly returned: Hex;
}

/** A probe for which it has been measured what gas the genuine contracts take. */
export interface MeasuredProbe {
  readonly name: string;
  readonly calls: readonly MeasuredCall[];
}

interface MeasuredCall {
  readonly name: string;
  readonly call: Call;
  readonly success: boolean;
  readonly returned: Hex;
  /** More gas than this is a difference. */
  readonly gasAtMost: bigint;
  /** Whether the gas may be too little; then the call may fail, but not answer anything else. */
  readonly isStarved: boolean;
}

/** More than any call here takes. */
const AMPLE_GAS = 7_000_000n;

/**
 * A mutant may take a little more gas than the genuine contract: what is looked for are wrong answers. But a call that
 * takes another way to the answer, or fails by burning all its gas instead of reverting, is wrong as well.
 */
const TOLERATED_GAS = { share: 200n, fixed: 100n } as const;

/** Amounts of gas with which a call is tried that needs more. */
const STARVED_TIMES = 24;

/** Measures the gas of probes. Throws unless the genuine contracts pass them. */
export async function measureProbes(chain: MutationChain, probes: readonly Probe[]): Promise<MeasuredProbe[]> {
  const measured: MeasuredProbe[] = [];
  for (const { name, calls } of probes) {
    const unlimited = calls.map(
      ({ target, data, value = 0n, ...rest }): MeasuredCall => ({
        ...rest,
        call: { target, data, value, gasLimit: AMPLE_GAS },
        gasAtMost: AMPLE_GAS,
        isStarved: false,
      }),
    );
    const outcomes = await chain.outcomesOf(unlimited.map(({ call }) => call));
    const probe = {
      name,
      calls: unlimited.map((one, index) => {
        const used = outcomes[index]?.gasUsed ?? 0n;
        const gasAtMost = used + used / TOLERATED_GAS.share + TOLERATED_GAS.fixed;
        // A call that does not come to an end shall not take long.
        return { ...one, call: { ...one.call, gasLimit: 2n * gasAtMost }, gasAtMost };
      }),
    };
    const difference = differenceOf(probe, outcomes);
    if (difference !== undefined) throw new Error(`the genuine contracts fail: ${difference}`);
    measured.push(probe);
  }
  return measured;
}

/** The calls of a measured probe again, each with many amounts of gas up to what it takes. */
export function starvedProbe({ name, calls }: MeasuredProbe): MeasuredProbe {
  return {
    name: `starved of gas: ${name}`,
    calls: calls.flatMap((one) =>
      Array.from({ length: STARVED_TIMES }, (_, index): MeasuredCall => {
        const gasLimit = (one.gasAtMost * BigInt(index + 1)) / BigInt(STARVED_TIMES);
        return { ...one, name: `${one.name}, ${gasLimit} gas`, call: { ...one.call, gasLimit }, isStarved: true };
      }),
    ),
  };
}

/** The first call of the probes that does not end as it should, in words. */
export async function firstDifference(
  chain: MutationChain,
  probes: readonly MeasuredProbe[],
): Promise<{ readonly probe: string; readonly difference: string } | undefined> {
  for (const probe of probes) {
    const outcomes = await chain.outcomesOf(probe.calls.map(({ call }) => call));
    const difference = differenceOf(probe, outcomes);
    if (difference !== undefined) return { probe: probe.name, difference };
  }
  return undefined;
}

function differenceOf({ name, calls }: MeasuredProbe, outcomes: readonly Outcome[]): string | undefined {
  for (const [index, expected] of calls.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) return `${name}: no outcome`;
    if (expected.isStarved && !outcome.success) continue;
    const where = `${name}: ${expected.name}`;
    if (outcome.success !== expected.success) return `${where}: ${outcome.success ? "answered" : "failed"}`;
    if (outcome.returned !== expected.returned) return `${where}: ${outcome.returned}, not ${expected.returned}`;
    if (outcome.gasUsed > expected.gasAtMost) return `${where}: ${outcome.gasUsed} gas`;
  }
  return undefined;
}
