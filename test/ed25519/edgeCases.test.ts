import { afterAll, describe, expect, it } from "vitest";
import { startMutationChain } from "../../scripts/mutation/mutationChain.ts";
import { firstDifference, measureProbes, starvedProbe } from "../../scripts/mutation/probe.ts";
import { sha512Probes } from "../../scripts/mutation/sha512Probes.ts";
import {
  firstBatchProbes,
  firstVerifierProbes,
  otherBatchProbes,
  otherVerifierProbes,
  probesToBeStarved,
} from "../../scripts/mutation/verifierProbes.ts";

/**
 * The fast tests by which scripts/mutateEd25519.ts tells mutants apart, put to the genuine contracts: the edges of S, R
 * and the hint, scalars that select every table entry or overflow the comb, malformed calldata, contracts that fail, and
 * too little gas. Some contracts that hash are replaced with ones that answer what a test has chosen.
 */

const chain = await startMutationChain();
afterAll(() => chain.close());

const PROBES = [
  ...firstVerifierProbes(),
  ...otherVerifierProbes(),
  ...firstBatchProbes(),
  ...otherBatchProbes(),
  ...sha512Probes("sha512Of138Bytes"),
  ...sha512Probes("sha512OfTwo138Bytes"),
];

describe("the generated contracts end as they should", () => {
  it.each(PROBES)("$name", async (probe) => {
    const [measured] = await measureProbes(chain, [probe]);
    // Once more, with a bound on the gas.
    expect(measured === undefined ? "nothing" : await firstDifference(chain, [measured])).toBeUndefined();
  });

  it.each(probesToBeStarved())("$name, starved of gas: by failing, and never by another answer", async (probe) => {
    const starved = (await measureProbes(chain, [probe])).map(starvedProbe);
    expect(await firstDifference(chain, starved)).toBeUndefined();
  });
});
