import type { CheckResult, DoctorReport } from "./runChecks.ts";

const STATUS_WIDTH = "warning".length + 2;

/** The report for people: a line for each check, below it what to do. */
export function formatDoctorReport({ checks }: DoctorReport): string {
  const nameWidth = Math.max(...checks.map((check) => titleOf(check).length)) + 2;
  const indent = " ".repeat(STATUS_WIDTH + nameWidth);
  const lines = checks.flatMap((check) => [
    `${check.status.padEnd(STATUS_WIDTH)}${titleOf(check).padEnd(nameWidth)}${check.found}`,
    ...("hint" in check ? [`${indent}-> ${check.hint}`] : []),
  ]);
  return [...lines, "", summarize(checks)].join("\n");
}

/** A check, with the chain that it is of where chains have names. */
function titleOf({ name, chain }: CheckResult): string {
  return chain === undefined ? name : `${chain}: ${name}`;
}

function summarize(checks: readonly CheckResult[]): string {
  const counts = Map.groupBy(checks, ({ status }) => status);
  const parts = (["failed", "warning", "skipped", "ok"] as const).flatMap((status) => {
    const count = counts.get(status)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `${checks.length} checks: ${parts.join(", ")}.`;
}
