import { describeRpcError, namingRpcErrors } from "../chain/rpcError.ts";
import type { ConfigurationKey } from "../configuration/configurationSchema.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { ALL_CHECKS } from "./allChecks.ts";
import type { Check, CheckName } from "./check.ts";
import { createExamination, type Examination, type ExaminationOptions } from "./examination.ts";
import { type Finding, failed, failedWith, skipped } from "./finding.ts";

/** What the doctor says of one thing. */
export type CheckResult = { readonly name: CheckName } & Finding;

/** The doctor's report: a stable document for other programs. */
export type DoctorReport = {
  /** Whether no check failed; warnings are allowed. */
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
};

/**
 * Runs every check, those that do not depend on each other at the same time. A check whose prerequisites failed is
 * skipped and says so; nothing that goes wrong in one keeps the others from being run. Sends no transaction.
 */
export async function runChecks(options: ExaminationOptions): Promise<DoctorReport> {
  const examination = createExamination(options);
  const unusable = new Set(options.inspected.problems.flatMap(({ unusableKeys }) => unusableKeys));
  const findings = new Map<CheckName, Promise<Finding>>();
  for (const check of ALL_CHECKS) findings.set(check.name, runCheck(check, examination, unusable, findings));
  const checks = await Promise.all(
    [...findings].map(async ([name, finding]): Promise<CheckResult> => ({ name, ...(await finding) })),
  );
  return { ok: checks.every(({ status }) => status !== "failed"), checks };
}

async function runCheck(
  check: Check,
  examination: Examination,
  unusable: ReadonlySet<ConfigurationKey>,
  earlier: ReadonlyMap<CheckName, Promise<Finding>>,
): Promise<Finding> {
  const keys = check.keys.filter((key) => unusable.has(key));
  if (keys.length > 0) return skipped(`not looked at: ${keys.join(", ")} in the configuration cannot be used`);
  for (const name of check.needs) {
    const finding = await earlier.get(name);
    if (finding?.status === "failed") return skipped(`not looked at: ${name} failed`);
    // What it lacked is what is lacking here.
    if (finding?.status === "skipped") return finding;
  }
  try {
    return await namingRpcErrors(async () => check.run(examination));
  } catch (error) {
    if (error instanceof HomePriceError) return failedWith(error);
    return failed(
      `could not be looked at: ${describeRpcError(error)}`,
      "This is a fault of the program. Please report it with the command that you ran.",
    );
  }
}
