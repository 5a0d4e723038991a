/** Puts mutants in place of the generated contracts, and has each tried by the fast tests until one tells it apart. */
import { equivalenceOf } from "./equivalentMutants.ts";
import { type Choice, type Mutant, mutantsOf, mutatedCode } from "./mutants.ts";
import { type MutationChain, startMutationChain } from "./mutationChain.ts";
import { firstDifference, type MeasuredProbe, measureProbes, type Probe, starvedProbe } from "./probe.ts";
import { randomNumbers } from "./randomNumbers.ts";
import type { Contract } from "./sections.ts";
import { sha512Probes } from "./sha512Probes.ts";
import {
  firstBatchProbes,
  firstVerifierProbes,
  otherBatchProbes,
  otherVerifierProbes,
  probesToBeStarved,
} from "./verifierProbes.ts";

export interface Verdict {
  readonly mutant: Mutant;
  /** The name of the probe that told it apart, and how; undefined for a survivor. */
  readonly killed: { readonly probe: string; readonly difference: string } | undefined;
  /** For a survivor, why it is equivalent, if that is known. */
  readonly equivalence: string | undefined;
}

export interface MutationCheckOptions {
  /** For each contract that is checked, which mutants. */
  readonly choices: ReadonlyMap<Contract, Choice>;
  readonly seed: string;
  readonly onVerdict?: (verdict: Verdict, done: number, of: number) => void;
}

/** How many mutants of each contract there are in a hundred, if nothing else is said. */
const SHARES: Readonly<Record<Contract, number>> = {
  verifier: 50,
  batchVerifier: 22,
  lowerTableOfBase: 2,
  upperTableOfBase: 2,
  lowerTableOfKey: 2,
  upperTableOfKey: 2,
  sha512Of138Bytes: 10,
  sha512OfTwo138Bytes: 10,
};

/** That many mutants, spread over the contracts. */
export function spreadOver(contracts: readonly Contract[], count: number): Map<Contract, Choice> {
  const shares = contracts.reduce((sum, contract) => sum + SHARES[contract], 0);
  let [left, sharesLeft] = [count, shares];
  return new Map(
    contracts.map((contract) => {
      const part = Math.round((left * SHARES[contract]) / sharesLeft);
      left -= part;
      sharesLeft -= SHARES[contract];
      return [contract, { count: part }];
    }),
  );
}

/** Tries mutants one after the other. Throws if the genuine contracts fail a test. */
export async function checkMutants({ choices, seed, onVerdict }: MutationCheckOptions): Promise<Verdict[]> {
  const chain = await startMutationChain();
  try {
    const mutants = [...choices].flatMap(([contract, choice]) =>
      mutantsOf(contract, chain.genuine[contract], choice, randomNumbers(`${seed}/${contract}`)),
    );
    const probesOf = await measuredProbes(chain);
    const lastKillers = new Map<string, string>();
    const verdicts: Verdict[] = [];
    for (const [index, mutant] of mutants.entries()) {
      const section = `${mutant.contract}/${mutant.section}`;
      const verdict = await judge(chain, mutant, inOrder(probesOf[mutant.contract], lastKillers.get(section)));
      if (verdict.killed !== undefined) lastKillers.set(section, verdict.killed.probe);
      verdicts.push(verdict);
      onVerdict?.(verdict, index + 1, mutants.length);
    }
    return verdicts;
  } finally {
    await chain.close();
  }
}

/** The first probe is quick and kills most; what killed the last mutant of a section is likely to kill the next one. */
function inOrder(probes: readonly MeasuredProbe[], lastKiller: string | undefined): readonly MeasuredProbe[] {
  const rank = (probe: MeasuredProbe) => (probe === probes[0] ? 0 : probe.name === lastKiller ? 1 : 2);
  return probes.toSorted((one, other) => rank(one) - rank(other));
}

async function judge(chain: MutationChain, mutant: Mutant, probes: readonly MeasuredProbe[]): Promise<Verdict> {
  const genuine = chain.genuine[mutant.contract];
  await chain.put(mutant.contract, mutatedCode(genuine, mutant));
  try {
    const killed = await firstDifference(chain, probes);
    return { mutant, killed, equivalence: killed === undefined ? equivalenceOf(mutant) : undefined };
  } finally {
    await chain.put(mutant.contract, genuine);
  }
}

async function measuredProbes(chain: MutationChain): Promise<Record<Contract, readonly MeasuredProbe[]>> {
  const measured = (probes: readonly Probe[]) => measureProbes(chain, probes);
  const [starved = [], starvedBatch = []] = (await measured(probesToBeStarved())).map((probe) => [starvedProbe(probe)]);
  const small = await measured(firstVerifierProbes());
  const batch = await measured(firstBatchProbes());
  const otherBatch = await measured(otherBatchProbes());
  const ofVerifier = [...small, ...(await measured(otherVerifierProbes())), ...otherBatch, ...starved, ...starvedBatch];
  const ofBatches = [...batch, ...otherBatch, ...starvedBatch];
  return {
    verifier: ofVerifier,
    batchVerifier: ofBatches,
    lowerTableOfBase: ofBatches,
    upperTableOfBase: ofBatches,
    lowerTableOfKey: ofBatches,
    upperTableOfKey: ofBatches,
    sha512Of138Bytes: await measured(sha512Probes("sha512Of138Bytes")),
    sha512OfTwo138Bytes: await measured(sha512Probes("sha512OfTwo138Bytes")),
  };
}
