import { describeRpcError, namingRpcErrors } from "../chain/rpcError.ts";
import type { ConfigurationKey } from "../configuration/configurationSchema.ts";
import { pathOf } from "../configuration/keyValues.ts";
import type { KeyPath } from "../configuration/loadConfiguration.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { ALL_CHECKS } from "./allChecks.ts";
import type { ExaminedChain } from "./chainExamination.ts";
import type { ChainCheck, Check, CheckName, SharedCheck } from "./check.ts";
import { createExamination, type ExaminationOptions } from "./examination.ts";
import { type Finding, failed, failedWith, skipped } from "./finding.ts";

/** What the doctor says of one thing. */
export type CheckResult = {
  readonly name: CheckName;
  /** As in the configuration, where chains have names and this is one's alone. */
  readonly chain?: string;
} & Finding;

/** The doctor's report: a stable document for other programs. */
export type DoctorReport = {
  /** Whether no check failed; warnings are allowed. */
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
};

/** A check that has been started. */
type Started = {
  readonly name: CheckName;
  readonly chainName: string | undefined;
  readonly finding: Promise<Finding>;
};

/**
 * Runs every check, those of a chain for each chain, and those that do not depend on each other at the same time. A check
 * whose prerequisites failed is skipped and says so; nothing that goes wrong in one keeps the others from being run. Sends
 * no transaction.
 */
export async function runChecks(options: ExaminationOptions): Promise<DoctorReport> {
  const examination = createExamination(options);
  const unusable = new Set(options.inspected.problems.flatMap(({ unusableKeys }) => unusableKeys));
  const started: Started[] = [];
  const start = (check: Check, chain: ExaminedChain | undefined, run: () => Finding | Promise<Finding>) => {
    const chainName = chain?.chain.chainName;
    // Without any chain that could be used there may be one at the top level, or none is known.
    const noneIsKnown = chain !== undefined && unusable.has("chains") && chain.chain.rpcUrl === undefined;
    const keys = noneIsKnown
      ? (["chains"] as const)
      : keysOf(check, chain).filter((key) => isUnusable(key, unusable, chainName, options));
    const needed = check.needs.flatMap((name) =>
      started.filter((each) => each.name === name && (each.chainName === chainName || each.chainName === undefined)),
    );
    started.push({ name: check.name, chainName, finding: runCheck(keys, needed, run) });
  };

  const shared = ALL_CHECKS.filter((check): check is SharedCheck => check.scope === "shared");
  const ofChains = ALL_CHECKS.filter((check): check is ChainCheck => check.scope === "chain");
  for (const check of shared) start(check, undefined, () => check.run(examination));
  for (const chain of examination.chains) {
    for (const check of ofChains) start(check, chain, () => check.run({ ...examination, ...chain }));
  }

  const checks = await Promise.all(
    started.map(async ({ name, chainName, finding }): Promise<CheckResult> => {
      const found = await finding;
      return { name, ...(chainName !== undefined && { chain: chainName }), ...found };
    }),
  );
  return { ok: checks.every(({ status }) => status !== "failed"), checks };
}

function keysOf(check: Check, chain: ExaminedChain | undefined): readonly ConfigurationKey[] {
  return chain && check.scope === "chain" && check.keysFor ? check.keysFor(chain.chain) : check.keys;
}

async function runCheck(
  unusableKeys: readonly ConfigurationKey[],
  needed: readonly Started[],
  run: () => Finding | Promise<Finding>,
): Promise<Finding> {
  if (unusableKeys.length > 0) {
    return skipped(`not looked at: ${unusableKeys.join(", ")} in the configuration cannot be used`);
  }
  for (const { name, finding } of needed) {
    const found = await finding;
    if (found.status === "failed") return skipped(`not looked at: ${name} failed`);
    // What it lacked is what is lacking here.
    if (found.status === "skipped") return found;
  }
  try {
    return await namingRpcErrors(async () => run());
  } catch (error) {
    if (error instanceof HomePriceError) return failedWith(error);
    return failed(
      `could not be looked at: ${describeRpcError(error)}`,
      "This is a fault of the program. Please report it with the command that you ran.",
    );
  }
}

/** Whether the value that a check would look at is none: the chain's own, or what it takes from the top level. */
function isUnusable(
  key: ConfigurationKey,
  unusable: ReadonlySet<KeyPath>,
  chainName: string | undefined,
  { inspected: { configuration } }: ExaminationOptions,
): boolean {
  if (chainName === undefined) return unusable.has(key);
  if (unusable.has(pathOf(chainName, key) as KeyPath)) return true;
  const own: Readonly<Record<string, unknown>> | undefined = configuration.chains?.[chainName];
  return unusable.has(key) && own?.[key] === undefined;
}
