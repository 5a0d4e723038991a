import { createHash } from "node:crypto";
import type { Journal } from "../../relayer/journal/journal.ts";
import type { Kernel } from "../kernel/kernel.ts";

/** Methods that change the journal: a process that dies at one of them is what recovery is for. */
export const JOURNAL_WRITES: ReadonlySet<string> = new Set([
  "recordReceived",
  "recordRefusals",
  "recordPlan",
  "openAttempt",
  "addReplacement",
  "recordMined",
  "recordFinal",
  "recordReorganised",
  "recordDisplaced",
  "putAlert",
  "removeAlert",
  "prune",
  "add",
]);

/** A journal whose every call goes through the kernel, where a process may be killed before it or after it. */
export function askedJournal(journal: Journal, kernel: Kernel): Journal {
  return asked(journal, kernel);
}

function asked<T extends object>(target: T, kernel: Kernel): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof value === "object" && value !== null) return asked(value, kernel);
      if (typeof value !== "function" || typeof key !== "string") return value;
      return (...values: unknown[]) =>
        kernel.ask({
          kind: "journal",
          what: JOURNAL_WRITES.has(key) ? `${key} ${digestOf(values)}` : key,
          perform: () => Reflect.apply(value, object, values) as unknown,
          describe: summaryOf,
        });
    },
  });
}

/** Which write it was, in a few digits: two runs that write anything else differ. */
function digestOf(values: readonly unknown[]): string {
  return createHash("sha256").update(textOf(values)).digest("hex").slice(0, 8);
}

function summaryOf(answer: unknown): string {
  if (Array.isArray(answer)) return `${answer.length} rows ${digestOf(answer)}`;
  return answer === undefined ? "nothing" : digestOf([answer]);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "bigint") return `${inner}n`;
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString("hex");
    return inner instanceof Map ? [...inner] : inner;
  });
}
