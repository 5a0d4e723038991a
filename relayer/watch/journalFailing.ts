import type { Condition } from "./condition.ts";

/** The condition of a journal that failed the last time it was used; none where it did not. */
export function journalFailing(problem: string | undefined, description: string): Condition[] {
  if (problem === undefined) return [];
  return [
    {
      kind: "journal-failing",
      subject: "",
      severity: "critical",
      message: `the journal (${description}) cannot be read or written: ${problem}`,
      hint: "Check the disk or the database behind store; the relayer goes on by itself once it answers.",
    },
  ];
}
