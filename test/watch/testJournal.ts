import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";

/** A folder of its own for one test, with a journal that any number of processes may open. */
export function journalFolder(): { open(): Promise<Journal> } {
  const folder = mkdtempSync(join(tmpdir(), "homeprice-watch-"));
  const opened: Journal[] = [];
  onTestFinished(async () => {
    for (const journal of opened) await journal.close();
    rmSync(folder, { recursive: true });
  });
  return {
    async open() {
      const journal = await openJournal(join(folder, "journal.sqlite"));
      opened.push(journal);
      return journal;
    },
  };
}

/** A real journal that can be out of reach for a while, as one whose disk is full or whose database is down. */
export function unreliable(journal: Journal): Journal & { isDown: boolean } {
  const proxy = new Proxy(journal as Journal & { isDown: boolean }, {
    get(target, name) {
      if (name === "isDown") return target.isDown;
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        if (target.isDown) throw Object.assign(new Error("disk at /secret/path is full"), { code: "SQLITE_FULL" });
        return (value as (...given: unknown[]) => unknown).apply(target, given);
      };
    },
    set(target, name, value) {
      return Reflect.set(target, name, value);
    },
  });
  proxy.isDown = false;
  return proxy;
}
