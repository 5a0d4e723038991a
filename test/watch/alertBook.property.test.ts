import fc from "fast-check";
import { expect, it } from "vitest";
import { AlertBook } from "../../relayer/watch/alertBook.ts";
import { alertKeyOf } from "../../relayer/watch/alertKey.ts";
import type { AlertMessage } from "../../relayer/watch/alertMessage.ts";
import type { ConditionKind } from "../../relayer/watch/condition.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { conditionOf, HOUR_MS, MINUTE_MS, START_MS } from "./reports.ts";
import { journalFolder, unreliable } from "./testJournal.ts";

const SCOPES = ["service", "chain:base"] as const;
/** Two that are told at once, two that must stand first. */
const KINDS: readonly ConditionKind[] = ["signer-changed", "paused", "service-down", "endpoint-failing"];
const REPEAT_HOURS = 12n;

type Step =
  | { readonly do: "report"; readonly scope: (typeof SCOPES)[number]; readonly kinds: readonly ConditionKind[] }
  | { readonly do: "pass time"; readonly minutes: number }
  | { readonly do: "webhook"; readonly isDown: boolean }
  | { readonly do: "journal"; readonly isDown: boolean }
  | { readonly do: "restart"; readonly process: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("report" as const),
      scope: fc.constantFrom(...SCOPES),
      kinds: fc.subarray([...KINDS]),
    }),
    fc.record({ do: fc.constant("pass time" as const), minutes: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ do: fc.constant("webhook" as const), isDown: fc.boolean() }),
    fc.record({ do: fc.constant("journal" as const), isDown: fc.boolean() }),
    fc.record({ do: fc.constant("restart" as const), process: fc.nat(1) }),
  ),
  { maxLength: 40 },
);

/** What somebody knows who reads every message that was delivered, and when it was told last. */
class Reader {
  readonly standing = new Map<string, bigint>();
  readonly repeatedTooSoon: string[] = [];

  read({ status, alerts }: AlertMessage, nowMs: bigint): void {
    for (const alert of alerts) {
      const key = alertKeyOf(alert);
      const before = this.standing.get(key);
      if (status === "resolved") this.standing.delete(key);
      else {
        if (before !== undefined && nowMs - before < REPEAT_HOURS * HOUR_MS) this.repeatedTooSoon.push(key);
        this.standing.set(key, nowMs);
      }
    }
  }
}

it("whoever reads the messages knows in the end what stands, and was told nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const folder = journalFolder();
      const journals = [unreliable(await folder.open()), unreliable(await folder.open())];
      const reader = new Reader();
      const { log } = recordingLog();
      const truth = new Map<string, readonly ConditionKind[]>(SCOPES.map((scope) => [scope, []]));
      let nowMs = START_MS;
      let isWebhookDown = false;
      // What a process tells while it cannot write it down, another cannot know.
      const isTaken = () => !isWebhookDown && !journals[0]?.isDown;
      const webhook = {
        async send(message: AlertMessage) {
          if (isTaken()) reader.read(message, nowMs);
          return isTaken();
        },
      };
      const repeatAfterMs = Number(REPEAT_HOURS * HOUR_MS);
      const openBook = (index: number) => {
        const journal = journals[index];
        if (!journal) throw new RangeError(`no process ${index}`);
        return new AlertBook({ journal, webhook, log, repeatAfterMs });
      };
      const books = [openBook(0), openBook(1)];
      const report = async (scope: string) => {
        const conditions = (truth.get(scope) ?? []).map((kind) => conditionOf(kind));
        // One process has a scope at a time; here the even minutes' and the odd minutes'.
        await books[Number((nowMs / MINUTE_MS) % 2n)]?.reconcile(scope, conditions, nowMs);
      };

      for (const step of given) {
        if (step.do === "report") {
          truth.set(step.scope, step.kinds);
          await report(step.scope);
        } else if (step.do === "pass time") {
          for (let minute = 0; minute < step.minutes; minute += 1) {
            nowMs += MINUTE_MS;
            for (const book of books) await book.tellDue(SCOPES, nowMs);
          }
        } else if (step.do === "webhook") isWebhookDown = step.isDown;
        else if (step.do === "restart") books[step.process] = openBook(step.process);
        else for (const journal of journals) journal.isDown = step.isDown;
      }

      isWebhookDown = false;
      for (const journal of journals) journal.isDown = false;
      for (let minute = 0; minute < 30; minute += 1) {
        nowMs += MINUTE_MS;
        for (const scope of SCOPES) await report(scope);
      }
      const expected = [...truth].flatMap(([scope, kinds]) =>
        kinds.map((kind) => alertKeyOf({ scope, kind, subject: "" })),
      );
      expect([...reader.standing.keys()].sort()).toEqual(expected.sort());
      expect(reader.repeatedTooSoon).toEqual([]);
      for (const journal of journals) await journal.close();
    }),
    { numRuns: 40 },
  );
});
