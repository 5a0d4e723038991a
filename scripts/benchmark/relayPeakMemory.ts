/**
 * Loaded into a process that is measured (`node --import`): writes the peak of its resident memory, in bytes, into the
 * file that PEAK_MEMORY_FILE names when the process ends.
 *
 * Of what the process itself has used since its program began: getrusage would count what its parent had before.
 */
import { readFileSync, writeFileSync } from "node:fs";

const BYTES_IN_KIB = 1024;

process.on("exit", () => {
  const file = process.env["PEAK_MEMORY_FILE"];
  if (file !== undefined) writeFileSync(file, String(peakOfThisProcess()));
});

function peakOfThisProcess(): number {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kibibytes !== undefined) return Number(kibibytes) * BYTES_IN_KIB;
  } catch {
    // Not on Linux.
  }
  return process.resourceUsage().maxRSS * BYTES_IN_KIB;
}
